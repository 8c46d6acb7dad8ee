"""Proposals as whoever decides sees them, and that they saw them."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from uuid import UUID

from apps.memories import proposed, unnoticed
from apps.policy import rivals
from apps.policy.proposals import Proposal, without_marks_on
from apps.policy.roles import Deed, needs
from apps.policy.types import Holder
from apps.policy.vocabulary import ProposalStatus


@needs(Deed.FOLLOW)
def tell(holder: Holder, shown: Iterable[Proposal]) -> None:
    """Whoever decides is shown these proposals, with their marks: a yes finds nothing in them that nobody saw."""
    new = [each for each in shown if each.status is ProposalStatus.PENDING and each.untold]
    unnoticed.told(holder.vault_id, new)


def as_they_wait(vault_id: UUID, found: Sequence[Proposal], unseen: Collection[UUID]) -> tuple[Proposal, ...]:
    """These proposals without the marks on what waited beside them, and does no more, or is not there for whom these
    memories are not; and with how many more wait beside them than their marks name. Within a look or an act.
    """
    beside = {mark.beside for each in found for mark in each.marks if mark.beside is not None}
    if not beside:
        return tuple(found)
    over = beside - proposed.waiting_of(vault_id, beside, without=unseen)
    many = {each.proposal_id for each in found if each.status is ProposalStatus.PENDING and rivals.many(each)}
    waiting = unnoticed.beside(vault_id, many) if many else ()
    others = [each for each in waiting if not each[0].tells_of(unseen)]
    told = []
    for each in found:
        marks = tuple(mark for mark in each.marks if mark.beside not in over)
        full = each.proposal_id in many
        told.append(rivals.counted(each, marks, others) if full else replace(each, marks=marks))
    return tuple(told)


def as_seen(found: Proposal, unseen: Collection[UUID]) -> Proposal:
    """The proposal as it is for the holder, to whom one that is void has been withdrawn, or for somebody for whom these
    memories are not there.
    """
    if found.void and found.status is ProposalStatus.PENDING:
        found = replace(found, status=ProposalStatus.WITHDRAWN, decided_at=found.made_at)
    if not unseen:
        return found
    lineage = tuple(each for each in found.lineage if each not in unseen)
    return replace(found, marks=without_marks_on(found.marks, unseen), lineage=lineage)
