"""Taking back what was approved, for seven days: one, or all of one go.

What the history says stays true: an added memory is put away, with the line that says who proposed it; a correction is
reverted, as a new version that says what it restores. An erasure cannot be undone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from uuid import UUID

from apps.ledger.log import Act, act, reading
from apps.memories import linked, proposed, store, versions
from apps.memories.services.arriving import cancel_within
from apps.memories.services.bulk import Batch, Done, Item
from apps.memories.services.inbox import seen_among
from apps.memories.services.keeping import about, rescope_within
from apps.memories.services.linking import draw_within, end_within
from apps.memories.services.merging import part_within
from apps.memories.services.past import made_by
from apps.memories.services.restoring import restore_within
from apps.memories.services.showing import hand_to_holder
from apps.memories.services.sight import unseen_within
from apps.memories.versions import Line, in_order
from apps.policy.ids import typed
from apps.policy.plans import joined, past_plan
from apps.policy.proposals import Proposal
from apps.policy.roles import Deed, needs, opens_attested
from apps.policy.staging import MOST_AT_ONCE, judge_undo
from apps.policy.types import Holder, Memory, MemoryVersion, Refused
from apps.policy.vocabulary import Directive, Ended, ProposalStatus, ReceiptKind, Refusal, State


@dataclass(frozen=True, slots=True)
class _Before:
    """What a memory said before a proposal changed it."""

    line: MemoryVersion
    text: str


@needs(Deed.DECIDE)
def undo(holder: Holder, proposal_id: UUID, now: datetime) -> Item | Refused:
    """Take back one approval. Refused as undo-over after seven days, as undo-later-first where another was
    approved on top of it, as stale where the holder changed it again since.
    """
    batch = _undo(holder, [proposal_id], proposal_id, now)
    (item,) = batch.items
    return item if item.done is Done.APPLIED else Refused(Refusal(item.why))


@needs(Deed.DECIDE)
def undo_batch(holder: Holder, batch_id: UUID, now: datetime) -> Batch | Refused:
    """Take back all that was approved in one go; what was changed again since stays, and is said."""
    with reading(holder.vault_id, holder.actor):
        ids = [each.proposal_id for each in proposed.batch(holder.vault_id, batch_id)]
        there = list(seen_among(holder, ids))
    return _undo(holder, there, batch_id, now) if there else Refused(Refusal.NOT_FOUND)


def _undo(holder: Holder, ids: Sequence[UUID], batch_id: UUID, now: datetime) -> Batch:
    with reading(holder.vault_id, holder.actor):
        found = seen_among(holder, ids)
        before = _befores(holder.vault_id, list(found.values()))
    texts = _texts(holder, before)
    items = {}
    with act(holder.vault_id, holder.actor) as undoing:
        found = seen_among(holder, ids)
        for each in sorted(ids, key=lambda one: _decided(found.get(one)), reverse=True):
            items[each] = _undo_within(undoing, holder, found.get(each), each, texts.get(each), now)
        proposed.undone(undoing, [each for each, item in items.items() if item.done is Done.APPLIED], now)
        if not undoing.lines:
            undoing.cancel()
    return Batch(batch_id, tuple(items[each] for each in ids))


def _befores(vault_id: UUID, chosen: Sequence[Proposal]) -> dict[UUID, tuple[Memory, MemoryVersion]]:
    """Of each that changed what a memory says: the memory, and the version that held before."""
    changed = {each.proposal_id: each.outcome_id for each in chosen if _changed_text(each) and each.outcome_id}
    mine = {each.memory_id: each for each in store.memories(vault_id, changed.values())} if changed else {}
    lines = versions.of(vault_id, mine) if mine else ()
    found = {}
    for proposal_id, memory_id in changed.items():
        told = [each for each in lines if each.memory_id == memory_id]
        before = _line_before(told, proposal_id)
        if before is not None:
            found[proposal_id] = (mine[memory_id], before)
    return found


def _decided(proposal: Proposal | None) -> tuple[datetime, datetime]:
    """In which order approvals came: of several that stand one on the other, the last is undone first."""
    none = datetime.min.replace(tzinfo=UTC)
    return (proposal.decided_at or none, proposal.made_at) if proposal is not None else (none, none)


def _changed_text(proposal: Proposal) -> bool:
    added = proposal.directive is Directive.ADD and proposal.outcome_id == proposal.memory_id
    return proposal.directive in (Directive.ADD, Directive.CORRECT, Directive.REVERT) and not added


def _line_before(lines: Sequence[MemoryVersion], proposal_id: UUID) -> MemoryVersion | None:
    """The version that this proposal's took over from; None where it made none."""
    held = in_order(lines)
    made = [index for index, each in enumerate(held) if each.proposal_id == proposal_id]
    return held[made[-1] - 1] if made and made[-1] > 0 else None


def _texts(holder: Holder, before: dict[UUID, tuple[Memory, MemoryVersion]]) -> dict[UUID, _Before]:
    """What was said before, by proposal; looked at in one stamp."""
    if not before:
        return {}
    plan = past_plan(list(before.values()), attested_too=opens_attested(holder))
    shown = hand_to_holder(holder, joined(plan, most=MOST_AT_ONCE))
    values = {(each.memory_id, each.version): each.value for each in shown.values}
    found = {each: (line, values.get((line.memory_id, line.version))) for each, (_, line) in before.items()}
    return {each: _Before(line, value) for each, (line, value) in found.items() if value is not None}


def _undo_within(
    within: Act, holder: Holder, found: Proposal | None, proposal_id: UUID, before: _Before | None, now: datetime
) -> Item:
    refused = Refused(Refusal.NOT_FOUND) if found is None else judge_undo(found, now)
    if refused is None and found is not None:
        deed = _put_back if _changed_text(found) else _DEEDS[found.directive]
        refused = deed(within, _Undo(found, holder, before, now))
    if refused is not None:
        over = refused.reason in (Refusal.ALREADY_DECIDED, Refusal.NOT_FOUND)
        return Item(proposal_id, Done.SKIPPED if over else Done.NEEDS_ATTENTION, refused.reason.value)
    within.record(ReceiptKind.PROPOSAL_UNDONE, object=typed("prp", proposal_id))
    return Item(proposal_id, Done.APPLIED)


@dataclass(frozen=True, slots=True)
class _Undo:
    proposal: Proposal
    holder: Holder
    before: _Before | None
    now: datetime

    @property
    def became(self) -> UUID:
        return self.proposal.outcome_id or self.proposal.memory_id


def _put_away(within: Act, undo: _Undo) -> Refused | None:
    memory = store.memory(within.vault_id, undo.became)
    if memory is None or memory.state is not State.APPROVED:
        return Refused(Refusal.STALE)
    refused = _in_the_way(within, undo, memory)
    if refused is not None:
        return refused
    gone = replace(memory, state=State.WITHDRAWN, updated_at=undo.now)
    store.set_state(within, memory.memory_id, State.WITHDRAWN, undo.now)
    store.index(within, store.vault_key_for_writing(within, undo.now), gone, None)
    within.record(ReceiptKind.MEMORY_WITHDRAWN, **about(gone))
    return None


def _put_back(within: Act, undo: _Undo) -> Refused | None:
    memory = store.memory(within.vault_id, undo.became)
    if memory is None:
        return Refused(Refusal.STALE)
    lines = versions.history(within.vault_id, memory.memory_id)
    mine = [each for each in lines if each.proposal_id == undo.proposal.proposal_id]
    joined = [each for each in mine if each.ended_as in (Ended.WAITING, Ended.LATE)]
    if joined:  # the history alone
        cancel_within(within, memory, joined, undo.now)
        return None
    refused = _in_the_way(within, undo, memory)
    if refused is not None or undo.before is None:
        return refused if refused is not None else Refused(Refusal.STALE)
    line = undo.before.line
    restore_within(within, memory, line, undo.before.text, undo.now, ReceiptKind.MEMORY_REVERTED, Line())
    return None


def _in_the_way(within: Act, undo: _Undo, memory: Memory) -> Refused | None:
    """Does the memory not say any more what the approval made of it? Another approval has to be undone first, where it
    is one that stands in the way; what the holder said themself since is theirs to take back.
    """
    within.settle()
    lines = versions.history(within.vault_id, memory.memory_id)
    if made_by(lines, memory.version, undo.proposal.proposal_id) is not None:
        return None
    current = next(each for each in lines if each.version == memory.version)
    made = any(each.held and each.proposal_id == undo.proposal.proposal_id for each in lines)
    return Refused(Refusal.UNDO_LATER_FIRST if made and current.proposal_id is not None else Refusal.STALE)


def _move_back(within: Act, undo: _Undo) -> Refused | None:
    memory = store.memory(within.vault_id, undo.became)
    was = undo.proposal.candidate.was
    if memory is None or not was:
        return Refused(Refusal.STALE)
    if memory.subject != undo.proposal.moved_to:
        return Refused(Refusal.UNDO_LATER_FIRST if _moved_on(within, undo, memory) else Refusal.STALE)
    done = rescope_within(within, memory, was, undo.now, on_purpose=True)
    return done if isinstance(done, Refused) else None


def _moved_on(within: Act, undo: _Undo, memory: Memory) -> bool:
    """Does it stand where another approval moved it since?"""
    ids = proposed.proposed_as(within.vault_id, [memory.memory_id])
    others = proposed.proposals(within.vault_id, ids=ids, status=ProposalStatus.APPROVED, limit=len(ids))
    moves = [each for each in others if each.directive is Directive.RESCOPE and each.undone_at is None]
    later = [each for each in moves if _decided(each) > _decided(undo.proposal)]
    return any(each.moved_to == memory.subject for each in later)


def _part(within: Act, undo: _Undo) -> Refused | None:
    done = part_within(within, undo.became, undo.now, unseen=unseen_within(undo.holder))
    return done if isinstance(done, Refused) else None


def _draw_again(within: Act, undo: _Undo) -> Refused | None:
    """The edge that was ended stands again, until when it said before; one that this approval drew in its place not."""
    unseen = unseen_within(undo.holder)
    old = linked.edge(within.vault_id, undo.proposal.target_id or undo.became)
    if old is None:
        return Refused(Refusal.NOT_FOUND)
    new = linked.edge(within.vault_id, undo.became)
    if new is not None and new.proposal_id == undo.proposal.proposal_id:
        ended = end_within(within, undo.became, undo.now, zone=undo.holder.time_zone, unseen=unseen)
        if isinstance(ended, Refused):
            return ended
    given = undo.proposal.candidate
    retracted = undo.proposal.directive is Directive.RETRACT_EDGE and given.valid_to
    drawn = draw_within(
        within,
        old.kind,
        old.from_id,
        old.to_id,
        undo.now,
        valid_from=old.valid_from,
        valid_to=given.was if retracted else old.valid_to,
        zone=undo.holder.time_zone,
        unseen=unseen,
    )
    return drawn if isinstance(drawn, Refused) else None


_DEEDS: dict[Directive, Callable[[Act, _Undo], Refused | None]] = {
    Directive.ADD: _put_away,
    Directive.RESCOPE: _move_back,
    Directive.MERGE: _part,
    Directive.RETRACT_EDGE: _draw_again,
    Directive.SUPERSEDE_EDGE: _draw_again,
}
