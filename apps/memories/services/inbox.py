"""What waits for the holder: proposals as their seat sees them, what each says beside what is kept, and what two
sources contradict.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from apps.ledger.log import reading
from apps.memories import linked, proposed, store, versions
from apps.memories.services.catching_up import catch_up
from apps.memories.services.linking import things_of
from apps.memories.services.past import predecessor
from apps.memories.services.showing import MOST_SHOWN, Shown, hand_to_holder
from apps.memories.services.sight import unseen_within
from apps.memories.services.telling import as_seen, as_they_wait, tell
from apps.policy.conflicts import ClashKind
from apps.policy.links import Edge
from apps.policy.plans import candidate_plan, joined, past_plan, show_plan
from apps.policy.proposals import Proposal
from apps.policy.rivals import MOST
from apps.policy.roles import Deed, needs, opens_attested, sees
from apps.policy.staging import gone, lost, moved, needs_attention
from apps.policy.types import Holder, Memory, MemoryVersion
from apps.policy.vocabulary import Directive, MarkKind, ProposalStatus

MOST_LISTED = 200  # proposals at once
TARGET = "target"  # why a side stands there: it is what would be changed


@needs(Deed.FOLLOW)
def proposals(
    holder: Holder,
    status: ProposalStatus | None = ProposalStatus.PENDING,
    *,
    limit: int = MOST_LISTED,
    after: UUID | None = None,
) -> tuple[Proposal, ...]:
    """The holder's inbox, newest first: labels, rationale and marks, no values. What is void was withdrawn, for the
    holder. `after` one of them: those behind it.
    """
    catch_up(holder.vault_id)
    with reading(holder.vault_id, holder.actor):
        unseen = unseen_within(holder)
        found = proposed.proposals(holder.vault_id, status=status, without=unseen, limit=limit, held=True, after=after)
        found = as_they_wait(holder.vault_id, found, unseen)
    return tuple(as_seen(each, unseen) for each in found)


@needs(Deed.FOLLOW)
def proposal(holder: Holder, proposal_id: UUID) -> Proposal | None:
    """One proposal, in any state."""
    catch_up(holder.vault_id)
    with reading(holder.vault_id, holder.actor):
        return here(holder, proposal_id)


@needs(Deed.FOLLOW)
def proposals_of(holder: Holder, ids: Collection[UUID]) -> dict[UUID, Proposal]:
    """Those of these proposals that are there for this seat, in any state."""
    if not ids:
        return {}
    catch_up(holder.vault_id)
    with reading(holder.vault_id, holder.actor):
        return seen_among(holder, ids)


@needs(Deed.FOLLOW)
def here(holder: Holder, proposal_id: UUID) -> Proposal | None:
    """`proposal`, within a look or an act: unless it is about what this seat does not see."""
    found = proposed.proposal(holder.vault_id, proposal_id)
    if found is None:
        return None
    unseen = unseen_within(holder)
    (found,) = as_they_wait(holder.vault_id, [found], unseen)
    return as_seen(found, unseen) if not found.tells_of(unseen) else None


@needs(Deed.FOLLOW)
def seen_among(holder: Holder, ids: Iterable[UUID]) -> dict[UUID, Proposal]:
    """Those of these proposals that are there for this seat, within a look or an act."""
    wanted = list(ids)
    unseen = unseen_within(holder)
    found = proposed.proposals(holder.vault_id, ids=wanted, without=unseen, limit=len(wanted))
    found = as_they_wait(holder.vault_id, found, unseen)
    return {each.proposal_id: as_seen(each, unseen) for each in found}


@needs(Deed.FOLLOW)
def count_pending(holder: Holder) -> int:
    """How many proposals wait."""
    with reading(holder.vault_id, holder.actor):
        return proposed.count_pending(holder.vault_id, unseen_within(holder))


@needs(Deed.FOLLOW)
def reopened(holder: Holder) -> tuple[Memory, ...]:
    """What two sources contradict alike, and the holder has not settled."""
    catch_up(holder.vault_id)
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
    is another one by now. `edge`: the edge that it is about; `names`: what its ends, and what it names, are called;
    `made_from`: what its client made it from, as far as this seat sees it, by labels that may be seen outside;
    `rivals`: what waits too and says otherwise, the first eight; `lost`: see the rule.
    """

    proposal: Proposal
    sides: tuple[Side, ...]
    stale: bool
    edge: Edge | None = None
    names: Mapping[UUID, str] = field(default_factory=dict)
    made_from: tuple[str, ...] = ()
    rivals: tuple[Proposal, ...] = ()
    lost: bool = False

    @property
    def gone(self) -> bool:
        """Is what it would change, join or make one not there any more?"""
        return self.lost or gone(self.proposal, self.target)

    @property
    def plain(self) -> bool:
        """May it be approved among many?"""
        return not self.stale and needs_attention(self.proposal, self.target) is None

    @property
    def target(self) -> Memory | None:
        """The memory that it would change."""
        return next((each.memory for each in self.sides if each.why == TARGET), None)

    @property
    def living(self) -> Memory | None:
        """The memory that lives under the subject that it would add to."""
        same = (each.memory for each in self.sides if each.why == ClashKind.SAME_SUBJECT.value)
        return next(same, None) if self.proposal.directive is Directive.ADD else None


@needs(Deed.FOLLOW)
def beside(holder: Holder, chosen: Sequence[Proposal]) -> tuple[Beside, ...]:
    """These proposals beside what is kept. No values. What was noticed about them is told by that."""
    tell(holder, chosen)
    told = {each for one in chosen for each in (one.target_id, one.candidate.other)}
    told |= {mark.memory_id for each in chosen for mark in each.marks}
    told |= {source for each in chosen for source in each.lineage}
    wanted = {each for each in told if each is not None}
    with reading(holder.vault_id, holder.actor):
        unseen = unseen_within(holder)
        edges = {each.edge_id: each for each in linked.edges_named(holder.vault_id, wanted)}
        ends = {end for each in edges.values() for end in (each.from_id, each.to_id)}
        things = things_of(holder.vault_id, (wanted | ends) - unseen)
        rivals = _rivals(holder, chosen, unseen)
        reverted = {each.target_id for each in chosen if each.directive is Directive.REVERT}
        before = {each: versions.history(holder.vault_id, each) for each in things if each in reverted}
    names = {each: one.label if isinstance(one, Memory) else one.name for each, one in things.items()}
    known = {each: one for each, one in things.items() if isinstance(one, Memory) and sees(holder, one)}
    found = []
    for each in chosen:
        at = each.target_id or each.memory_id
        sources = tuple(label for one in each.lineage if one in known and (label := known[one].outer_label))
        one = _beside(each, known, before.get(at, ()) if each.directive is Directive.REVERT else ())
        one = replace(one, edge=edges.get(at), names=names, lost=lost(each, edges.get(at), things))
        found.append(replace(one, made_from=sources, rivals=rivals[each.proposal_id]))
    return tuple(found)


def _rivals(holder: Holder, chosen: Sequence[Proposal], unseen: Collection[UUID]) -> dict[UUID, tuple[Proposal, ...]]:
    """By each of these that waits, what waits too and says otherwise."""
    named = {
        each.proposal_id: [mark.beside for mark in each.marks if mark.beside is not None][:MOST]
        for each in chosen
        if each.status is ProposalStatus.PENDING
    }
    ids = {one for ones in named.values() for one in ones}
    found = proposed.proposals(holder.vault_id, ids=ids, without=unseen, limit=len(ids)) if ids else ()
    there = {each.proposal_id: each for each in found}
    return {
        each.proposal_id: tuple(there[one] for one in named.get(each.proposal_id, ()) if one in there)
        for each in chosen
    }


def _beside(proposal: Proposal, known: dict[UUID, Memory], lines: Sequence[MemoryVersion]) -> Beside:
    target = known.get(proposal.target_id) if proposal.target_id is not None else None
    sides = [Side(target, target.version, TARGET)] if target is not None else []
    said = predecessor(lines, target.version) if target is not None and lines else None
    if target is not None and said is not None:
        sides.append(Side(target, said.version, "before"))
    other = known.get(proposal.candidate.other) if proposal.candidate.other is not None else None
    if other is not None:
        sides.append(Side(other, other.version, "other"))
    for mark in proposal.marks:
        kept = known.get(mark.memory_id) if mark.memory_id is not None else None
        if kept is not None:
            why = "echo" if mark.kind is MarkKind.ECHO else mark.how or "confirmed"
            sides.append(Side(kept, mark.version if mark.kind is MarkKind.ECHO else kept.version, why))
    once = {(each.memory.memory_id, each.version): each for each in reversed(sides)}
    return Beside(proposal, tuple(reversed(list(once.values()))), moved(proposal, target, other))


@needs(Deed.DECIDE)
def show_candidates(holder: Holder, chosen: tuple[Proposal, ...]) -> Shown:
    """What pending proposals say, to the holder, stamped as `value.shown`. Values are keyed by `memory_id`."""
    plan = candidate_plan([each for each in chosen if each.says])
    return hand_to_holder(holder, plan) if plan.items else Shown((), 0, 0)


@needs(Deed.DECIDE)
def show_beside(holder: Holder, chosen: Sequence[Beside]) -> Shown:
    """What these proposals say, what is kept beside them, and what waits and says otherwise, all in one stamp. At most
    200 values, in this order.
    """
    sides = {(side.memory.memory_id, side.version): side for each in chosen for side in each.sides}
    with reading(holder.vault_id, holder.actor):
        lines = versions.at(holder.vault_id, list(sides))
    kept = [side.memory for side in sides.values() if side.version == side.memory.version]
    past = [
        (side.memory, lines[at]) for at, side in sides.items() if side.version != side.memory.version and at in lines
    ]
    attested_too = opens_attested(holder)
    mine = {each.proposal.proposal_id for each in chosen}
    rivals = {one.proposal_id: one for each in chosen for one in each.rivals if one.proposal_id not in mine}
    plan = joined(
        candidate_plan([each.proposal for each in chosen if each.proposal.says]),
        show_plan(kept, attested_too=attested_too),
        past_plan(past, attested_too=attested_too),
        candidate_plan(list(rivals.values())),
        most=MOST_SHOWN * 4,
    )
    return hand_to_holder(holder, plan) if plan.items else Shown((), 0, 0)


@needs(Deed.DECIDE)
def shown_text(holder: Holder, candidate: Proposal) -> str | None:
    """What one pending proposal says; None where it is gone."""
    shown = show_candidates(holder, (candidate,))
    return shown.values[0].value if shown.values else None
