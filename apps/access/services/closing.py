"""What ends when a vault is erased: every assistant, with its keys, requests and grants; and when a note does."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from apps.access import closing
from apps.ledger.log import Act
from apps.memories.services import joins_erasing


def end_within(within: Act, now: datetime) -> Counter[str]:
    """Stop every assistant, within the act that erases the vault. Returns how many rows of which place."""
    return closing.end(within, now)


def forget_notes_within(within: Act, before: datetime) -> Counter[str]:
    """Erase the notes that came with requests which were decided before then. Returns how many."""
    return Counter(requests=closing.forget_notes(within, before))


@joins_erasing
def forget_said_within(within: Act, memory_ids: Sequence[UUID], now: datetime) -> Counter[str]:
    """Erase the notes that came with requests for any of these memories, and the reviewers' words on them."""
    return closing.forget_said_of(within, memory_ids)
