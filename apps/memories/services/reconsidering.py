"""Second thoughts about a proposal: a rejected one may be made again, a stale one may be about the file of today."""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from apps.ledger.log import Act, act
from apps.memories import proposed, store
from apps.memories.services.catching_up import catch_up
from apps.memories.services.inbox import here
from apps.memories.services.noticing import notice_anew
from apps.policy.ids import typed
from apps.policy.proposals import Proposal, seen
from apps.policy.roles import Deed, needs
from apps.policy.rules import judge_proposal
from apps.policy.staging import gone, judge_decision
from apps.policy.types import Holder, Memory, Refused
from apps.policy.vocabulary import ProposalStatus, ReceiptKind, Refusal


@needs(Deed.DECIDE)
def lift(holder: Holder, proposal_id: UUID, now: datetime) -> Proposal | Refused:
    """Let what was rejected, or approved in other words, be proposed again. Refused as not-found for anything else."""
    with act(holder.vault_id, holder.actor) as lifting:
        found = here(holder, proposal_id)
        if found is None or not (found.status is ProposalStatus.REJECTED or found.edited):
            lifting.cancel()
            return Refused(Refusal.NOT_FOUND)
        if found.lifted_at is not None:
            lifting.cancel()
            return found
        return lift_within(lifting, found, now)


def lift_within(within: Act, found: Proposal, now: datetime) -> Proposal:
    """`lift`, within an act: its receipt included."""
    proposed.lifted(within, found.proposal_id, now)
    within.record(ReceiptKind.PROPOSAL_LIFTED, object=typed("prp", found.proposal_id))
    return replace(found, lifted_at=now, revision=found.revision + 1)


@needs(Deed.DECIDE)
def rebase(holder: Holder, proposal_id: UUID, now: datetime, *, revision: int | None = None) -> Proposal | Refused:
    """Let a proposal be about its target as it stands by now. Refused as target-gone where that is kept no more, and as
    not-found where it is about no memory.
    """
    catch_up(holder.vault_id)
    with act(holder.vault_id, holder.actor) as rebasing:
        found = here(holder, proposal_id)
        refused = judge_proposal(found, holder) if found is None else judge_decision(found, revision, now)
        target = store.memory(holder.vault_id, found.target_id) if found is not None and found.target_id else None
        if found is not None and gone(found, target):
            refused = Refused(Refusal.TARGET_GONE)
        if refused is not None or found is None or target is None:
            rebasing.cancel()
            return refused if refused is not None else Refused(Refusal.NOT_FOUND)
        now_about = _about(rebasing, found, target)
        if now_about == found:
            rebasing.cancel()
            return found
        marks = seen(notice_anew(rebasing, now_about, target))
        proposed.rebased(rebasing, now_about, marks)
        rebasing.record(ReceiptKind.PROPOSAL_REBASED, object=typed("prp", proposal_id))
    return replace(now_about, marks=marks, revision=found.revision + 1)


def _about(within: Act, found: Proposal, target: Memory) -> Proposal:
    """The proposal about what it would change, and merge into that, as they stand by now."""
    given = found.candidate
    other = store.memory(within.vault_id, given.other) if given.other is not None and given.other_version else None
    version = other.version if other is not None else given.other_version
    return replace(found, target_version=target.version, candidate=replace(given, other_version=version))
