"""What goes of shares when memories are erased, or a whole vault."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from apps.ledger.log import Act
from apps.memories.services import joins_erasing
from apps.shares import store


def end_within(within: Act) -> Counter[str]:
    """Every share is gone, within the act that erases the vault. Returns how many rows of which place."""
    return Counter(shares=store.forget_all(within))


@joins_erasing
def forget_said_within(within: Act, memory_ids: Sequence[UUID], now: datetime) -> Counter[str]:
    """No share carries any of these memories, and nothing is left of what was said on those that did."""
    held, said = store.forget_said_of(within, memory_ids)
    return Counter({"shared": held, "shares": said})
