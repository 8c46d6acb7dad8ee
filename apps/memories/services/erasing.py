"""Erasing one memory. What is built on it (orders, certificates, what was made from it) stands above."""

from datetime import datetime

from apps.ledger.log import Act
from apps.memories import erased, store
from apps.memories.services.keeping import about
from apps.policy.ids import typed
from apps.policy.types import Memory
from apps.policy.vocabulary import ReceiptKind


def erase_within(within: Act, memory: Memory, now: datetime) -> None:
    """Destroy the keys of every version, and of every candidate that was suggested for it, and every word about it: its
    labels, reasons and dates, what was suggested, its edges, and the names of whom it alone was about. Its receipts
    stay. From then on its id is as one that never was.
    """
    erased.unlink(within, memory.memory_id, now)
    candidates, waiting = erased.forget_proposals(within, memory.memory_id, now)
    store.shred(within, memory.memory_id, *candidates)
    erased.blank(within, memory, now)
    for proposal_id in waiting:
        within.record(ReceiptKind.PROPOSAL_WITHDRAWN, object=typed("prp", proposal_id))
    within.record(ReceiptKind.MEMORY_ERASED, **about(memory))
