"""What a space settles for the vaults in it, and the space's own ledger: both for its admins alone."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.holders import settled as rows
from apps.holders import store
from apps.holders.services.spaces import managed, space_policy
from apps.holders.services.turning import tell_in, write_ends, youngest
from apps.ledger import services as ledger
from apps.ledger.log import act
from apps.mail import services as mail
from apps.policy.ids import typed, untyped
from apps.policy.letters import Letter
from apps.policy.people import Settled, SpacePolicy, actor
from apps.policy.roles import manages
from apps.policy.settling import settled
from apps.policy.types import Receipt, Refused
from apps.policy.vocabulary import ReceiptKind, Refusal, Role


def settle(user_id: UUID, space_id: UUID, wish: SpacePolicy, now: datetime) -> SpacePolicy | Refused:
    """Let this policy hold from now on: it is asked at the next decision, read of a tier, and request, not before.

    `wish` is whole, with the version it was made from; Refused as stale where another stands meanwhile, and as
    not-found for whoever is no admin there. What would change nothing is no act. A table of ages by which guardians may
    do more holds in thirty days, and children and guardians are told at once. The others who belong to the space are
    told by letter that it settled something. Raises TextProblem by the name of a policy's field.
    """
    if managed(user_id, space_id) is None:
        return Refused(Refusal.NOT_FOUND)
    write_ends(space_id, now)
    done = _settle(user_id, space_id, wish, now)
    if not isinstance(done, Refused):
        tell_in(space_id, now)
    return done


def _settle(user_id: UUID, space_id: UUID, wish: SpacePolicy, now: datetime) -> SpacePolicy | Refused:
    with act(space_id, actor(Role.ADMIN, user_id), begin=True) as settling:
        members = store.members(space_id)
        if not manages(each for each in members if each.user_id == user_id):  # again under the lock
            settling.cancel()
            return Refused(Refusal.NOT_FOUND)
        old = space_policy(space_id)
        new = settled(wish, old, members, now, youngest(space_id, now))
        if isinstance(new, Refused) or new == old:
            settling.cancel()
            return new
        digest = rows.settle(settling, space_id, new, now)
        settling.record(ReceiptKind.SPACE_SETTLED, object=typed("spc", space_id), commitment=digest.hex())
        for each in members:
            if each.user_id != user_id:
                key = f"{typed('spc', space_id)}/{new.version}"
                mail.post(settling, Letter.SETTLED, each.user_id, {"space": each.space_name, "at": now}, key=key)
    return new


def policies(user_id: UUID, space_id: UUID) -> tuple[Settled, ...]:
    """Every policy that was settled in the space, newest first; for anybody but its admins none."""
    return rows.settled(space_id) if managed(user_id, space_id) else ()


def notice_at(vault_id: UUID) -> tuple[UUID, int, str] | None:
    """The notice of the space that a vault stands in: the space, the version of its policy, the text ("" for none)."""
    return rows.notice_at(vault_id)


def settled_notice(space_id: UUID, version: int) -> str:
    """The notice of a policy that was settled, whatever holds now; "" where there is none. For everybody: whoever has
    a consent record is led to it.
    """
    return rows.notice(space_id, version)


# ---------------------------------------------------------------- the space's ledger
@dataclass(frozen=True, slots=True)
class SpaceLine:
    """A line of a space's ledger: its receipt, who acted, and whom it is about ("": nobody else)."""

    receipt: Receipt
    who: str
    whom: str


def space_ledger(
    user_id: UUID, space_id: UUID, *, limit: int, before: int | None = None
) -> tuple[SpaceLine, ...] | Refused:
    """What was done in a space, newest first: who belongs to it, who was invited, what it settled, who sat at its
    desk. Nothing of any vault stands in it.
    """
    if managed(user_id, space_id) is None:
        return Refused(Refusal.NOT_FOUND)
    found = ledger.receipts(space_id, actor(Role.ADMIN, user_id), limit=limit, before=before)
    called = store.names(frozenset(_people(found)))
    return tuple(SpaceLine(each, _name(called, _actor(each), each.actor), _name(called, _whom(each))) for each in found)


def _people(found: Iterable[Receipt]) -> Iterable[UUID]:
    return (user for each in found for user in (_actor(each), _whom(each)) if user is not None)


def _actor(receipt: Receipt) -> UUID | None:
    """The person who acted, whatever the role; None for the clock."""
    return untyped(receipt.actor.partition("_")[0], receipt.actor)


def _whom(receipt: Receipt) -> UUID | None:
    return untyped("usr", receipt.object)


def _name(called: dict[UUID, str], user_id: UUID | None, otherwise: str = "") -> str:
    return called.get(user_id, otherwise) if user_id else otherwise
