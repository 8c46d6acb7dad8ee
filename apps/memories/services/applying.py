"""What a yes does: each directive's own deed, within the act that approves. Its receipts too, but the approval's."""

from collections.abc import Callable

from apps.ledger.log import Act
from apps.memories import linked, proposed, store
from apps.memories.services.approving import Approval, Outcome, add_within, correct_target_within
from apps.memories.services.deprecating import keep_replaced
from apps.memories.services.erasing import barred_within, erase_within, made_from_within
from apps.memories.services.keeping import rescope_within
from apps.memories.services.linking import draw_within, end_within
from apps.memories.services.merging import merge_within
from apps.memories.services.restoring import restore_within
from apps.policy.echo import How
from apps.policy.links import EdgeKind, What
from apps.policy.proposals import Proposal
from apps.policy.staging import moved
from apps.policy.text import check_subject
from apps.policy.types import Memory, Refused
from apps.policy.vocabulary import Directive, MarkKind, ProposalStatus, ReceiptKind, Refusal


def apply_within(within: Act, approval: Approval) -> Outcome | Refused:
    """Carry out an approval. Refused as stale where its target moved, as target-gone where one of those it joins is
    not there any more, as subject-taken or echo where the approver has to say more. Raises TextProblem.
    """
    proposal = approval.proposal
    if proposal.target_version is not None and moved(proposal, *_about(within, proposal)):
        return Refused(Refusal.STALE)
    echoed = _brought_back(approval)
    if echoed is not None:
        return Refused(Refusal.ECHO, echoed)
    done = _DEEDS[proposal.directive](within, approval)
    if not isinstance(done, Refused):
        keep_replaced(within, approval, done)
    return done


def _brought_back(approval: Approval) -> str | None:
    """A pointer to what restates what was corrected, where its approver neither means that nor says it otherwise."""
    proposal, wording = approval.proposal, approval.wording
    echoes = proposal.marked(MarkKind.ECHO) if not wording.on_purpose else ()
    if any(each.how != How.LABEL for each in echoes) and not approval.other:
        return "/value" if proposal.says else "/subject"
    label = any(each.how == How.LABEL for each in echoes) and wording.label in (None, proposal.label)
    return "/label" if label else None


def _about(within: Act, proposal: Proposal) -> tuple[Memory | None, Memory | None]:
    """The memory that it would change, and the one that would be merged into it, where they are there."""
    other = proposal.candidate.other if proposal.candidate.other_version else None
    target = store.memory(within.vault_id, proposal.target_id or proposal.memory_id)
    return target, store.memory(within.vault_id, other) if other is not None else None


def _revert(within: Act, approval: Approval) -> Outcome | Refused:
    old = store.memory(within.vault_id, approval.proposal.target_id or approval.proposal.memory_id)
    if old is None or approval.before is None:
        return Refused(Refusal.NOTHING_BEFORE)
    kind = ReceiptKind.MEMORY_REVERTED
    done = restore_within(within, old, approval.before, approval.text or "", approval.now, kind, approval.line)
    return Outcome(done.memory_id, done)


def _rescope(within: Act, approval: Approval) -> Outcome | Refused:
    old = store.memory(within.vault_id, approval.proposal.target_id or approval.proposal.memory_id)
    if old is None:
        return Refused(Refusal.STALE)
    subject = approval.wording.subject or approval.proposal.subject
    means, unseen = approval.wording.on_purpose, approval.unseen
    done = rescope_within(within, old, check_subject(subject), approval.now, on_purpose=means, unseen=unseen)
    return done if isinstance(done, Refused) else Outcome(done.memory_id, done, old.subject, done.subject)


def _erase(within: Act, approval: Approval) -> Outcome | Refused:
    proposal = approval.proposal
    old = store.memory(within.vault_id, proposal.target_id or proposal.memory_id)
    if old is None:
        return Refused(Refusal.STALE)
    no = barred_within(within, approval.now)
    if no is not None:
        return no
    if made_from_within(within, old, approval.unseen, proposal.proposal_id):
        return Refused(Refusal.LINEAGE_CHOICE)
    proposed.ended(within, [proposal.proposal_id], ProposalStatus.APPROVED, approval.now)
    erase_within(within, [old], approval.now)
    return Outcome(old.memory_id)


def _merge(within: Act, approval: Approval) -> Outcome | Refused:
    kept, merged = approval.proposal.target_id, approval.proposal.candidate.other
    if kept is None or merged is None:
        return Refused(Refusal.TARGET_GONE)
    what = What.ENTITY if linked.entities(within.vault_id, [kept]) else What.MEMORY
    done = merge_within(within, what, kept, merged, approval.now, unseen=approval.unseen)
    return _gone(done) if isinstance(done, Refused) else Outcome(done.merge_id)


def _gone(no: Refused) -> Refused:
    """The approver named nothing: what is not found was there when it was proposed."""
    return Refused(Refusal.TARGET_GONE) if no.reason is Refusal.NOT_FOUND else no


def _retract(within: Act, approval: Approval) -> Outcome | Refused:
    edge_id = approval.proposal.target_id or approval.proposal.memory_id
    found = linked.edge(within.vault_id, edge_id)
    if found is None or found.ended_at is not None:
        return Refused(Refusal.TARGET_GONE)
    until = approval.proposal.candidate.valid_to
    done = end_within(within, edge_id, approval.now, valid_to=until, zone=approval.zone, unseen=approval.unseen)
    return _gone(done) if isinstance(done, Refused) else Outcome(done.edge_id, was=found.valid_to)


def _supersede(within: Act, approval: Approval) -> Outcome | Refused:
    proposal = approval.proposal
    given = proposal.candidate
    found = linked.edge(within.vault_id, proposal.target_id or proposal.memory_id)
    if found is None or found.ended_at is not None or given.other is None:
        return Refused(Refusal.TARGET_GONE)
    ended = end_within(within, found.edge_id, approval.now, zone=approval.zone, unseen=approval.unseen)
    if isinstance(ended, Refused):
        return _gone(ended)
    drawn = draw_within(
        within,
        EdgeKind(given.edge) if given.edge else found.kind,
        found.from_id,
        given.other,
        approval.now,
        valid_from=given.valid_from,
        valid_to=given.valid_to,
        proposal_id=proposal.proposal_id,
        zone=approval.zone,
        unseen=approval.unseen,
    )
    return _gone(drawn) if isinstance(drawn, Refused) else Outcome(drawn.edge_id)


_DEEDS: dict[Directive, Callable[[Act, Approval], Outcome | Refused]] = {
    Directive.ADD: add_within,
    Directive.CORRECT: correct_target_within,
    Directive.REVERT: _revert,
    Directive.MERGE: _merge,
    Directive.SUPERSEDE_EDGE: _supersede,
    Directive.RETRACT_EDGE: _retract,
    Directive.RESCOPE: _rescope,
    Directive.ERASE: _erase,
}
