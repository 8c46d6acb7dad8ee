"""Comparing what clients proposed with what is kept: after their act, so that their answer takes as long whatever is
kept; and before anybody is shown it, or decides on it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from apps.ledger.log import act, reading
from apps.ledger.services import OnHold
from apps.memories import gate, prints, proposed, store, unnoticed
from apps.memories.services.keeping import about
from apps.memories.services.labelling import marked_labels, may_bring_back, with_label
from apps.memories.services.noticing import Meets, notice
from apps.memories.unnoticed import NoMore, Unnoticed
from apps.policy import rivals
from apps.policy.conflicts import ClashKind
from apps.policy.people import CLOCK
from apps.policy.proposals import Mark, Proposal
from apps.policy.vocabulary import MarkKind, ReceiptKind

NEAR = 8  # so many memories that share words with a text are compared with it

Marks = Mapping[UUID, tuple[Mark, ...]]


def catch_up(vault_id: UUID) -> int:
    """Compare what was not compared yet, outside every look and act. Twice at once does no harm. Returns how many
    proposals were.

    Nothing waits for it: what it finds it writes down a row at a time, and opens what two sources contradict in an act
    of its own. While nothing can be stamped nothing is opened, and what would open it is compared again.
    """
    done = 0
    while True:
        found, waiting, no_more = unnoticed.waiting(vault_id)
        if not found:
            break
        beside = _beside(found, waiting)
        marks, revived = _compared(vault_id, found, beside, no_more)
        opening = _against_what_is_kept(vault_id, found, marks)
        opened = _open(vault_id, opening) if opening else True
        for proposal_id, told in _as_told(found, marks).items():
            unnoticed.noted(vault_id, proposal_id, told, about=revived.get(proposal_id), again=not opened)
        unnoticed.added(vault_id, {each: told for each, told in beside.items() if each not in marks})
        done += len(found)
        if not opened or len(found) < unnoticed.MOST:
            break
    return done


def _as_told(found: Sequence[Unnoticed], marks: Marks) -> Marks:
    """The marks, of which those were told that a proposal had already when they were."""
    known = {each.proposal.proposal_id: {one for one in each.proposal.marks if one.told} for each in found}
    return {
        proposal_id: tuple(replace(each, told=each in known[proposal_id]) for each in mine)
        for proposal_id, mine in marks.items()
    }


def _beside(found: Sequence[Unnoticed], waiting: Sequence[rivals.Said]) -> dict[UUID, tuple[Mark, ...]]:
    """Which of these, and of what waits, say otherwise about the same: a mark on either, by proposal; each names what
    the other is about, and so is not there for whom that is not there.
    """
    told: dict[UUID, dict[UUID, Mark]] = {}
    for each in found:
        new, said = each.proposal, each.said
        for other, says in waiting:
            if said is None or len(told.get(new.proposal_id, ())) == rivals.MOST:
                break
            if rivals.otherwise((new, said), (other, says)):
                told.setdefault(new.proposal_id, {})[other.proposal_id] = rivals.marked_with(other)
                theirs = told.setdefault(other.proposal_id, {})
                if len(theirs) < rivals.MOST:
                    theirs[new.proposal_id] = rivals.marked_with(new)
    anew = {each.proposal.proposal_id for each in found}
    known = {each.proposal_id: each.marks for each, _ in waiting if each.proposal_id not in anew}
    marks = {each: dict.fromkeys(mine.values()) for each, mine in told.items()}
    return {each: tuple(one for one in mine if one not in known.get(each, ())) for each, mine in marks.items()}


def _compared(
    vault_id: UUID, found: Sequence[Unnoticed], beside: Marks, no_more: NoMore
) -> tuple[Marks, Mapping[UUID, int]]:
    """What is noticed about each, by proposal; and of those that were void and are no more, the version of their target
    that they are about from now on.
    """
    near = {each.proposal.proposal_id: _near(vault_id, each.traits.words) for each in found}
    alone = all(each.alone and not each.proposal.lineage for each in found) and not any(near.values())
    proposals = [each.proposal for each in found]
    labels_say = may_bring_back(proposals, no_more)
    if alone and not labels_say:
        return {
            each.proposal.proposal_id: (*each.proposal.of_itself, *beside.get(each.proposal.proposal_id, ()))
            for each in found
        }, {}
    marks, revived = {}, {}
    with reading(vault_id, CLOCK):
        there = _There(vault_id)
        named = [each.proposal.target_id for each in found if each.proposal.target_id is not None]
        targets = {each.memory_id: each for each in store.memories(vault_id, named)} if named else {}
        says = unnoticed.near(vault_id, {memory_id for each in near.values() for memory_id in each})
        labels = marked_labels(there, proposals, labels_say, targets)
        for each in found:
            new = each.proposal
            by = [(one, *says[one]) for one in near[new.proposal_id] if one in says]
            target = targets.get(new.target_id) if new.target_id is not None else None
            meets = Meets(each.used, each.met, by, beside.get(new.proposal_id, ()))
            told = notice(there, new, target, each.said, meets, each.traits.bare)
            marks[new.proposal_id] = told = with_label(told, labels.get(new.proposal_id))
            if new.void and target is not None and not replace(new, marks=told).void:
                revived[new.proposal_id] = target.version
    return marks, revived


@dataclass(frozen=True, slots=True)
class _There:
    """A look at one vault."""

    vault_id: UUID


def _near(vault_id: UUID, words: Sequence[int]) -> tuple[UUID, ...]:
    """The memories that share these words, the nearest first: what a text may contradict."""
    return gate.alike(vault_id, CLOCK, words, NEAR) if words else ()


# ---------------------------------------------------------------- opening what is settled
@dataclass(frozen=True, slots=True)
class _Opening:
    """What is to be looked at again: since when two sources contradict it, and since when the second one does."""

    memory_id: UUID
    told: datetime
    at: datetime


def _against_what_is_kept(vault_id: UUID, found: Sequence[Unnoticed], marks: Marks) -> dict[UUID, _Opening]:
    """What a second source contradicts alike. One source, however often and in whatever words it says so, opens
    nothing.
    """
    mine = [(each.proposal, each.said) for each in found if each.met and each.said is not None]
    if not mine:
        return {}
    with reading(vault_id, CLOCK):
        alike = prints.like(vault_id, {each.whole for _, said in mine for each in said.read})
        said_by = {memory_id: whole for whole, each in alike.items() for memory_id, _ in each}
        others = proposed.pending_as(vault_id, list(said_by))
    opening: dict[UUID, _Opening] = {}
    for new, said in mine:
        for other in others:
            if other.client_id != new.client_id and said_by[other.memory_id] in {each.whole for each in said.read}:
                for each in _both_against(new, other, marks):
                    was = opening.get(each.memory_id)
                    opening[each.memory_id] = each if was is None or was.told < each.told else was
    return opening


def _both_against(new: Proposal, other: Proposal, marks: Marks) -> Iterator[_Opening]:
    told, since = marks[new.proposal_id], min(new.made_at, other.made_at)
    kept = {each.memory_id for each in told if each.kind is MarkKind.CONFIRMED}
    against = {each.memory_id for each in told if _contradicts(each)} | {new.target_id}
    said = (each for each in marks.get(other.proposal_id, other.marks) if each.how != ClashKind.SUGGESTED.value)
    theirs = {each.memory_id for each in said} | {other.target_id}
    for memory_id in (against & theirs) - kept:
        if memory_id is not None:
            yield _Opening(memory_id, since, max(new.made_at, other.made_at))


def _contradicts(mark: Mark) -> bool:
    apart = (ClashKind.DECLARED.value, ClashKind.SUGGESTED.value)
    return mark.kind in (MarkKind.CONFLICT, MarkKind.ECHO) and mark.how not in apart


def _open(vault_id: UUID, opening: Mapping[UUID, _Opening]) -> bool:
    """Open these for the holder to look at again, but for what they settled since. False while nothing is stamped."""
    try:
        with act(vault_id, CLOCK) as doing:
            for memory in store.memories(vault_id, list(opening)):
                each = opening[memory.memory_id]
                if store.set_reopened(doing, memory.memory_id, each.at, told=each.told):
                    doing.record(ReceiptKind.MEMORY_REOPENED, **about(memory))
            if not doing.lines:
                doing.cancel()
    except OnHold:
        return False
    return True
