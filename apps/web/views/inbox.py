"""`/inbox`: what assistants ask for and what they suggest. Nothing becomes a memory until the holder says so."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.ids import untyped
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Proposal
from apps.policy.vocabulary import Category
from apps.turns import services as turns
from apps.web.doors import back, for_holder, or_404, page
from apps.web.forms import ApproveForm, carried, untouched
from vault.clock import utc_now

Row = tuple[Proposal, str, ApproveForm]


@require_safe
@for_holder
def inbox(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Requests and proposals that wait, and what waits for a reviewer after a yes. Labels and reasons only: what a
    proposal says is shown by a press.
    """
    return page(
        http_request,
        "inbox.html",
        requests=access.waiting(holder, utc_now()),
        reviewed=access.in_review(holder, utc_now()),
        proposals=memories.proposals(holder),
        lapsed=access.lapsed(holder, utc_now()),
        names=access.names(holder.vault_id, holder.actor),
    )


@require_POST
@for_holder
def show(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """What the chosen proposals say, stamped as shown to the holder, to edit, approve or reject."""
    wanted = {untyped("prp", each) for each in http_request.POST.getlist("proposal")}
    chosen = tuple(each for each in memories.proposals(holder) if each.proposal_id in wanted)[: memories.MOST_SHOWN]
    if not chosen:
        return redirect("web:inbox")
    looked = turns.shown(holder, memories.show_candidates(holder, chosen))
    texts = {each.memory_id: each.value or "" for each in looked.values}
    rows = [
        (each, texts[each.memory_id], _form(each, texts[each.memory_id])) for each in chosen if each.memory_id in texts
    ]
    return _page(http_request, holder, rows, first=looked.first, last=looked.last)


@require_POST
@for_holder
def approve(http_request: HttpRequest, holder: Holder, proposal_id: UUID) -> HttpResponse:
    """Make it a memory, in the holder's words where they changed them."""
    found = or_404(memories.proposal(holder, proposal_id))
    form = ApproveForm(http_request.POST, auto_id=_auto_id(found))
    if form.is_valid():
        given = form.cleaned_data
        try:
            approved = memories.approve(
                holder,
                proposal_id,
                label=given["label"],
                subject=given["subject"],
                value=None if untouched(given["value"], given["shown"]) else given["value"],
                category=form.kind,
                neutral_label=given["neutral_label"],
                claim=form.attested,
                now=utc_now(),
            )
        except TextProblem as problem:
            form.blame(problem)
        else:
            return back(http_request, approved, "/inbox", f"Kept: {given['label']}.")
    return _page(http_request, holder, [(found, "", form)], status=400)


@require_POST
@for_holder
def reject(http_request: HttpRequest, holder: Holder, proposal_id: UUID) -> HttpResponse:
    """Say no: what it says is destroyed, and the same one again is refused."""
    rejected = memories.reject(holder, proposal_id, utc_now())
    return back(http_request, rejected, "/inbox", "Rejected. The same one can't be suggested again.")


def _page(
    http_request: HttpRequest, holder: Holder, rows: list[Row], first: int = 0, last: int = 0, status: int = 200
) -> HttpResponse:
    names = access.names(holder.vault_id, holder.actor)
    return page(http_request, "inbox_shown.html", status, rows=rows, names=names, first=first, last=last)


def _form(proposal: Proposal, text: str) -> ApproveForm:
    found = {
        "label": proposal.label,
        "subject": proposal.subject,
        "value": text,
        "category": Category.ORDINARY.value,
        "as_of": proposal.as_of,
        "shown": carried(text),
    }
    return ApproveForm(initial=found, auto_id=_auto_id(proposal))


def _auto_id(proposal: Proposal) -> str:
    return f"{proposal.proposal_id.hex}_%s"
