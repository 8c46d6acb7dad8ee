"""Erasing memories, within an act. Orders and certificates stand above; what else holds a copy joins in here."""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from uuid import UUID, uuid4

from apps.ledger.log import Act
from apps.memories import erased
from apps.memories.erased import Made
from apps.memories.services.keeping import about
from apps.policy.ids import typed
from apps.policy.types import Memory
from apps.policy.vocabulary import ReceiptKind

Joining = Callable[[Act, Sequence[UUID], UUID, datetime], Counter[str]]
_JOINING: list[Joining] = []


def joins_erasing(joining: Joining) -> Joining:
    """A room above that holds copies of memories, or keeps account of erasures, has a part in each. It is given the
    act, the ids, the order's id and the time, and says how many rows went from which place of its own.
    """
    _JOINING.append(joining)
    return joining


def erase_within(within: Act, memories: Sequence[Memory], now: datetime, order_id: UUID | None = None) -> Counter[str]:
    """Destroy every version of memories, and of every candidate that was suggested for them, and every word about them:
    their labels, reasons and dates, what was suggested, their edges, the names of whom they alone were about, and what
    the rooms above hold of them. Their receipts stay. From then on their ids are as ones that never were.

    Returns how many rows went from which place.
    """
    order_id = order_id or uuid4()
    gone = erased.erase(within, memories, order_id, now)
    for proposal_id in gone.waiting:
        within.record(ReceiptKind.PROPOSAL_WITHDRAWN, object=typed("prp", proposal_id))
    for memory in memories:
        within.record(ReceiptKind.MEMORY_ERASED, **about(memory) | {"object": typed("ord", order_id)})
    ids = [each.memory_id for each in memories]
    return sum((joining(within, ids, order_id, now) for joining in _JOINING), gone.counts)


def made_of(vault_id: UUID, memory_ids: Sequence[UUID]) -> Made:
    """What else holds something of these memories, within a look or an act."""
    return erased.made_of(vault_id, memory_ids)
