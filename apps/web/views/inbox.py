"""`/inbox`: what assistants ask for and what they suggest. Nothing becomes a memory until the holder says so."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from apps.access import services as access
from apps.holders import services as holders
from apps.memories import services as memories
from apps.policy.ids import typed, untyped
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Memory, Proposal, Refused
from apps.policy.vocabulary import Category, ProposalStatus, Refusal
from apps.turns import services as turns
from apps.web.card_forms import ApproveForm, of_card
from apps.web.doors import back, for_holder, or_404, page
from apps.web.endings import kept, why_not
from apps.web.forms import number_of, untouched
from apps.web.inboxes import Row, filled, left_out, reason_of, reviewed, rows_of, sent, was_reviewed, written_on
from apps.web.words import REFUSALS
from vault.clock import utc_now

STALE = "The file changed since this was suggested. Put it to today’s file to go on with it, or reject it."


@require_safe
@for_holder
def inbox(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """What two sources contradict, requests and proposals that wait, and what can be undone still. Labels and reasons
    only: what a proposal says is shown by a press.
    """
    now = utc_now()
    waiting = memories.beside(holder, memories.proposals(holder))
    lately = memories.undoable(holder, now)
    return page(
        http_request,
        "inbox.html",
        reopened=memories.reopened(holder),
        contradicted={side.memory.memory_id for each in waiting for side in each.sides},
        requests=access.waiting(holder, now),
        reviewed=access.in_review(holder, now),
        proposals=waiting,
        together=waiting[: memories.MOST_SHOWN],
        behind=memories.count_pending(holder) - len(waiting) if len(waiting) == memories.MOST_LISTED else 0,
        lately=lately,
        unreviewed=holders.unreviewed(holder.vault_id),
        lapsed=access.lapsed(holder, now),
        names=turns.names(holder),
    )


@require_POST
@for_holder
def show(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """What the chosen proposals say beside what is kept, stamped as shown to the holder, to decide on."""
    wanted = {untyped("prp", each) for each in http_request.POST.getlist("proposal")}
    chosen = [each for each in memories.proposals(holder) if each.proposal_id in wanted][: memories.MOST_SHOWN]
    written = written_on(http_request.POST, holder)
    if not chosen and not written:
        return redirect("web:inbox")
    return _cards(http_request, holder, list(dict.fromkeys([*chosen, *written])))


@require_POST
@for_holder
def approve(http_request: HttpRequest, holder: Holder, proposal_id: UUID) -> HttpResponse:
    """Make it so, in the holder's words where they changed them; or keep what it says as a memory of its own. What they
    typed is on the page until it is kept.
    """
    found = or_404(memories.proposal(holder, proposal_id))
    form = sent(http_request.POST, found)
    if form is None:
        return _approve_plainly(http_request, holder, found)
    if not form.is_valid():
        return _again(http_request, holder, found, form, 400)
    own = "own" in http_request.POST
    try:
        done = _keep(holder, form) if own else _approve(http_request, holder, found, form)
    except TextProblem as problem:
        form.blame(problem)
        return _again(http_request, holder, found, form, 400)
    noticed = isinstance(done, Refused) and done.reason is Refusal.NOTICED_SINCE
    if isinstance(done, Refused) and (done.pointer or own or noticed or form.differs(found.label, found.subject)):
        form.refuse(done, why_not(done, found))
        return _again(http_request, holder, found, form, 400 if done.pointer else 409)
    return _decided(http_request, holder, found, done, kept(holder, found, done, form.cleaned_data["label"]))


def _approve_plainly(http_request: HttpRequest, holder: Holder, found: Proposal) -> HttpResponse:
    """What has nothing to be changed first, as it is."""
    seen, means = _revision(http_request, found), _on_purpose(http_request, found)
    try:
        made = memories.approve(holder, found.proposal_id, now=utc_now(), revision=seen, on_purpose=means)
    except TextProblem as problem:
        messages.warning(http_request, problem.detail)
        return redirect("web:inbox")
    return _decided(http_request, holder, found, made)


def _approve(
    http_request: HttpRequest, holder: Holder, found: Proposal, form: ApproveForm
) -> memories.Approved | Refused:
    """With what the holder says otherwise than it was proposed; None for what they left."""
    given = form.cleaned_data
    was = given["was"] or Category.ORDINARY.value
    return memories.approve(
        holder,
        found.proposal_id,
        now=utc_now(),
        revision=_revision(http_request, found),
        label=None if given["label"] == found.label else given["label"],
        subject=None if given["subject"] in ("", found.subject) else given["subject"],
        value=None if untouched(given["value"], given["shown"]) else given["value"],
        category=form.kind if given["close"] or given["category"] != was else None,
        neutral_label=given["neutral_label"],
        claim=form.attested,
        on_purpose=given["on_purpose"],
        replaces=untyped("mem", http_request.POST.get("replaces", "")),
        sealed=given["sealed"],
        local_only=given["local_only"] if given["close"] else given["local_only"] or None,
    )


def _keep(holder: Holder, form: ApproveForm) -> Memory | Refused:
    """What stands in the card, as a memory of its own: what it was about is kept no more, or it was decided before."""
    names = ("label", "value", "subject", "neutral_label", "as_of", "local_only", "sealed", "on_purpose")
    given = {name: form.cleaned_data[name] for name in names}
    return memories.add(holder, category=form.kind, claim=form.attested, now=utc_now(), **given)


@require_POST
@for_holder
def approve_shown(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Approve exactly what was shown, as it stood then. Sent again, it is the same go. A card into which something was
    typed is left out, and comes back as it was typed.
    """
    shown = was_reviewed(holder, http_request.POST.get("reviewed", ""))
    written = written_on(http_request.POST, holder)
    if shown:
        _keep_shown(http_request, holder, shown, written)
    else:
        messages.warning(http_request, "Nothing was kept. Show what they say again, then decide.")
    return _cards(http_request, holder, written) if written else redirect("web:inbox")


def _keep_shown(
    http_request: HttpRequest, holder: Holder, shown: Sequence[tuple[UUID, int]], written: Sequence[Proposal]
) -> None:
    typed_in = {each.proposal_id for each in written}
    as_they_are = [each for each in shown if each[0] not in typed_in]
    try:
        items = memories.approve_many(holder, as_they_are, utc_now()).items if as_they_are else ()
    except TextProblem as problem:
        messages.warning(http_request, problem.detail)
        return
    there = memories.proposals_of(
        holder, [each.proposal_id for each in items if each.done is not memories.Done.APPLIED]
    )
    kept = sum(item.done is memories.Done.APPLIED for item in items)
    words = [f"Kept: {kept}."] if kept else []
    for item in items:
        if item.done is not memories.Done.APPLIED:
            words.append(left_out(there.get(item.proposal_id), item))
    reviewed_too = {each[0] for each in shown}
    for each in written:
        if each.proposal_id in reviewed_too:
            words.append(f"“{each.label}” was left out and waits still: you wrote something there. It stands below.")
    (messages.success if kept else messages.warning)(http_request, " ".join(words))


@require_POST
@for_holder
def reject(http_request: HttpRequest, holder: Holder, proposal_id: UUID) -> HttpResponse:
    """Say no: what it says is destroyed; the same one again is refused, unless it may be suggested again."""
    found = or_404(memories.proposal(holder, proposal_id))
    again, reason = http_request.POST.get("again") == "1", reason_of(http_request.POST, found)
    try:
        rejected = memories.reject(holder, proposal_id, utc_now(), reason=reason, again=again)
    except TextProblem as problem:
        return _again(http_request, holder, found, None, 400, problem.detail)
    noted = isinstance(rejected, Proposal) and reason.strip() in ("", rejected.reason)
    if not noted and reason.strip():  # decided before: what was typed as why is not kept, and not lost
        return _again(http_request, holder, found, None, 409, why_not(Refused(Refusal.ALREADY_DECIDED), found))
    done = "Rejected. It may be suggested again." if again else "Rejected. The same one can't be suggested again."
    return _decided(http_request, holder, found, rejected, done)


@require_POST
@for_holder
def rebase(http_request: HttpRequest, holder: Holder, proposal_id: UUID) -> HttpResponse:
    """Let a suggestion be about the file as it stands by now."""
    done = memories.rebase(holder, proposal_id, utc_now())
    said = "It is about what the file says now. Look at it again, then decide."
    found = or_404(memories.proposal(holder, proposal_id))
    form = sent(http_request.POST, found)
    if form is None:
        return _decided(http_request, holder, found, done, said)
    if isinstance(done, Refused):
        form.refuse(done)
        return _again(http_request, holder, found, form, 409)
    messages.success(http_request, said)
    return _again(http_request, holder, found, form, 200)


def _decided(
    http_request: HttpRequest, holder: Holder, found: Proposal, outcome: object, done: str = "Done."
) -> HttpResponse:
    """Back to the inbox; or, where something was typed into other cards of the page, to those."""
    others = written_on(http_request.POST, holder, without=found.proposal_id)
    stale = isinstance(outcome, Refused) and outcome.reason is Refusal.STALE
    if not others and isinstance(outcome, Refused) and outcome.reason is Refusal.LINEAGE_CHOICE:
        messages.warning(http_request, REFUSALS[outcome.reason].sentence)
        return redirect(f"{reverse('web:erase')}?memory={typed('mem', found.target_id or found.memory_id)}")
    before = isinstance(outcome, Refused) and outcome.reason is Refusal.ALREADY_DECIDED
    if not others and not stale and not before:
        return back(http_request, outcome, "/inbox", done)
    if isinstance(outcome, Refused):
        messages.warning(http_request, STALE if stale else why_not(outcome, found))
    else:
        messages.success(http_request, done)
    return _cards(http_request, holder, others) if others else redirect("web:inbox")


def _again(
    http_request: HttpRequest, holder: Holder, found: Proposal, form: ApproveForm | None, status: int, why_not: str = ""
) -> HttpResponse:
    """The card once more, as it stands by now, with what was typed into it, and into others."""
    now = memories.proposal(holder, found.proposal_id) or found
    others = written_on(http_request.POST, holder, without=found.proposal_id)
    return _cards(http_request, holder, [now, *others], form, status, why_not)


def _cards(
    http_request: HttpRequest,
    holder: Holder,
    chosen: Sequence[Proposal],
    first_form: ApproveForm | None = None,
    status: int = 200,
    why_not: str = "",
) -> HttpResponse:
    """These, as they stand by now, beside what is kept by now: stamped as any look. What came along stays typed in
    them; `first_form` and `why_not` are of the first.
    """
    posted, first = http_request.POST, chosen[0].proposal_id

    def form(proposal: Proposal, text: str, category: Category) -> ApproveForm:
        mine = first_form if proposal.proposal_id == first else None
        return mine or sent(posted, proposal) or filled(proposal, text, category)

    there = memories.beside(holder, chosen)
    waiting = [each for each in there if each.proposal.status is ProposalStatus.PENDING]
    looked = turns.shown(holder, memories.show_beside(holder, waiting))
    found = {row.beside.proposal.proposal_id: row for row in rows_of(waiting, looked.values, form)}
    rows = []
    for each in there:
        proposal = each.proposal
        row = found.get(proposal.proposal_id)
        reason = reason_of(posted, proposal)
        if row is None and (reason or sent(posted, proposal) is not None or each not in waiting):
            row = Row(each, "", (), form(proposal, "", Category.ORDINARY))
        if row is not None:
            rows.append(replace(row, reason=reason, why_not=why_not if proposal.proposal_id == first else ""))
    return _page(http_request, holder, rows, looked.first, looked.last, status)


def _revision(http_request: HttpRequest, found: Proposal) -> int | None:
    """The revision that stood on the page; where none did, any."""
    return number_of(http_request.POST.get(of_card(found.proposal_id.hex, "revision"), ""), 8)


def _on_purpose(http_request: HttpRequest, found: Proposal) -> bool:
    return of_card(found.proposal_id.hex, "on_purpose") in http_request.POST


def _page(
    http_request: HttpRequest, holder: Holder, rows: Sequence[Row], first: int, last: int, status: int
) -> HttpResponse:
    plain = [row.beside.proposal for row in rows if row.beside.plain and row.text]
    names = turns.names(holder)
    told = {"rows": rows, "names": names, "first": first, "last": last, "all_plain": reviewed(holder, plain)}
    return page(http_request, "inbox_shown.html", status, plain=plain, **told)
