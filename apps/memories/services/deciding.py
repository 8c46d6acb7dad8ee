"""The holder's yes to a proposal, as proposed or in their own words. A decision is made once; the same one again gives
the same answer, another one is refused as already-decided.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from apps.ledger.log import Act, act, reading
from apps.memories import prints, proposed, store, unnoticed, versions
from apps.memories.services.applying import apply_within
from apps.memories.services.approving import Approval, Outcome, add_plainly
from apps.memories.services.catching_up import catch_up
from apps.memories.services.inbox import here, shown_text
from apps.memories.services.keeping import about, check_guest
from apps.memories.services.lineage import draw_lineage
from apps.memories.services.noticing import noticed_since
from apps.memories.services.past import predecessor
from apps.memories.services.showing import show_past
from apps.memories.services.sight import unseen_within
from apps.memories.services.wording import Wording, check_wording
from apps.policy.ids import typed
from apps.policy.proposals import Mark, Proposal, without_marks_on
from apps.policy.roles import Deed, ask, may, needs
from apps.policy.rules import judge_proposal
from apps.policy.staging import gone, judge_decision, moved
from apps.policy.text import check_value
from apps.policy.types import Holder, Memory, MemoryVersion, Refused
from apps.policy.vocabulary import Category, Claim, Directive, ProposalStatus, ReceiptKind, Refusal


@dataclass(frozen=True, slots=True)
class Approved:
    """A proposal that was approved, and the memory that it made or changed, where it is one and is still there."""

    proposal: Proposal
    memory: Memory | None


@needs(Deed.DECIDE)
def approve(
    holder: Holder,
    proposal_id: UUID,
    *,
    now: datetime,
    revision: int | None = None,
    label: str | None = None,
    subject: str | None = None,
    value: str | None = None,
    category: Category | None = None,
    neutral_label: str = "",
    claim: Claim | None = None,
    local_only: bool | None = None,
    replaces: UUID | None = None,
    on_purpose: bool = False,
    sealed: bool = False,
) -> Approved | Refused:
    """Make it so, as proposed or with the holder's own words, see `Wording`. Category, claim and `local_only` are the
    approver's alone; that what is added is `sealed` from guardians, from the first moment, is the holder's to say.

    Refused as not-yours where it would erase and this seat may not, as legal-hold (until when) where nothing may be, as
    lineage-choice where other memories were made from what it would erase (order that: see `erasure.order`); as
    stale where the proposal is no longer at `revision`, or what it would change has moved on since it was made; as
    target-gone where that was erased; as subject-taken where another memory lives under its subject (say `replaces`, or
    another subject); as echo for what was corrected (say `on_purpose`); as noticed-since where what is kept by now was
    not looked at beside it, which its marks tell from then on, or what they tell was shown to nobody (see `tell`); as
    say-category where it comes from what is kept apart, and as say-claim where it corrects what is attested. Where it
    comes from what is local only it is so too, unless that is said to be False. Raises TextProblem, also for what this
    yes does not take, by its name.
    """
    if sealed:
        ask(holder, Deed.SEAL)
    wording = Wording(label, subject, value, category, neutral_label, claim, local_only, replaces, on_purpose, sealed)
    plain = wording == Wording()
    done = _approve_at_once(holder, proposal_id, revision, now) if plain else None
    if done is None:
        compared = catch_up(holder.vault_id)
        done = _approve_at_once(holder, proposal_id, revision, now) if plain and compared else None
    return done if done is not None else _approve(holder, proposal_id, revision, wording, now)


@needs(Deed.DECIDE)
def _approve_at_once(holder: Holder, proposal_id: UUID, revision: int | None, now: datetime) -> Approved | None:
    """What adds, as it was proposed, where nothing stands in its way: nothing has to be looked at for it, nor compared.
    None for anything else.
    """
    asking = [proposed.asking_alone(holder.vault_id, proposal_id)]
    with act(holder.vault_id, holder.actor, asking=asking) as approving:
        found = proposed.alone(approving.told[0])
        if found is None or judge_decision(found, revision, now) is not None:
            approving.cancel()
            return None
        check_guest(holder)
        ready = Approval(found, Wording(), holder.time_zone, now, text=None, unseen=unseen_within(holder))
        added = add_plainly(approving, ready)
        approving.hurry()
        return finish(approving, ready, added)


@needs(Deed.DECIDE)
def _approve(
    holder: Holder, proposal_id: UUID, revision: int | None, wording: Wording, now: datetime
) -> Approved | Refused:
    with reading(holder.vault_id, holder.actor):
        found = here(holder, proposal_id)
        before = _before(holder.vault_id, found) if found is not None else None
        refused = judge_proposal(found, holder) if found is None else judge_decision(found, revision, now)
        if found is not None and found.status is ProposalStatus.APPROVED:
            return _again(holder, found, wording)
        if found is not None and found.status is ProposalStatus.WITHDRAWN and found.target_id is not None:
            erased = gone(found, store.memory(holder.vault_id, found.target_id))
            refused = Refused(Refusal.TARGET_GONE) if erased else refused
    if refused is None and found is not None and found.directive is Directive.ERASE:
        refused = may(holder, Deed.ERASE)  # who may not erase does not do it by a yes either
    if refused is not None or found is None:
        return refused if refused is not None else Refused(Refusal.NOT_FOUND)
    ready = _ready(holder, found, wording, before, now)
    if isinstance(ready, Refused):
        return ready
    with act(holder.vault_id, holder.actor) as approving:
        since = _since(approving, holder, found)
        done = Refused(Refusal.NOTICED_SINCE) if since else _approve_within(approving, holder, ready, revision)
        if isinstance(done, Approved) and found.untold and not wording.on_purpose:
            done = Refused(Refusal.NOTICED_SINCE)
        if isinstance(done, Refused):
            approving.cancel()
    if since:
        unnoticed.added(holder.vault_id, {proposal_id: since})
    return done


def _since(within: Act, holder: Holder, found: Proposal) -> tuple[Mark, ...]:
    """What nobody saw beside it yet, as far as this seat sees it."""
    target = store.memory(within.vault_id, found.target_id) if found.target_id is not None else None
    if not found.says or moved(found, target):
        return ()
    at = (found.memory_id, 1)
    told = [(found, prints.found(within.vault_id, [at]).get(at))]
    marks = noticed_since(within, told, {target.memory_id: target} if target is not None else {})
    return without_marks_on(marks.get(found.proposal_id, ()), unseen_within(holder))


def _before(vault_id: UUID, found: Proposal) -> MemoryVersion | None:
    """The version that a revert would restore."""
    if found.directive is not Directive.REVERT or found.target_id is None:
        return None
    target = store.memory(vault_id, found.target_id)
    return predecessor(versions.history(vault_id, found.target_id), target.version) if target is not None else None


def _again(holder: Holder, found: Proposal, wording: Wording) -> Approved | Refused:
    """The answer to a yes that was given already; another yes than that one is refused."""
    if proposed.decision_of(holder.vault_id, found.proposal_id) != _said(holder.vault_id, wording):
        return Refused(Refusal.ALREADY_DECIDED)
    became = store.memory(holder.vault_id, found.outcome_id) if found.outcome_id is not None else None
    return Approved(found, became)


def _said(vault_id: UUID, wording: Wording) -> str:
    """By what a decision in the holder's own words is recognised again: keyed, as the words themselves are not kept."""
    key = store.vault_key(vault_id) if wording != Wording() else None
    return store.fingerprint(key, "decision", repr(wording)).hex() if key is not None else ""


def _ready(
    holder: Holder, found: Proposal, wording: Wording, before: MemoryVersion | None, now: datetime
) -> Approval | Refused:
    """All that the act needs to know: what is proposed is looked at, which is stamped as shown. Raises TextProblem."""
    check_wording(found, wording)
    ready = Approval(found, wording, holder.time_zone, now, before=before, role=holder.role)
    if found.directive is Directive.REVERT:
        if before is None or found.target_id is None:
            return Refused(Refusal.NOTHING_BEFORE)
        looked = show_past(holder, [(found.target_id, before.version)])
        value = looked.values[0].value if looked.values else None
        return replace(ready, text=value) if value is not None else Refused(Refusal.NOT_YOURS)
    if not found.says:
        return ready
    mine = check_value(wording.value) if wording.value is not None else None
    if found.directive is Directive.ADD and not wording.sealed_anew:
        return replace(ready, text=mine, other=mine is not None)
    theirs = shown_text(holder, found)
    if theirs is None:
        return Refused(Refusal.ALREADY_DECIDED)
    other = mine is not None and mine != theirs
    return replace(ready, text=mine if mine is not None else theirs, other=other, was=theirs if other else None)


def _approve_within(within: Act, holder: Holder, ready: Approval, revision: int | None) -> Approved | Refused:
    current = here(holder, ready.proposal.proposal_id)
    if current is None:
        return Refused(Refusal.NOT_FOUND)
    refused = judge_decision(current, revision if revision is not None else ready.proposal.revision, ready.now)
    if refused is not None:
        return refused
    if current.directive is Directive.ADD and ready.wording.replaces is None:
        check_guest(holder)
    ready = replace(ready, proposal=current, unseen=unseen_within(holder))
    done = apply_within(within, ready)
    return done if isinstance(done, Refused) else finish(within, ready, done)


def finish(within: Act, ready: Approval, done: Outcome) -> Approved:
    """The proposal's own side of an approval that was carried out: its receipt included."""
    decided = finished(within, ready, done)
    proposed.approved(within, [decided], _said(within.vault_id, ready.wording))
    tell_approved(within, ready, done)
    return Approved(decided, done.memory)


def tell_approved(within: Act, ready: Approval, done: Outcome) -> None:
    """What an approval leaves beside its row: the edges to what it was made from, and the receipt."""
    draw_lineage(within, ready, done)
    fields = about(done.memory) if done.memory is not None else {}
    within.record(ReceiptKind.PROPOSAL_APPROVED, **{**fields, "object": typed("prp", ready.proposal.proposal_id)})


def finished(within: Act, ready: Approval, done: Outcome, batch_id: UUID | None = None) -> Proposal:
    """The proposal once it is approved."""
    proposal = ready.proposal
    return replace(
        proposal,
        status=ProposalStatus.APPROVED,
        decided_at=ready.now,
        decided_by=within.actor,
        revision=proposal.revision + 1,
        outcome_id=done.became,
        edited=ready.wording.edits,
        batch_id=batch_id,
        candidate=replace(proposal.candidate, was=done.was, put_under=done.put_under),
    )
