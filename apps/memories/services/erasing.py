"""Erasing memories, within an act. Orders and certificates stand above; what else holds a copy joins in here."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from uuid import UUID, uuid4

from apps.ledger.log import Act
from apps.memories import erased, proposed, store
from apps.memories.services.keeping import about
from apps.policy.ids import typed
from apps.policy.types import Memory, Refused
from apps.policy.vocabulary import ReceiptKind

Joining = Callable[[Act, Sequence[UUID], datetime], Counter[str]]
Staying = erased.Staying
Accounting = Callable[[Act, Sequence[Memory], UUID, Counter[str], Staying, datetime], None]
Barring = Callable[[Act, datetime], Refused | None]
_JOINING: list[Joining] = []
_ACCOUNTING: list[Accounting] = []
_BARRING: list[Barring] = []


def joins_erasing(joining: Joining) -> Joining:
    """A room above that holds copies of memories has a part in each erasure: it is given the act, the ids and the time,
    and says how many rows went from which place of its own.
    """
    _JOINING.append(joining)
    return joining


def accounts_for_erasing(accounting: Accounting) -> Accounting:
    """The room that keeps account of erasures is told of each that it did not order itself: what went, by which order,
    how many rows from where, and what stays beside it.
    """
    _ACCOUNTING.append(accounting)
    return accounting


def bars_erasing(barring: Barring) -> Barring:
    """The room that knows why nothing may be erased in a vault is asked before a yes to a suggestion erases."""
    _BARRING.append(barring)
    return barring


def barred_within(within: Act, now: datetime) -> Refused | None:
    """Why nothing may be erased here now, if so."""
    return next((no for barring in _BARRING if (no := barring(within, now)) is not None), None)


def staying_within(within: Act, memories: Sequence[Memory]) -> Staying:
    """What stays of the whole vault when these go, as a certificate counts it: what is sealed from whoever orders it
    is in it. Asked before they go.
    """
    within.settle()
    return erased.staying(within.vault_id, [each.memory_id for each in memories])


def made_from_within(within: Act, memory: Memory, unseen: Collection[UUID], apart: UUID) -> bool:
    """Is there anything that was made from it, was merged into it, or was suggested from it (but for one proposal,
    `apart`), beside what is unseen?
    """
    within.settle()
    made = erased.made_of(within.vault_id, [memory.memory_id])
    if (made.derived | made.merged) - set(unseen):
        return True
    others = made.suggested - {apart}
    return bool(others and proposed.proposals(within.vault_id, ids=others, without=unseen, limit=1))


def erase_within(
    within: Act,
    memories: Sequence[Memory],
    now: datetime,
    order_id: UUID | None = None,
    suggested: Collection[UUID] = (),
    *,
    tell: bool = True,
) -> Counter[str]:
    """Destroy every version of memories, and of every candidate that was suggested for them, and every word about them:
    their labels, reasons and dates, what was suggested, their edges, the names of whom they alone were about, and what
    the rooms above hold of them. `suggested` are proposals to be blanked beside. Their receipts stay. From then on
    their ids are as ones that never were.

    Returns how many rows went from which place. Without `tell` each one's receipt is left to `tell_within`.
    """
    stays = staying_within(within, memories) if order_id is None else None
    order_id = order_id or uuid4()
    gone = erased.erase(within, memories, order_id, now, suggested)
    for proposal_id in gone.waiting:
        within.record(ReceiptKind.PROPOSAL_WITHDRAWN, object=typed("prp", proposal_id))
    if tell:
        _tell(within, memories, order_id)
    ids = [each.memory_id for each in memories]
    counts = sum((joining(within, ids, now) for joining in _JOINING), gone.counts)
    if stays is not None:
        for accounting in _ACCOUNTING:
            accounting(within, memories, order_id, counts, stays, now)
    return counts


def end_within(within: Act, order_id: UUID, now: datetime) -> Counter[str]:
    """Destroy everything that the vault keeps, its own keys first. Each memory's receipt is left to `tell_within`.
    Returns how many rows went from which place.
    """
    return erased.end(within, order_id, now)


def tell_within(within: Act, order_id: UUID, told: int, limit: int) -> int:
    """Write the receipts of the next of an order's memories, when so many have theirs. Returns how many it wrote."""
    ids = erased.told_next(within.vault_id, order_id, told, limit)
    _tell(within, store.tombstones(within.vault_id, ids), order_id)
    return len(ids)


def _tell(within: Act, memories: Sequence[Memory], order_id: UUID) -> None:
    for memory in memories:
        within.record(ReceiptKind.MEMORY_ERASED, **about(memory) | {"object": typed("ord", order_id)})
