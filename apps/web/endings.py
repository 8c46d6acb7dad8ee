"""How a suggestion ended, in words. One status stands for all that ended without a yes or a no; who ended it tells them
apart.
"""

from apps.policy.proposals import Proposal
from apps.policy.types import Refused
from apps.policy.vocabulary import ProposalStatus, Refusal
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
