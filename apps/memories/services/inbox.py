"""What waits for the holder: proposals as their seat sees them, what each says beside what is kept, and what two
sources contradict.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from apps.ledger.log import reading
from apps.memories import proposed, store, versions
from apps.memories.services.showing import MOST_SHOWN, Shown, hand_to_holder
from apps.memories.services.sight import unseen_within
from apps.policy.plans import candidate_plan, joined, past_plan, show_plan
from apps.policy.proposals import Proposal, without_marks_on
from apps.policy.roles import Deed, needs, opens_attested, sees
from apps.policy.staging import moved
from apps.policy.types import Holder, Memory
from apps.policy.vocabulary import MarkKind, ProposalStatus


@needs(Deed.FOLLOW)
def proposals(
    holder: Holder, status: ProposalStatus | None = ProposalStatus.PENDING, *, limit: int = 200
) -> tuple[Proposal, ...]:
    """The holder's inbox: labels, rationale and marks, no values."""
    with reading(holder.vault_id, holder.actor):
        unseen = unseen_within(holder)
        found = proposed.proposals(holder.vault_id, status=status, without=unseen, limit=limit)
    return tuple(_as_seen(each, unseen) for each in found)


@needs(Deed.FOLLOW)
def proposal(holder: Holder, proposal_id: UUID) -> Proposal | None:
    """One proposal, in any state."""
    with reading(holder.vault_id, holder.actor):
        return here(holder, proposal_id)


@needs(Deed.FOLLOW)
def here(holder: Holder, proposal_id: UUID) -> Proposal | None:
    """`proposal`, within a look or an act: unless it is about what this seat does not see."""
    found = proposed.proposal(holder.vault_id, proposal_id)
    unseen = unseen_within(holder) if found is not None else frozenset()
    return _as_seen(found, unseen) if found is not None and not found.touched & unseen else None


@needs(Deed.FOLLOW)
def seen_among(holder: Holder, ids: Iterable[UUID]) -> dict[UUID, Proposal]:
    """Those of these proposals that are there for this seat, within a look or an act."""
    wanted = list(ids)
    unseen = unseen_within(holder)
    found = proposed.proposals(holder.vault_id, ids=wanted, without=unseen, limit=len(wanted))
    return {each.proposal_id: _as_seen(each, unseen) for each in found}


def _as_seen(found: Proposal, unseen: Collection[UUID]) -> Proposal:
    if not unseen:
        return found
    lineage = tuple(each for each in found.lineage if each not in unseen)
    return replace(found, marks=without_marks_on(found.marks, unseen), lineage=lineage)


@needs(Deed.FOLLOW)
def count_pending(holder: Holder) -> int:
    """How many proposals wait."""
    with reading(holder.vault_id, holder.actor):
        return proposed.count_pending(holder.vault_id, unseen_within(holder))


@needs(Deed.FOLLOW)
def reopened(holder: Holder) -> tuple[Memory, ...]:
    """What two sources contradict alike, and the holder has not settled."""
    with reading(holder.vault_id, holder.actor):
        return tuple(each for each in store.reopened(holder.vault_id) if sees(holder, each))


@dataclass(frozen=True, slots=True)
class Side:
    """What is kept, beside a proposal: a memory, in the version that it is about. `why`: `target`, or a mark's word."""

    memory: Memory
    version: int
    why: str


@dataclass(frozen=True, slots=True)
class Beside:
    """A proposal as it stands to the file: what it would change, and what else it meets. `stale`: what it would change
    is another one by now.
    """

    proposal: Proposal
    sides: tuple[Side, ...]
    stale: bool


@needs(Deed.FOLLOW)
def beside(holder: Holder, chosen: Sequence[Proposal]) -> tuple[Beside, ...]:
    """These proposals beside what is kept. No values."""
    wanted = {each.target_id for each in chosen} | {mark.memory_id for each in chosen for mark in each.marks}
    with reading(holder.vault_id, holder.actor):
        found = store.memories(holder.vault_id, [each for each in wanted if each is not None])
    known = {each.memory_id: each for each in found if sees(holder, each)}
    return tuple(_beside(each, known) for each in chosen)


def _beside(proposal: Proposal, known: dict[UUID, Memory]) -> Beside:
    target = known.get(proposal.target_id) if proposal.target_id is not None else None
    sides = [Side(target, target.version, "target")] if target is not None else []
    for mark in proposal.marks:
        kept = known.get(mark.memory_id) if mark.memory_id is not None else None
        if kept is not None:
            version = mark.version if mark.kind is MarkKind.ECHO else kept.version
            sides.append(Side(kept, version, mark.how or mark.kind.value))
    once = {(each.memory.memory_id, each.version): each for each in reversed(sides)}
    return Beside(proposal, tuple(reversed(list(once.values()))), moved(proposal, target))


@needs(Deed.DECIDE)
def show_candidates(holder: Holder, chosen: tuple[Proposal, ...]) -> Shown:
    """What pending proposals say, to the holder, stamped as `value.shown`. Values are keyed by `memory_id`."""
    plan = candidate_plan([each for each in chosen if each.says])
    return hand_to_holder(holder, plan) if plan.items else Shown((), 0, 0)


@needs(Deed.DECIDE)
def show_beside(holder: Holder, chosen: Sequence[Beside]) -> Shown:
    """What these proposals say and what is kept beside them, all in one stamp. At most 50 values, in their order."""
    sides = {(side.memory.memory_id, side.version): side for each in chosen for side in each.sides}
    with reading(holder.vault_id, holder.actor):
        lines = versions.at(holder.vault_id, list(sides))
    kept = [side.memory for side in sides.values() if side.version == side.memory.version]
    past = [
        (side.memory, lines[at]) for at, side in sides.items() if side.version != side.memory.version and at in lines
    ]
    attested_too = opens_attested(holder)
    plan = joined(
        candidate_plan([each.proposal for each in chosen if each.proposal.says]),
        show_plan(kept, attested_too=attested_too),
        past_plan(past, attested_too=attested_too),
        most=MOST_SHOWN * 4,
    )
    return hand_to_holder(holder, plan) if plan.items else Shown((), 0, 0)


@needs(Deed.DECIDE)
def shown_text(holder: Holder, candidate: Proposal) -> str | None:
    """What one pending proposal says; None where it is gone."""
    shown = show_candidates(holder, (candidate,))
    return shown.values[0].value if shown.values else None
