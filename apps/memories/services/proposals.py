"""Proposals: clients suggest, the holder makes it true."""

from dataclasses import dataclass, replace
from datetime import date, datetime
from uuid import UUID

from django.conf import settings

from apps.ledger.ids import new_id
from apps.ledger.log import Act, act, reading
from apps.memories import proposed, store
from apps.memories.services.keeping import about, keep, neutral
from apps.memories.services.showing import Shown, hand_to_holder
from apps.memories.services.sight import sealed_within
from apps.policy.ids import typed
from apps.policy.plans import candidate_plan
from apps.policy.roles import Deed, needs
from apps.policy.rules import APPROVER_ONLY as APPROVER_ONLY
from apps.policy.rules import judge_proposal, judge_proposed_fields
from apps.policy.text import MOST_RATIONALE, check_line, check_subject, check_value, subject_of
from apps.policy.types import Caller, Holder, Memory, Proposal, Refused
from apps.policy.vocabulary import Category, Claim, ProposalStatus, ReceiptKind, Refusal, State
from vault import limits


@dataclass(frozen=True, slots=True)
class Approved:
    """A proposal that became a memory."""

    proposal: Proposal
    memory: Memory


def propose(
    caller: Caller,
    *,
    label: str,
    value: str,
    now: datetime,
    subject: str = "",
    rationale: str = "",
    as_of: date | None = None,
    sent_fields: tuple[str, ...] = (),
) -> Proposal | Refused:
    """A client suggests one memory to add. Inert on every read path until the holder approves it.

    The same suggestion again is the same proposal while it is pending, and refused once it was rejected.
    `sent_fields` are the names the client sent: what only the approver may set is refused. Raises TextProblem.
    """
    refused = judge_proposed_fields(sent_fields)
    if refused is not None:
        return refused
    check_value(value)
    new = Proposal(
        proposal_id=new_id(),
        client_id=caller.client.client_id,
        directive="add",
        status=ProposalStatus.PENDING,
        memory_id=new_id(),
        subject=check_subject(subject) if subject else subject_of(label),
        label=check_line(label, "label"),
        rationale=check_line(rationale, "rationale", MOST_RATIONALE, empty=True),
        as_of=as_of,
        made_at=now,
        decided_at=None,
    )
    with act(caller.vault_id, caller.actor) as proposing:
        key = store.vault_key_for_writing(proposing, now)
        print_ = store.fingerprint(key, str(new.client_id), new.directive, new.subject, new.label, value)
        known = proposed.proposal_like(caller.vault_id, print_)
        if known and known.status in (ProposalStatus.PENDING, ProposalStatus.REJECTED):
            proposing.cancel()
            return known if known.status is ProposalStatus.PENDING else Refused(Refusal.ALREADY_REJECTED)
        until = limits.over(f"proposals:{new.client_id.hex}", settings.WISHES_PER_HOUR, 3600, now)
        if until:
            proposing.cancel()
            return Refused(Refusal.RATE_LIMITED, until=until)
        proposed.propose(proposing, new, print_)
        store.put(proposing, key, _candidate(new), value)
        proposing.record(ReceiptKind.PROPOSAL_MADE, object=typed("prp", new.proposal_id))
    return new


@needs(Deed.FOLLOW)
def proposals(holder: Holder, status: ProposalStatus | None = ProposalStatus.PENDING) -> tuple[Proposal, ...]:
    """The holder's inbox: labels and rationale, no values."""
    with reading(holder.vault_id, holder.actor):
        return proposed.proposals(holder.vault_id, status=status, without=sealed_within(holder))


def withdraw_all(within: Act, client_id: UUID, now: datetime) -> None:
    """Take back what a client still has pending, within the act that ends it: the candidates are destroyed."""
    withdrawn = store.withdraw_pending(within, client_id, now)
    store.shred(within, *withdrawn.values())
    for proposal_id in withdrawn:
        within.record(ReceiptKind.PROPOSAL_WITHDRAWN, object=typed("prp", proposal_id))


def own_proposals(caller: Caller) -> tuple[Proposal, ...]:
    """What this client proposed and what became of it."""
    with reading(caller.vault_id, caller.actor):
        return proposed.proposals(caller.vault_id, client_id=caller.client.client_id)


@needs(Deed.FOLLOW)
def proposal(holder: Holder, proposal_id: UUID) -> Proposal | None:
    """One proposal, in any state."""
    with reading(holder.vault_id, holder.actor):
        return _there(holder, proposed.proposal(holder.vault_id, proposal_id))


def _there(holder: Holder, found: Proposal | None) -> Proposal | None:
    """The proposal, unless it became what is sealed from this seat."""
    return found if found and found.memory_id not in sealed_within(holder) else None


@needs(Deed.FOLLOW)
def count_pending(holder: Holder) -> int:
    """How many proposals wait."""
    with reading(holder.vault_id, holder.actor):
        return proposed.count_pending(holder.vault_id)


@needs(Deed.DECIDE)
def show_candidates(holder: Holder, chosen: tuple[Proposal, ...]) -> Shown:
    """What pending proposals say, to the holder, stamped as `value.shown`. Values are keyed by `memory_id`."""
    plan = candidate_plan(chosen)
    return hand_to_holder(holder, plan) if plan.items else Shown((), 0, 0)


@needs(Deed.DECIDE)
def approve(
    holder: Holder,
    proposal_id: UUID,
    *,
    now: datetime,
    label: str | None = None,
    subject: str | None = None,
    value: str | None = None,
    category: Category = Category.ORDINARY,
    neutral_label: str = "",
    claim: Claim | None = None,
) -> Approved | Refused:
    """Make a proposal a memory, as proposed or with the holder's own words. Category and claim are the holder's alone.

    Approving what was decided already is refused as already-decided. Raises TextProblem.
    """
    with reading(holder.vault_id, holder.actor):
        candidate = _there(holder, proposed.proposal(holder.vault_id, proposal_id))
    refused = judge_proposal(candidate, holder)
    if refused is not None or candidate is None:
        return refused if refused is not None else Refused(Refusal.NOT_FOUND)
    text = check_value(value) if value is not None else _candidate_text(holder, candidate)
    if text is None:
        return Refused(Refusal.ALREADY_DECIDED)
    as_proposed = value is None and category is Category.ORDINARY and claim is None
    new = replace(
        _candidate(candidate),
        subject=check_subject(subject) if subject else candidate.subject,
        label=check_line(label, "label") if label is not None else candidate.label,
        neutral_label=neutral(category, neutral_label),
        category=category,
        attested=claim is not None,
        claim=claim,
        version=1 if as_proposed else 2,
        updated_at=now,
    )
    with act(holder.vault_id, holder.actor) as approving:
        current = proposed.proposal(holder.vault_id, proposal_id)
        refused = judge_proposal(current, holder)
        if refused is not None:
            approving.cancel()
            return refused
        proposed.decide_proposal(approving, proposal_id, ProposalStatus.APPROVED, now)
        if as_proposed:
            store.add(approving, new, now)
            store.index(approving, store.vault_key_for_writing(approving, now), new, text)
        else:
            store.shred(approving, new.memory_id)
            keep(approving, new, text, now)
        approving.record(ReceiptKind.PROPOSAL_APPROVED, **{**about(new), "object": typed("prp", proposal_id)})
    return Approved(replace(candidate, status=ProposalStatus.APPROVED, decided_at=now), new)


@needs(Deed.DECIDE)
def reject(holder: Holder, proposal_id: UUID, now: datetime) -> Proposal | Refused:
    """Say no to a proposal: its candidate is destroyed, and the same one again is refused."""
    with act(holder.vault_id, holder.actor) as rejecting:
        candidate = _there(holder, proposed.proposal(holder.vault_id, proposal_id))
        refused = judge_proposal(candidate, holder)
        if refused is not None or candidate is None:
            rejecting.cancel()
            return refused if refused is not None else Refused(Refusal.NOT_FOUND)
        proposed.decide_proposal(rejecting, proposal_id, ProposalStatus.REJECTED, now)
        store.shred(rejecting, candidate.memory_id)
        rejecting.record(ReceiptKind.PROPOSAL_REJECTED, object=typed("prp", proposal_id))
    return replace(candidate, status=ProposalStatus.REJECTED, decided_at=now)


def _candidate(proposal: Proposal) -> Memory:
    """The memory a proposal would become: ordinary until the approver says otherwise."""
    return Memory(
        memory_id=proposal.memory_id,
        subject=proposal.subject,
        label=proposal.label,
        neutral_label="",
        category=Category.ORDINARY,
        attested=False,
        claim=None,
        version=1,
        state=State.APPROVED,
        as_of=proposal.as_of,
        source=typed("cli", proposal.client_id),
        updated_at=proposal.made_at,
    )


def _candidate_text(holder: Holder, candidate: Proposal) -> str | None:
    shown = show_candidates(holder, (candidate,))
    return shown.values[0].value if shown.values else None
