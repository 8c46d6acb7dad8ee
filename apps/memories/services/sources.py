"""What a proposal comes from that is kept apart, or at home: by its lineage and by its print, so that no value is read.
Within an act or a look.
"""

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from apps.memories import linked, prints, store
from apps.memories.services.echoing import Within
from apps.policy.marking import Source, kept_close
from apps.policy.prints import Print
from apps.policy.proposals import Mark, Proposal
from apps.policy.types import Memory
from apps.policy.vocabulary import MarkKind

Told = Sequence[tuple[Proposal, Print | None]]  # proposals, each with the print of what it says


def marked_close(within: Within, told: Told) -> dict[UUID, tuple[Mark, ...]]:
    """By proposal, a mark for each memory kept apart or at home that it was made from, however far back, or of which
    some version says the same. What it corrects keeps what it is, and is none of them.
    """
    above = _above(within, told)
    like = prints.like(within.vault_id, {each.whole for _, said in told if said is not None for each in said.read})
    named = {each for ids in above.values() for each in ids}
    close = _close(within, named | {memory_id for each in like.values() for memory_id, _ in each})
    if not close:
        return {}
    found: dict[UUID, tuple[Mark, ...]] = {}
    for new, said in told:
        same = {at for each in (said.read if said is not None else ()) for at in like.get(each.whole, ())}
        how = dict.fromkeys(sorted({memory_id for memory_id, _ in same}), Source.SAYS_THE_SAME)
        how |= dict.fromkeys(sorted(above.get(new.proposal_id, ())), Source.MADE_FROM)
        found[new.proposal_id] = tuple(
            Mark(MarkKind.ALONE, memory_id, close[memory_id].version, why.value)
            for memory_id, why in how.items()
            if memory_id in close and memory_id not in (new.target_id, new.memory_id)
        )
    return found


def close_sources(within: Within, new: Proposal, unseen: Collection[UUID]) -> tuple[Memory, ...]:
    """Those of the memories that it was marked to come from which are kept apart or at home still, as far as seen."""
    named = [each for each in new.sources if each not in unseen]
    return tuple(_close(within, named).values()) if named else ()


def _close(within: Within, ids: Collection[UUID]) -> Mapping[UUID, Memory]:
    found = store.memories(within.vault_id, ids) if ids else ()
    return {each.memory_id: each for each in found if kept_close(each)}


def _above(within: Within, told: Told) -> dict[UUID, frozenset[UUID]]:
    """What each was made from, however far back."""
    named = {each for new, _ in told for each in new.lineage}
    above = linked.above_each(within.vault_id, named) if named else {}
    return {
        new.proposal_id: frozenset(one for each in new.lineage for one in above[each]) for new, _ in told if new.lineage
    }
