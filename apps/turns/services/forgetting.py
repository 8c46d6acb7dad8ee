"""What the chat holds of memories that are erased goes with them, in the same act."""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from apps.ledger.log import Act
from apps.memories.services import joins_erasing
from apps.turns import store


@joins_erasing
def forget(within: Act, memory_ids: Sequence[UUID], now: datetime) -> Counter[str]:
    """Erase every turn in which one of these memories was offered, handed over or left out, and what answered such a
    turn again: what was asked and answered may say what they said.
    """
    return Counter(turns=store.erase(within, store.touching(within.vault_id, memory_ids), now))


def end_within(within: Act, now: datetime) -> Counter[str]:
    """Erase every turn of the vault."""
    return Counter(turns=store.end(within, now))


def forget_older_within(within: Act, before: datetime, now: datetime) -> Counter[str]:
    """Erase the turns that were asked before then. Returns how many."""
    return Counter(turns=store.erase(within, store.asked_before(within.vault_id, before), now))


def forget_again_within(within: Act, turn_ids: Collection[UUID], now: datetime) -> Counter[str]:
    """Erase these turns, which a backup that was restored held again. Returns how many there were still."""
    return Counter(turns=store.erase(within, turn_ids, now))
