"""A table of ages by which guardians may do more: announced in each child's vault, and told of thirty days before it
holds and on the day, as birthdays are.

When it holds is a rule that is asked at each request (`policy.tiers`). What is told here follows from the rows alone:
what a crash left untold is told by the clock.
"""

from collections.abc import Iterator
from datetime import date, datetime
from uuid import UUID

from apps.holders import growing
from apps.holders.services.growing import due_to_end, end_guardians
from apps.ledger.log import act
from apps.mail import services as mail
from apps.policy.ids import typed
from apps.policy.letters import Given, Letter
from apps.policy.people import CLOCK
from apps.policy.tiers import Told, Upbringing, allowed, turns, until
from apps.policy.vocabulary import Level, ReceiptKind


def youngest(space_id: UUID, now: datetime) -> int | None:
    """How old the youngest child is who lives in a space, in full years; None where none does."""
    return min((child.age(now) for _, child in growing.children(now, space_id)), default=None)


def write_ends(space_id: UUID, now: datetime) -> None:
    """Before another table holds: write down whose leave has ended by the one that did. No table brings it back."""
    for vault_id in list(due_to_end(now, space_id)):
        end_guardians(vault_id, now)


def due_tables(now: datetime, space_id: UUID | None = None) -> Iterator[UUID]:
    """The vaults of children (in this space) with whom a table lets guardians do more, and who were not told yet."""
    for vault_id, child in growing.children(now, space_id):
        told = turns(child, now)
        if told and not growing.was_told(vault_id, *_as_told(child, told)):
            yield vault_id


def tell_of_table(vault_id: UUID, now: datetime) -> bool:
    """Write down in a child's vault that a table is told of, and write to the child and to all guardians, whoever
    settled it too. False where another beat was first.
    """
    with act(vault_id, CLOCK) as telling:
        child = growing.child(vault_id)
        told = turns(child.growing, now) if child else None
        if child is None or told is None or not growing.tell(telling, *_as_told(child.growing, told), now):
            telling.cancel()
            return False
        since = child.growing.since
        assert since is not None
        after = allowed(child.growing, since)
        kind = ReceiptKind.TIER_ANNOUNCED if told is Told.BEFORE else ReceiptKind.TIER_CHANGED
        telling.record(kind, object=typed("vlt", vault_id), reason=after.value if after else "ended")
        facts: dict[str, Given] = {
            "day": child.growing.day_of(since),
            "decides": until(child.growing.tiers, Level.DECIDE),
            "looks": until(child.growing.tiers, Level.VIEW),
            "told": told.value,
        }
        named = {user_id: child.name for user_id, _ in growing.guardians(vault_id)}
        for user_id, about in {**named, child.user_id: ""}.items():
            key = f"{typed('vlt', vault_id)}/{since.isoformat()}/{told.value}"
            mail.post(telling, Letter.TABLE, user_id, facts | {"about": about}, key=key)
    return True


def tell_in(space_id: UUID, now: datetime) -> None:
    """Tell everybody in a space whom its new table concerns."""
    for vault_id in list(due_tables(now, space_id)):
        tell_of_table(vault_id, now)


def _as_told(child: Upbringing, told: Told) -> tuple[date, str]:
    """How it is written down that this table is told of: by its day, and its moment, as two may have one day."""
    assert child.since is not None
    return child.day_of(child.since), f"{told.value}/{child.since:%H:%M:%S.%f}"
