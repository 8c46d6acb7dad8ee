"""`/inbox`: what assistants ask for and what they suggest. Nothing becomes a memory until the holder says so."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from apps.access import services as access
from apps.holders import services as holders
from apps.memories import services as memories
from apps.policy.ids import untyped
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Proposal, Refused
from apps.policy.vocabulary import Category, ProposalStatus, Refusal
from apps.turns import services as turns
from apps.web.doors import back, for_holder, or_404, page
from apps.web.forms import ApproveForm, carried, untouched
from apps.web.inboxes import Row, reviewed, rows_of, was_reviewed
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
        requests=access.waiting(holder, now),
        reviewed=access.in_review(holder, now),
        proposals=waiting,
        behind=memories.count_pending(holder) - len(waiting) if len(waiting) == memories.MOST_LISTED else 0,
        lately=lately,
        unreviewed=holders.unreviewed(holder.vault_id),
        lapsed=access.lapsed(holder, now),
        names=access.names(holder.vault_id, holder.actor),
    )


@require_POST
@for_holder
def show(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """What the chosen proposals say beside what is kept, stamped as shown to the holder, to decide on."""
    wanted = {untyped("prp", each) for each in http_request.POST.getlist("proposal")}
    chosen = [each for each in memories.proposals(holder) if each.proposal_id in wanted][: memories.MOST_SHOWN]
    if not chosen:
        return redirect("web:inbox")
    there = memories.beside(holder, chosen)
    looked = turns.shown(holder, memories.show_beside(holder, there))
    rows = rows_of(there, looked.values, _form)
    return _page(http_request, holder, rows, first=looked.first, last=looked.last)


@require_POST
@for_holder
def approve(http_request: HttpRequest, holder: Holder, proposal_id: UUID) -> HttpResponse:
    """Make it so, in the holder's words where they changed them. What they typed is on the page until it is kept."""
    found = or_404(memories.proposal(holder, proposal_id))
    if not found.says or (found.status is not ProposalStatus.PENDING and not _typed(http_request, found)):
        done = memories.approve(holder, proposal_id, now=utc_now(), revision=_revision(http_request))
        return _back(http_request, done, "Done.", STALE)
    form = ApproveForm(http_request.POST, auto_id=_auto_id(found))
    if form.is_valid():
        words = _words(form, found)
        try:
            approved = _approve(http_request, holder, found, form, words)
        except TextProblem as problem:
            form.blame(problem)
        else:
            overtaken = isinstance(approved, Refused) and approved.reason in _OVERTAKEN
            if not isinstance(approved, Refused) or not (approved.pointer or (overtaken and any(words.values()))):
                return _back(http_request, approved, f"Kept: {form.cleaned_data['label']}.", STALE)
            form.refuse(approved)
            if overtaken:
                return _shown_again(http_request, holder, proposal_id, form, 409)
    (there,) = memories.beside(holder, [found])
    return _page(http_request, holder, [Row(there, "", (), form)], status=400)


_OVERTAKEN = (Refusal.STALE, Refusal.ALREADY_DECIDED, Refusal.TARGET_GONE)


def _words(form: ApproveForm, found: Proposal) -> dict[str, Any]:
    """What the holder says otherwise than it was proposed; None for what they left."""
    given = form.cleaned_data
    return {
        "label": None if given["label"] == found.label else given["label"],
        "subject": None if given["subject"] in ("", found.subject) else given["subject"],
        "value": None if untouched(given["value"], given["shown"]) else given["value"],
        "category": None if given["category"] == (given["was"] or Category.ORDINARY.value) else form.kind,
    }


def _approve(
    http_request: HttpRequest, holder: Holder, found: Proposal, form: ApproveForm, words: dict[str, Any]
) -> memories.Approved | Refused:
    given = form.cleaned_data
    return memories.approve(
        holder,
        found.proposal_id,
        now=utc_now(),
        revision=_revision(http_request),
        neutral_label=given["neutral_label"],
        claim=form.attested,
        local_only=given["local_only"],
        on_purpose=given["on_purpose"],
        replaces=untyped("mem", http_request.POST.get("replaces", "")),
        **words,
    )


@require_POST
@for_holder
def approve_shown(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Approve exactly what was shown, as it stood then. Sent again, it is the same go."""
    shown = was_reviewed(holder, http_request.POST.get("reviewed", ""))
    if not shown:
        messages.warning(http_request, "Nothing was kept. Show what they say again, then decide.")
        return redirect("web:inbox")
    done = memories.approve_many(holder, shown, utc_now())
    kept = done.count(memories.Done.APPLIED)
    words = [f"Kept: {kept}."] if kept else []
    for item in done.items:
        if item.done is not memories.Done.APPLIED:
            found = memories.proposal(holder, item.proposal_id)
            words.append(_left_out(found, item))
    (messages.success if kept else messages.warning)(http_request, " ".join(words))
    return redirect("web:inbox")


def _left_out(found: Proposal | None, item: memories.Item) -> str:
    """Why one of many was not kept, by its name."""
    name = f"“{found.label}”" if found is not None and found.label else "One of them"
    if item.done is memories.Done.SKIPPED:
        return f"{name} was decided meanwhile."
    changed = item.why == Refusal.STALE.value
    return f"{name} was left out and waits still{': it was changed meanwhile' if changed else ''}. Look at it again."


@require_POST
@for_holder
def reject(http_request: HttpRequest, holder: Holder, proposal_id: UUID) -> HttpResponse:
    """Say no: what it says is destroyed; the same one again is refused, unless it may be suggested again."""
    again = http_request.POST.get("again") == "1"
    try:
        rejected = memories.reject(
            holder, proposal_id, utc_now(), reason=http_request.POST.get("reason", ""), again=again
        )
    except TextProblem as problem:
        return _reason_again(http_request, holder, or_404(memories.proposal(holder, proposal_id)), problem)
    done = "Rejected. It may be suggested again." if again else "Rejected. The same one can't be suggested again."
    return back(http_request, rejected, "/inbox", done)


@require_POST
@for_holder
def rebase(http_request: HttpRequest, holder: Holder, proposal_id: UUID) -> HttpResponse:
    """Let a suggestion be about the file as it stands by now."""
    done = memories.rebase(holder, proposal_id, utc_now())
    said = "It is about what the file says now. Look at it again, then decide."
    found = memories.proposal(holder, proposal_id) if isinstance(done, Refused) else done
    if found is None or not _typed(http_request, found):
        return back(http_request, done, "/inbox", said)
    form = ApproveForm(http_request.POST, auto_id=_auto_id(found))
    if isinstance(done, Refused):
        form.refuse(done)
        return _shown_again(http_request, holder, proposal_id, form, 409)
    messages.success(http_request, said)
    return _shown_again(http_request, holder, proposal_id, form, 200)


def _typed(http_request: HttpRequest, found: Proposal) -> bool:
    """Did a form come along in which it could be changed first?"""
    return found.says and "value" in http_request.POST


def _back(http_request: HttpRequest, outcome: object, done: str, stale: str) -> HttpResponse:
    """Back to the inbox; `stale` says what to do where it is out of date."""
    if isinstance(outcome, Refused) and outcome.reason is Refusal.STALE:
        messages.warning(http_request, stale)
        return redirect("web:inbox")
    return back(http_request, outcome, "/inbox", done)


def _shown_again(
    http_request: HttpRequest, holder: Holder, proposal_id: UUID, form: ApproveForm, status: int
) -> HttpResponse:
    """It as it stands by now, beside what is kept by now, with what was typed; stamped as any look."""
    found = or_404(memories.proposal(holder, proposal_id))
    there = memories.beside(holder, [found])
    if found.status is not ProposalStatus.PENDING:
        return _page(http_request, holder, [Row(there[0], "", (), form)], status=status)
    looked = turns.shown(holder, memories.show_beside(holder, there))
    rows = rows_of(there, looked.values, lambda *_: form)
    return _page(http_request, holder, rows, looked.first, looked.last, status)


def _reason_again(http_request: HttpRequest, holder: Holder, found: Proposal, problem: TextProblem) -> HttpResponse:
    """A reason that can't be kept, on the page to be put right, with all else that was typed."""
    typed = ApproveForm(http_request.POST, auto_id=_auto_id(found)) if _typed(http_request, found) else None
    form = typed if typed is not None else _form(found, "", Category.ORDINARY)
    (there,) = memories.beside(holder, [found])
    row = Row(there, "", (), form, http_request.POST.get("reason", ""), problem.detail)
    return _page(http_request, holder, [row], status=400)


def _revision(http_request: HttpRequest) -> int | None:
    """The revision that stood on the page; where none did, any."""
    sent = http_request.POST.get("revision", "")
    return int(sent) if sent.isascii() and sent.isdecimal() and len(sent) < 9 else None


def _page(
    http_request: HttpRequest,
    holder: Holder,
    rows: Sequence[Row],
    first: int = 0,
    last: int = 0,
    status: int = 200,
) -> HttpResponse:
    plain = [row.beside.proposal for row in rows if row.beside.plain and row.text]
    names = access.names(holder.vault_id, holder.actor)
    told = {"rows": rows, "names": names, "first": first, "last": last, "all_plain": reviewed(holder, plain)}
    return page(http_request, "inbox_shown.html", status, plain=plain, **told)


def _form(proposal: Proposal, text: str, category: Category) -> ApproveForm:
    found = {
        "label": proposal.label,
        "subject": proposal.subject,
        "value": text,
        "category": category.value,
        "was": category.value,
        "as_of": proposal.as_of,
        "shown": carried(text),
    }
    return ApproveForm(initial=found, auto_id=_auto_id(proposal))


def _auto_id(proposal: Proposal) -> str:
    return f"{proposal.proposal_id.hex}_%s"
