"""Proposals that wait and say different things about the same: each is marked with the other. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from apps.policy.conflicts import ClashKind, clash
from apps.policy.prints import Print
from apps.policy.proposals import Mark, Proposal
from apps.policy.vocabulary import MarkKind

MOST = 8  # so many others the marks of one name; how many more wait is counted

Said = tuple[Proposal, Print]  # a proposal, and the print of what it says


def otherwise(one: Said, another: Said) -> bool:
    """Are the two of one subject, or of one memory, and say different things; or nearly the same, but for a fact?"""
    (new, said), (other, says) = one, another
    if other.proposal_id == new.proposal_id or new.void or other.void:
        return False
    both = new.target_id is not None and other.target_id is not None
    same = new.target_id == other.target_id if both else new.subject == other.subject
    return clash(said, says, same_subject=same) is not None


def marked_with(other: Proposal) -> Mark:
    """The mark of one that the other contradicts."""
    about = other.target_id or other.memory_id
    return Mark(MarkKind.CONFLICT, about, other.target_version or 0, ClashKind.SUGGESTED.value, other.proposal_id)


def many(proposal: Proposal) -> bool:
    """Do its marks name as many others as they may? There may be more then."""
    return sum(mark.beside is not None for mark in proposal.marks) >= MOST


def counted(proposal: Proposal, marks: Sequence[Mark], waiting: Sequence[Said]) -> Proposal:
    """A proposal of `many`, with its `marks` on what waits still. They are made up to the most with others of those
    that wait, and how many more there are is counted. Who was shown that others say otherwise was shown it of these.
    """
    mine = next((each for each in waiting if each[0].proposal_id == proposal.proposal_id), None)
    named = {mark.beside for mark in marks if mark.beside is not None}
    against = [each[0] for each in waiting if mine is not None and otherwise(mine, each)]
    others = [marked_with(each) for each in against if each.proposal_id not in named]
    room = max(MOST - len(named), 0)
    told = all(mark.told for mark in proposal.marks if mark.beside is not None)
    more = (replace(mark, told=told) for mark in others[:room])
    return replace(proposal, marks=(*marks, *more), more_rivals=len(others[room:]))
