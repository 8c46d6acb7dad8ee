"""What a memory was made from, as edges, within the act that approves it."""

from apps.ledger.log import Act
from apps.memories.services.approving import Approval, Outcome
from apps.memories.services.linking import draw_within
from apps.policy.links import EdgeKind
from apps.policy.text import TextProblem


def draw_lineage(within: Act, ready: Approval, done: Outcome) -> None:
    """A `derived_from` edge to each memory that the client made it from. One that is gone by now, or was itself made
    from this one, is left out.
    """
    if done.memory is None:
        return
    for each in ready.proposal.lineage:
        if each == done.memory.memory_id:
            continue
        try:
            draw_within(
                within,
                EdgeKind.DERIVED_FROM,
                done.memory.memory_id,
                each,
                ready.now,
                proposal_id=ready.proposal.proposal_id,
                unseen=ready.unseen,
                made=done.memory,
            )
        except TextProblem:
            continue
