"""How a proposal ends without becoming anything: taken back, rejected, or undecided for thirty days. What it says is
destroyed.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from apps.ledger.log import Act, act
from apps.memories import proposed, store
from apps.policy.ids import typed
from apps.policy.people import CLOCK
from apps.policy.proposals import Proposal
from apps.policy.types import Caller, Refused
from apps.policy.vocabulary import ProposalStatus, ReceiptKind, Refusal


def withdraw(caller: Caller, proposal_id: UUID, now: datetime) -> Proposal | Refused:
    """A client takes back what it proposed: its candidate is destroyed. Again, it is answered the same. Refused as
    already-decided for one that was.
    """
    with act(caller.vault_id, caller.actor) as withdrawing:
        found = proposed.proposal(caller.vault_id, proposal_id)
        if found is None or found.client_id != caller.client.client_id:
            withdrawing.cancel()
            return Refused(Refusal.NOT_FOUND)
        if found.status is not ProposalStatus.PENDING:
            withdrawing.cancel()
            return found if found.status is ProposalStatus.WITHDRAWN else Refused(Refusal.ALREADY_DECIDED)
        end_within(withdrawing, [found], ProposalStatus.WITHDRAWN, now)
        return as_ended(withdrawing, found, ProposalStatus.WITHDRAWN, now)


_ENDS = {
    ProposalStatus.REJECTED: ReceiptKind.PROPOSAL_REJECTED,
    ProposalStatus.WITHDRAWN: ReceiptKind.PROPOSAL_WITHDRAWN,
    ProposalStatus.EXPIRED: ReceiptKind.PROPOSAL_EXPIRED,
}


def end_within(
    within: Act, ending: Sequence[Proposal], status: ProposalStatus, now: datetime, reason: str = ""
) -> None:
    """They end without having become anything: what they say is destroyed. Their receipts included."""
    proposed.ended(within, [each.proposal_id for each in ending], status, now, reason)
    store.shred(within, *(each.memory_id for each in ending if each.says))
    for each in ending:
        within.record(_ENDS[status], object=typed("prp", each.proposal_id))


def as_ended(within: Act, found: Proposal, status: ProposalStatus, now: datetime, reason: str = "") -> Proposal:
    """The proposal once `end_within` has ended it."""
    revision = found.revision + 1
    return replace(found, status=status, decided_at=now, decided_by=within.actor, reason=reason, revision=revision)


def withdraw_all(within: Act, client_id: UUID, now: datetime) -> None:
    """Take back what a client still has pending, within the act that ends it: the candidates are destroyed."""
    withdrawn = store.withdraw_pending(within, client_id, now)
    store.shred(within, *withdrawn.values())
    for proposal_id in withdrawn:
        within.record(ReceiptKind.PROPOSAL_WITHDRAWN, object=typed("prp", proposal_id))


def expire(vault_id: UUID, ids: Collection[UUID], now: datetime) -> int:
    """End what nobody decided in time. Running twice at once does no harm. Returns how many ended."""
    with act(vault_id, CLOCK) as expiring:
        found = proposed.proposals(vault_id, ids=ids, status=ProposalStatus.PENDING, limit=len(ids))
        late = [each for each in found if each.expires_at is not None and each.expires_at <= now]
        end_within(expiring, late, ProposalStatus.EXPIRED, now)
        if not late:
            expiring.cancel()
    return len(late)
