"""After a backup was restored: what was erased since of what came with requests."""

from collections import Counter
from collections.abc import Collection
from uuid import UUID

from apps.access import again
from apps.ledger.log import Act


def blank_within(within: Act, request_ids: Collection[UUID]) -> Counter[str]:
    """Erase the notes of these requests again. Returns how many there were."""
    return Counter(requests=again.blank_notes(within, request_ids))
