"""Children: a vault that a guardian opens for one, and the birthdays that change what guardians may do.

The tier itself is a rule that is asked at each request (`policy.tiers`). What runs by the clock here only tells, and
writes down what has ended.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from apps.holders import growing, settled, store
from apps.holders.services.acting import end
from apps.holders.services.addresses import check_free
from apps.holders.services.people import check_zone
from apps.holders.services.spaces import managed
from apps.ledger.ids import new_id
from apps.ledger.log import act
from apps.mail import services as mail
from apps.policy.ids import typed
from apps.policy.letters import Given, Letter
from apps.policy.people import CLOCK, Delegation
from apps.policy.settling import table_of
from apps.policy.text import TextProblem, check_line
from apps.policy.tiers import NOTICE, Band, Step, Told, Upbringing, allowed, changes, check_born_on, due, grown_up
from apps.policy.tiers import band as band_of
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Level, ReceiptKind, Refusal, Role


@dataclass(frozen=True, slots=True)
class Notice:
    """What a person is told of a birthday: whose (`own`: theirs), and what it changes."""

    name: str
    own: bool
    step: Step
    told: Told


def bring_up(
    user_id: UUID, space_id: UUID, *, name: str, born_on: date, time_zone: str, email: str = "", now: datetime
) -> Holder | Refused:
    """Open a vault for a child in a household: for its admins, who become guardians. Returns the guardian's seat there.

    With an address the child has a log-in of their own, by setting a password. Refused as rate-limited after many
    addresses. Raises TextProblem naming the field.
    """
    place = managed(user_id, space_id)
    if place is None or place.kind != "household":
        return Refused(Refusal.NOT_FOUND)
    check_line(name, "name")
    check_zone(time_zone)
    policy = settled.policy_of(space_id)
    tiers = table_of(policy, now) if policy else ()
    child = Upbringing(check_born_on(born_on, now.date()), ZoneInfo(time_zone), tiers)
    if allowed(child, now) is None:
        raise TextProblem("born_on", "At this age nobody acts as a guardian here. Invite them instead.")
    if email:
        until = check_free(user_id, email, "leo@home.example, or none", now)
        if until:
            return Refused(Refusal.RATE_LIMITED, until=until)
    vault_id = new_id()
    child_id = growing.make_child(name, email, time_zone, vault_id.hex)
    leave = Delegation(new_id(), vault_id, user_id, "", Role.GUARDIAN, Level.DECIDE, now, None, None)
    with act(vault_id, leave.actor, founding=True) as opening:
        store.open_vault(opening, child_id, name, space_id, born_on, time_zone)
        store.join(opening, space_id, child_id, Role.HOLDER)
        opening.record(ReceiptKind.VAULT_OPENED, object=typed("vlt", vault_id))
        store.delegate(opening, leave)
        about = {"object": typed("del", leave.delegation_id), "reason": leave.level.value}
        opening.record(ReceiptKind.DELEGATION_MADE, **about)
    found = next((each.now() for each in store.seats(user_id, vault_id)), None)
    return found if found is not None else Refused(Refusal.NOT_FOUND)


# ---------------------------------------------------------------- birthdays
def band(vault_id: UUID, now: datetime) -> Band | None:
    """The tier that holds at a vault now, by its ages; None where nothing says that its holder is a child."""
    child = growing.child(vault_id)
    return band_of(child.growing, now) if child else None


def notices(user_id: UUID, now: datetime) -> tuple[Notice, ...]:
    """What is near or has just come: for a guardian of each child, for a child of themself. No job need have run."""
    mine = [(each, None) for each in growing.themself(user_id)]
    found = [
        Notice(child.name, level is None, step, told)
        for child, level in [*mine, *growing.guarded(user_id, now - NOTICE)]
        for step, told in due(child.growing, now)
        if level is None or changes(level, step)
    ]
    return tuple(dict.fromkeys(found))


def due_steps(now: datetime) -> Iterator[tuple[UUID, Step, Told]]:
    """The birthdays, of all vaults, that nobody was told of yet."""
    for vault_id, child in growing.children(now):
        for step, told in due(child, now):
            if not growing.was_told(vault_id, step.day, told.value):
                yield vault_id, step, told


def tell(vault_id: UUID, step: Step, told: Told, now: datetime) -> bool:
    """Write down that a birthday is told of, and write to guardians and child. False where another beat was first."""
    with act(vault_id, CLOCK) as telling:
        child = growing.child(vault_id)
        stands = child is not None and (step, told) in due(child.growing, now)
        if child is None or not stands or not growing.tell(telling, step.day, told.value, now):
            telling.cancel()
            return False
        kind = ReceiptKind.TIER_ANNOUNCED if told is Told.BEFORE else ReceiptKind.TIER_CHANGED
        telling.record(kind, object=typed("vlt", vault_id), reason=step.after.value if step.after else "ended")
        facts: dict[str, Given] = {
            "day": step.day,
            "years": step.years,
            "after": step.after.value if step.after else "none",
            "told": told.value,
        }
        named = {user_id: child.name for user_id, level in growing.guardians(vault_id) if changes(level, step)}
        for user_id, about in {**named, child.user_id: ""}.items():
            key = f"{typed('vlt', vault_id)}/{step.day}/{told.value}"
            mail.post(telling, Letter.STEP, user_id, facts | {"about": about}, key=key)
    return True


def due_to_end(now: datetime, space_id: UUID | None = None) -> Iterator[UUID]:
    """The vaults (in this space) of whom is grown up and still has guardians. One statement, however many."""
    for vault_id, child in growing.children(now, space_id, guarded=True):
        if grown_up(child, now):
            yield vault_id


def end_guardians(vault_id: UUID, now: datetime) -> int:
    """Write down that guardians' leave has ended with childhood; it served nothing since. How many it was."""
    with act(vault_id, CLOCK) as ending:
        child = growing.child(vault_id)
        ended = [
            end(ending, each, now)
            for each in store.delegations(vault_id=vault_id)
            if child is not None and each.role is Role.GUARDIAN and grown_up(child.growing, now)
        ]
        if not ended:
            ending.cancel()
    return len(ended)
