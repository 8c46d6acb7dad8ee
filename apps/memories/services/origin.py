"""Where a memory comes from: its history with the suggestions in it, and what it is linked to. Labels only."""

from dataclasses import dataclass
from uuid import UUID

from apps.ledger.log import reading
from apps.memories import linked, proposed, store, versions
from apps.memories.services.linking import Link, links_within
from apps.memories.services.sight import unseen_within
from apps.policy.links import Merge
from apps.policy.proposals import Proposal
from apps.policy.roles import Deed, needs, sees
from apps.policy.types import Holder, Memory, MemoryVersion


@dataclass(frozen=True, slots=True)
class Origin:
    """A memory, its versions (newest first), the suggestions they came from, its edges, and the merges that stand and
    touch it.
    """

    memory: Memory
    history: tuple[MemoryVersion, ...]
    proposals: dict[UUID, Proposal]
    links: tuple[Link, ...]
    merges: tuple[Merge, ...]


@needs(Deed.FOLLOW)
def origin(holder: Holder, memory_id: UUID) -> Origin | None:
    """Where a memory comes from, as far as this seat sees it; None for an unknown or erased one."""
    with reading(holder.vault_id, holder.actor):
        memory = store.memory(holder.vault_id, memory_id)
        if memory is None or not sees(holder, memory):
            return None
        history = versions.history(holder.vault_id, memory_id)
        named = {each.proposal_id for each in history if each.proposal_id is not None}
        unseen = unseen_within(holder)
        merges = [
            each
            for each in linked.merges(holder.vault_id, memory_id)
            if each.undone_at is None and not {each.kept_id, each.merged_id} & unseen
        ]
        return Origin(
            memory,
            history,
            {each.proposal_id: each for each in proposed.proposals(holder.vault_id, ids=named, limit=len(named))},
            links_within(holder, memory_id),
            tuple(merges),
        )
