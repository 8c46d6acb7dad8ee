"""What the table of problems cannot know of a suggestion: which one it is, what it would change, and what was asked of
it. The codes are the table's.
"""

from apps.api.kept import STILL_TAKEN, Told
from apps.api.problems import KINDS, REFETCH, Kind
from apps.policy.ids import typed
from apps.policy.proposals import Proposal
from apps.policy.vocabulary import Directive, ProposalStatus, Refusal

PROPOSALS = "/api/v1/proposals"
MOVED_ON = "Another suggestion that was approved has moved it since. Undo that one first."
NEVER_UNDONE = Kind(409, "Never undone", "What was erased is gone: nothing takes that back.", None)
WITH_IT = (
    "What this would change was erased, and the suggestion ended with it. Nothing is lost of what you sent: keep it as"
    " a memory of its own, with `POST /api/v1/memories`."
)
# What is merged, drawn or ended has no history of its own.
CHANGES_A_MEMORY = (Directive.ADD, Directive.CORRECT, Directive.REVERT, Directive.RESCOPE)
NOTHING_TO_LIFT: Told = {
    Refusal.NOT_FOUND: Kind(
        404,
        "Nothing to lift",
        "What was rejected, or approved in other words, is lifted, and nothing else. Fetch it to see how it stands.",
        "holder",
        next=REFETCH,
    )
}
NOTHING_TO_REBASE: Told = {
    Refusal.NOT_FOUND: Kind(
        404,
        "Nothing to rebase",
        "What changes a memory is rebased, and nothing else. Fetch it to see how it stands, and decide on it so.",
        "holder",
        next=REFETCH,
    )
}


def of_a_decision(proposal: Proposal | None) -> Told:
    """The noes to a yes or a no."""
    if proposal is None:
        return {}
    rebase = {"action": "rebase", "method": "POST", "href": f"{_at(proposal)}/rebase"}
    told = {
        Refusal.STALE: Kind(
            409,
            "It has changed meanwhile",
            "What it would change is another one by now. Rebase it, look at it again and approve it, or reject it.",
            "holder",
            next=rebase,
        )
    }
    if proposal.status is ProposalStatus.WITHDRAWN:
        return {Refusal.TARGET_GONE: Kind(409, KINDS[Refusal.TARGET_GONE.value].title, WITH_IT, "holder")}
    if proposal.says:
        return told
    gone = "One of what this is about is not there any more, and nobody can carry it out. Reject the suggestion."
    return {**told, Refusal.TARGET_GONE: Kind(409, KINDS[Refusal.TARGET_GONE.value].title, gone, "holder")}


def of_an_undo(proposal: Proposal | None) -> Told:
    """The noes to taking an approval back."""
    if proposal is None:
        return {}
    told = {
        Refusal.ALREADY_DECIDED: Kind(
            409,
            "Nothing to undo",
            "It is not approved, or its approval was undone before. Fetch it to see how it stands.",
            None,
            next={**REFETCH, "method": "GET", "href": _at(proposal)},
        ),
        **STILL_TAKEN,
    }
    if proposal.directive is Directive.ERASE:
        told[Refusal.UNDO_OVER] = NEVER_UNDONE
    if proposal.outcome_id is None or proposal.directive not in CHANGES_A_MEMORY:
        return told
    memory = f"/api/v1/memories/{typed('mem', proposal.outcome_id)}"
    moved = proposal.directive is Directive.RESCOPE
    on_top = f"{PROPOSALS}?status=approved" if moved else f"{memory}/history"
    return {
        **told,
        Refusal.STALE: Kind(
            409,
            "Changed again since",
            "It was changed again since it was approved. Take back the version you mean out of its history, or change"
            " it.",
            "holder",
            next={"action": "reaffirm", "method": "POST", "href": f"{memory}/reaffirm"},
        ),
        Refusal.UNDO_LATER_FIRST: Kind(
            409,
            KINDS[Refusal.UNDO_LATER_FIRST.value].title,
            MOVED_ON if moved else KINDS[Refusal.UNDO_LATER_FIRST.value].detail,
            "holder",
            next={"action": "look", "method": "GET", "href": on_top},
        ),
    }


def _at(proposal: Proposal) -> str:
    return f"{PROPOSALS}/{typed('prp', proposal.proposal_id)}"
