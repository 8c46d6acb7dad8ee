"""Emergencies: coming in, who is told of it, and going out. What is made of it afterwards is in `looking`.

In and out are acts in the vault they are about. Whoever came in has a seat there that nothing but the
pages knows (`seat`): it is asked for anew at each request, and is over by the clock, by a press, and at once when the
clinic switches it off or takes the role away.
"""

import hmac
import secrets
from datetime import datetime
from uuid import UUID

from apps.holders import emergency, store
from apps.holders.services.spaces import settled_in, space_policy
from apps.holders.services.telling import deciding
from apps.ledger.ids import new_id
from apps.ledger.log import Act, act
from apps.mail import services as mail
from apps.policy.emergency import (
    LASTS,
    LOOKS_PER_HOUR,
    MISSES_PER_HOUR,
    MOST_WHOM,
    REVIEW_WITHIN,
    Emergency,
    Patient,
    check_note,
    judge_entry,
    opens,
    reviewers,
)
from apps.policy.ids import typed
from apps.policy.letters import Given, Letter
from apps.policy.people import CLOCK, Membership
from apps.policy.text import TextProblem, check_line
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import EmergencyEnd, EmergencyReason, ReceiptKind, Refusal
from vault import limits


# ---------------------------------------------------------------- coming in
def may_enter(user_id: UUID) -> tuple[Membership, ...]:
    """The clinics in which this person may open a file in an emergency, as it is now; for nearly everybody none."""
    return tuple(each for each, settled in settled_in(store.memberships(user_id)) if opens(each, settled))


def look_up(user_id: UUID, space_id: UUID, whom: str, now: datetime) -> Patient | Refused:
    """Whom exactly this number or address is, to be named before anything is opened. What leads to nobody is counted
    apart from what names somebody, and tightly: whoever mistypes a few times still gets in.

    Refused as not-found, for whoever isn't there and for whom this person may not open, and as rate-limited. Raises
    TextProblem for what is no line, and where nobody could look at it afterwards.
    """
    check_line(whom, "whom", MOST_WHOM, empty=True)
    if space_id not in {each.space_id for each in may_enter(user_id)}:
        return Refused(Refusal.NOT_FOUND)
    if not looking(space_id, user_id):
        raise TextProblem(
            "whom", "Nobody but you could look at this afterwards. Ask an admin to name another privacy lead."
        )
    missed, named = f"emergency-missed:{user_id.hex}", f"emergency-named:{user_id.hex}"
    until, found = limits.full(missed, MISSES_PER_HOUR, 3600, now), None
    if until is None:
        found = emergency.patient(space_id, whom.strip())
        counted, most = (named, LOOKS_PER_HOUR) if found is not None else (missed, MISSES_PER_HOUR)
        until = limits.over(counted, most, 3600, now)
    if until is not None:
        return Refused(Refusal.RATE_LIMITED, until=until)
    return found if found is not None else Refused(Refusal.NOT_FOUND)


def enter(
    user_id: UUID,
    space_id: UUID,
    found: Patient,
    reason: EmergencyReason,
    note: str,
    *,
    proved_at: datetime | None,
    now: datetime,
) -> Holder | Refused:
    """Open a file for an hour: to be looked at, nothing else. `found` is whom `look_up` named; `proved_at` is when this
    person last showed who they are. The holder, whoever decides for them, and whoever looks at it afterwards are told.

    Refused as not-found, stale (show anew who you are), not-yours-to-decide (their own, or where they act anyway), and
    already-decided (they have one open). Raises TextProblem for a note that says nothing.
    """
    said = check_note(note)
    place = next((each for each in may_enter(user_id) if each.space_id == space_id), None)
    if place is None or store.space_of(found.vault_id) != space_id:
        return Refused(Refusal.NOT_FOUND)
    for over in emergency.unfinished(user_id):
        end(over, now)
    new = Emergency(
        emergency_id=new_id(),
        vault_id=found.vault_id,
        space_id=space_id,
        space_name=place.space_name,
        user_id=user_id,
        name=place.name,
        holder_name=found.name,
        reason=reason,
        note=said,
        entered_at=now,
        ends_at=now + LASTS,
        due_at=now + REVIEW_WITHIN,
    )
    with act(new.vault_id, new.actor) as entering:
        refused = _judged(new, found, proved_at)
        if refused is None and not _opened(entering, new, found.user_id):
            refused = Refused(Refusal.ALREADY_DECIDED)
        if refused is not None:
            entering.cancel()
            return refused
    seated = emergency.seat(user_id, new.vault_id)
    return seated if seated is not None else Refused(Refusal.NOT_FOUND)


def _judged(new: Emergency, found: Patient, proved_at: datetime | None) -> Refused | None:
    return judge_entry(
        own=found.user_id == new.user_id,
        acts_there=emergency.acts_at(new.vault_id, new.user_id),
        opened=bool(emergency.unfinished(new.user_id)),
        proved_at=proved_at,
        now=new.entered_at,
    )


def _opened(within: Act, new: Emergency, about: UUID) -> bool:
    """Write it down, and tell of it. False where another tab was first."""
    assert new.note is not None
    salt = secrets.token_bytes(32)
    if not emergency.enter(within, new, salt):
        return False
    within.record(
        ReceiptKind.EMERGENCY_ENTERED,
        object=typed("del", new.emergency_id),
        reason=new.reason.value,
        commitment=hmac.digest(salt, f"{new.reason.value}\n{new.note}".encode(), "sha256").hex(),
    )
    _tell(within, new, about)
    return True


def _tell(within: Act, new: Emergency, about: UUID) -> None:
    """Write to the person it is about, to whoever decides for them, and to whoever looks at it afterwards: these read
    whose file it was when they look, not in a mail.
    """
    facts: dict[str, Given] = {
        "space": new.space_name,
        "who": new.name,
        "reason": new.reason.value,
        "at": new.entered_at,
        "until": new.ends_at,
    }
    looks = looking(new.space_id, new.user_id)
    decides = {each.user_id for each in deciding(new.vault_id)}
    for each in (looks | decides) - {new.user_id}:
        told: dict[str, Given] = {**facts, "about": new.holder_name if each in decides - {about} else ""}
        if each in looks:
            told["due"] = new.due_at
        mail.post(within, Letter.EMERGENCY, each, told, key=typed("del", new.emergency_id))


# ---------------------------------------------------------------- being there, and going out
def seat(user_id: UUID, vault_id: UUID) -> Holder | None:
    """This person's seat at a vault that they opened in an emergency, while that lasts. For the pages alone."""
    return emergency.seat(user_id, vault_id)


def open_of(user_id: UUID, now: datetime) -> Emergency | None:
    """The emergency that this person is in."""
    return next((each for each in emergency.unfinished(user_id) if each.ended(now) is None), None)


def leave(user_id: UUID, now: datetime) -> Emergency | Refused:
    """Go out, before the hour is over. Not-found for who is in none."""
    found = open_of(user_id, now)
    if found is None or not _close(found, found.actor, EmergencyEnd.LEFT, now):
        return Refused(Refusal.NOT_FOUND)
    return found


def end_due(now: datetime) -> int:
    """Write down which are over, by the clock or because the clinic took them away. How many; two beats write one."""
    return sum(end(each, now) for each in emergency.unfinished())


def end(found: Emergency, now: datetime) -> bool:
    """Write down that this one is over, where it is. False where it isn't, or that was written before."""
    how = found.ended(now)
    return how is not None and _close(found, CLOCK, how, now)


def _close(found: Emergency, by: str, how: EmergencyEnd, now: datetime) -> bool:
    with act(found.vault_id, by) as leaving:
        if not emergency.leave(leaving, found.emergency_id, how, now):
            leaving.cancel()
            return False
        leaving.record(ReceiptKind.EMERGENCY_LEFT, object=typed("del", found.emergency_id), reason=how.value)
    return True


# ---------------------------------------------------------------- who looks at it, and how the person is told by number
def number(user_id: UUID, space_id: UUID) -> int | None:
    """The number by which a person's file in a clinic is found; None for who holds none there."""
    return emergency.number(space_id, user_id)


def looking(space_id: UUID, used_by: UUID) -> frozenset[UUID]:
    """Who looks at what this person does in an emergency in a space, as it is settled now."""
    return reviewers(space_policy(space_id), store.members(space_id), used_by)
