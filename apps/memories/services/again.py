"""After a backup was restored: what opens it, and what came to nothing since and must not come back."""

from collections import Counter
from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from apps.ledger.log import Act
from apps.memories import ageing, epochs, linked, proposed, store
from apps.memories.services.ending import end_within
from apps.policy.types import Memory
from apps.policy.vocabulary import ProposalStatus

RESTORE = "sys_restore"
MOST_WAITING = 1_000_000


def shut_keys(vault_id: UUID) -> tuple[tuple[int, int], ...]:
    """The vault's keys that no root key opens: (epoch, root epoch) of each."""
    return tuple((each.epoch, each.root_epoch) for each in epochs.shut(vault_id, RESTORE))


def left_within(within: Act, ids: Collection[UUID]) -> tuple[Memory, ...]:
    """Those of these memories that there are."""
    return store.memories(within.vault_id, ids)


def turn_down_within(within: Act, candidates: Collection[UUID], now: datetime) -> int:
    """Suggestions whose words were destroyed do not wait any more. Returns how many waited."""
    waiting = proposed.proposals(within.vault_id, status=ProposalStatus.PENDING, limit=MOST_WAITING)
    late = [each for each in waiting if each.memory_id in candidates]
    if late:
        end_within(within, late, ProposalStatus.WITHDRAWN, now)
    return len(late)


def blank_within(within: Act, proposals: Collection[UUID], entities: Collection[UUID], now: datetime) -> Counter[str]:
    """Suggestions and names that had no words any more have none again. A suggestion that waits is taken back first.
    Returns how many rows went from which place.
    """
    late = proposed.proposals(within.vault_id, status=ProposalStatus.PENDING, ids=proposals, limit=len(proposals))
    if late:
        end_within(within, late, ProposalStatus.WITHDRAWN, now)
    within.settle()
    blanked = ageing.blank_words(within, proposals) if proposals else 0
    return Counter(proposals=blanked, names=linked.unname(within, entities, now) if entities else 0)
