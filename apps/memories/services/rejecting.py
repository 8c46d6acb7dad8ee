"""The holder's no to a proposal. Said again it is the same answer; what is added to it is done, or refused."""

from datetime import datetime
from uuid import UUID

from apps.ledger.log import Act, act
from apps.memories.services.catching_up import catch_up
from apps.memories.services.ending import as_ended, end_within
from apps.memories.services.inbox import here
from apps.memories.services.reconsidering import lift_within
from apps.policy.proposals import Proposal
from apps.policy.roles import Deed, needs
from apps.policy.rules import judge_proposal
from apps.policy.staging import judge_decision
from apps.policy.text import MOST_RATIONALE, check_line
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import ProposalStatus, Refusal


@needs(Deed.DECIDE)
def reject(
    holder: Holder,
    proposal_id: UUID,
    now: datetime,
    *,
    reason: str = "",
    revision: int | None = None,
    again: bool = False,
) -> Proposal | Refused:
    """Say no: what it says is destroyed, and the same one again is refused until that is lifted; with `again` it is
    lifted in the same press, also after a no without it. Refused as stale where the proposal is no longer at
    `revision`, as already-decided for another `reason` than was given. Raises TextProblem.
    """
    said = check_line(reason, "reason", MOST_RATIONALE, empty=True)
    catch_up(holder.vault_id)
    with act(holder.vault_id, holder.actor) as rejecting:
        found = here(holder, proposal_id)
        refused = judge_proposal(found, holder) if found is None else judge_decision(found, revision, now)
        if found is not None and found.status is ProposalStatus.REJECTED:
            return _no_again(rejecting, found, said, now, again=again)
        if refused is not None or found is None:
            rejecting.cancel()
            return refused if refused is not None else Refused(Refusal.NOT_FOUND)
        end_within(rejecting, [found], ProposalStatus.REJECTED, now, said)
        done = as_ended(rejecting, found, ProposalStatus.REJECTED, now, said)
        return lift_within(rejecting, done, now) if again else done


def _no_again(within: Act, found: Proposal, said: str, now: datetime, *, again: bool) -> Proposal | Refused:
    """The answer to a no that was said already: what it adds is done, or refused, and never dropped."""
    other = said not in ("", found.reason)
    if again and not other and found.lifted_at is None:
        return lift_within(within, found, now)
    within.cancel()
    return Refused(Refusal.ALREADY_DECIDED) if other else found
