"""Whom letters about a vault go to; and leave to act for somebody that ends by its day, told before and written down.

Leave that is over serves nothing from its day on, whether anybody wrote it down or not; the holder may renew it also
after that day.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from apps.holders import store
from apps.holders.services.seats import seats as seats_of
from apps.ledger import services as ledger
from apps.ledger.log import act
from apps.mail import services as mail
from apps.policy import roles
from apps.policy.ids import instant, typed
from apps.policy.letters import Given, Letter
from apps.policy.people import CLOCK, Delegation
from apps.policy.roles import Deed, needs
from apps.policy.types import Holder
from apps.policy.vocabulary import ReceiptKind

REMINDED = timedelta(days=30)  # before the day; and for as long after it a clock that stood still makes up for it


def deciding(vault_id: UUID) -> tuple[Holder, ...]:
    """The seats of a vault at which it is decided now: the holder's, and those of whoever may decide for them."""
    own = store.holder_of_vault(vault_id)
    people = [each.user_id for each in store.delegations(vault_id=vault_id)] if own else []
    found = (each.now() for person in people for each in store.seats(person, vault_id))
    return ((own,) if own else ()) + tuple(each for each in found if each and roles.may(each, Deed.DECIDE) is None)


@needs(Deed.LOOK)
def pressed(seat: Holder) -> tuple[Holder, ...]:
    """Whom it is confirmed to that something was done: who did it, and the holder where that was somebody else."""
    own = store.holder_of_vault(seat.vault_id) if seat.acting else None
    return (seat, own) if own else (seat,)


@needs(Deed.LOOK)
def whose_vault(seat: Holder, seats: Sequence[Holder] = ()) -> dict[str, Given]:
    """What a letter to a seat says of whose vault it is about; to who sits at several, also of which of theirs. Given
    are all `seats` of its person, where they are known.
    """
    if seat.acting:
        return {"about": seat.holder_name}
    return {"place": seat.space_name} if len(seats or seats_of(seat.user_id)) > 1 else {}


# ---------------------------------------------------------------- leave that ends by its day
def leave_to_remind_of(now: datetime) -> tuple[Delegation, ...]:
    """Leave that ends within thirty days, unless it was given for less than that."""
    found = store.delegations_ending(now, now + REMINDED)
    return tuple(each for each in found if each.expires_at and each.made_at < each.expires_at - REMINDED)


def remind_of_leave(found: Delegation) -> int:
    """Write to the holder and to whoever acts that leave ends on its day: once for each day. How many letters."""
    sent = [
        mail.remind(Letter.LEAVE_ENDS, to, facts, key=_key(found), vault_id=found.vault_id)
        for to, facts in _told(found)
    ]
    return sum(sent)


def leave_to_end(now: datetime) -> Iterator[Delegation]:
    """Leave whose day has come and of which nobody has written that it ended."""
    for each in store.delegations_ending(now - REMINDED, now):
        if not _written(each):
            yield each


def write_end(found: Delegation, now: datetime) -> bool:
    """Write down that leave has ended by its day, and tell both. True when it was this call."""
    with act(found.vault_id, CLOCK) as ending:
        standing = store.delegation(found.vault_id, found.delegation_id)
        if standing is None or standing.ended_at or standing.live(now) or _written(standing):
            ending.cancel()
            return False
        store.end_sessions(ending, standing.user_id)
        about = typed("del", standing.delegation_id)
        ending.record(ReceiptKind.DELEGATION_ENDED, object=about, reason=standing.level.value)
        for to, facts in _told(standing):
            mail.post(ending, Letter.LEAVE_ENDED, to, facts, key=_key(standing))
    return True


def _written(found: Delegation) -> bool:
    """Is an end the last thing that the ledger says of it? What renewed it stands there after the end."""
    said = ledger.acts_on(found.vault_id, CLOCK, [typed("del", found.delegation_id)])
    return bool(said) and said[-1].kind == ReceiptKind.DELEGATION_ENDED


def _key(found: Delegation) -> str:
    """Renewed leave has another day, and is told of anew."""
    return f"{typed('del', found.delegation_id)}/{instant(found.expires_at) if found.expires_at else ''}"


def _told(found: Delegation) -> Iterator[tuple[UUID, dict[str, Given]]]:
    """What holder and whoever acts are told: each of the other."""
    own = store.holder_of_vault(found.vault_id)
    if own is not None:
        yield own.user_id, {"who": found.name, "until": found.expires_at}
        yield found.user_id, {"about": own.name, "until": found.expires_at}
