"""How a suggestion ended, and what a yes to it did, in words. One status stands for all that ended without a yes or a
no; who ended it tells them apart.
"""

from apps.memories import services as memories
from apps.policy.proposals import Proposal
from apps.policy.types import Holder, Memory, Refused
from apps.policy.vocabulary import Ended, ProposalStatus, Refusal
from apps.web.words import PROPOSALS, REFUSALS


def ended(proposal: Proposal) -> str:
    """What became of it, in a few words."""
    if proposal.status is not ProposalStatus.WITHDRAWN or proposal.decided_by == proposal.source:
        return PROPOSALS[proposal.status]
    if proposal.decided_by.startswith("sys_"):
        return "ended once more, after a backup was restored"
    if proposal.decided_by:
        return "ended, because its assistant was stopped"
    return "ended, because what it was about was erased"


def why_not(no: Refused, proposal: Proposal) -> str:
    """Why nothing was done about it, as the answer to the holder's own deed."""
    if no.reason is Refusal.ALREADY_DECIDED and proposal.status is ProposalStatus.WITHDRAWN:
        if proposal.decided_by == proposal.source:
            return "Its assistant took this back before, so nothing has changed."
        return f"This was {ended(proposal)}. Nothing has changed."
    return REFUSALS[no.reason].sentence


# Where a correction joined the history alone.
JOINED = {
    Ended.WAITING: "Kept for its day. What is kept now stays until then.",
    Ended.LATE: "Added to its history. What is kept now stays.",
}


def kept(holder: Holder, found: Proposal, done: object, label: str) -> str:
    """What a yes did: something is kept, or has joined the history of what stays as it is."""
    memory = done.memory if isinstance(done, memories.Approved) else done if isinstance(done, Memory) else None
    if memory is None:
        return f"Kept: {label}."
    lines = memories.history(holder, memory.memory_id)
    mine = (each.ended_as for each in lines if each.proposal_id == found.proposal_id)
    joined = (JOINED[each] for each in mine if each in JOINED)
    return next(joined, f"Kept: {memory.label}.")
