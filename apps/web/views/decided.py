"""`/inbox/decided`: what was decided about suggestions, to look at again, to undo, and to let be suggested again."""

from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from apps.holders import services as holders
from apps.memories import services as memories
from apps.policy.ids import typed, untyped
from apps.policy.roles import Deed
from apps.policy.staging import Void, judge_undo
from apps.policy.types import Holder, Proposal, Refused
from apps.policy.vocabulary import Directive, MarkKind, ProposalStatus, Refusal
from apps.turns import services as turns
from apps.web.doors import back, for_holder, page
from apps.web.lines import Names
from apps.web.words import VOIDS
from vault.clock import utc_now

PAGE = 50
STALE = (
    "It was changed again since, so it can’t be undone here. "
    "Open the memory in the file: its history takes back the version you mean."
)
OVER = [each for each in ProposalStatus if each is not ProposalStatus.PENDING]
KEEPS = (Directive.ADD, Directive.CORRECT, Directive.REVERT, Directive.RESCOPE)  # a memory is what they became


@dataclass(frozen=True, slots=True)
class Row:
    """One decision: by whom, whether it can be undone still, the memory that it made or changed, where it did, and why
    nobody was asked about it, where nobody was.
    """

    proposal: Proposal
    who: str
    open: bool
    memory_id: UUID | None
    void: str


@require_safe
@for_holder
def decided(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """What was decided, the newest first, fifty a page: all of it, of one sort, or of one assistant. No values: what
    was rejected is destroyed, what was kept is shown at the memory.
    """
    holders.ask(holder, Deed.FOLLOW)
    sent = http_request.GET
    status = next((each for each in OVER if each.value == sent.get("only")), None)
    client_id, after = untyped("cli", sent.get("assistant", "")), untyped("prp", sent.get("after", ""))
    found = memories.decided(holder, status=status, client_id=client_id, after=after, limit=PAGE + 1)
    shown, now = found[:PAGE], utc_now()
    names = Names({}, {}, turns.names(holder), holders.acted(holder), holder)
    chosen = {"only": status.value if status else "", "assistant": typed("cli", client_id) if client_id else ""}
    older = typed("prp", shown[-1].proposal_id) if len(found) > PAGE else ""
    return page(
        http_request,
        "decided.html",
        rows=[_row(each, names, judge_undo(each, now) is None and not each.forgotten) for each in shown],
        names=names.clients,
        sorts=OVER,
        only=status,
        client_id=client_id if client_id is not None and typed("cli", client_id) in names.clients else None,
        after=after,
        assistant_query=_query(assistant=chosen["assistant"]),
        older_query=_query(**chosen, after=older) if older else "",
    )


def _row(proposal: Proposal, names: Names, is_open: bool) -> Row:
    kept = proposal.status is ProposalStatus.APPROVED and proposal.directive in KEEPS
    return Row(
        proposal,
        names.party(proposal.decided_by) if proposal.decided_by else "",
        is_open,
        proposal.outcome_id if kept and not proposal.forgotten else None,
        next((VOIDS[Void(each.how)] for each in proposal.marked(MarkKind.VOID) if each.how in set(Void)), ""),
    )


def _query(**given: str) -> str:
    return urlencode({name: each for name, each in given.items() if each})


@require_POST
@for_holder
def lift(http_request: HttpRequest, holder: Holder, proposal_id: UUID) -> HttpResponse:
    """What was rejected, or kept in other words, may be suggested again."""
    lifted = memories.lift(holder, proposal_id, utc_now())
    return back(http_request, lifted, _from(http_request), "It may be suggested again.")


@require_POST
@for_holder
def undo(http_request: HttpRequest, holder: Holder, proposal_id: UUID) -> HttpResponse:
    """Take back one approval."""
    undone = memories.undo(holder, proposal_id, utc_now())
    if isinstance(undone, Refused) and undone.reason is Refusal.STALE:
        messages.warning(http_request, STALE)
        return redirect(_from(http_request))
    return back(http_request, undone, _from(http_request), "Undone.")


@require_POST
@for_holder
def undo_batch(http_request: HttpRequest, holder: Holder, batch_id: UUID) -> HttpResponse:
    """Take back all that was approved in one go."""
    done = memories.undo_batch(holder, batch_id, utc_now())
    if isinstance(done, Refused):
        return back(http_request, done, _from(http_request))
    undone = done.count(memories.Done.APPLIED)
    left = len(done.items) - undone
    words = f"Undone: {undone}." + (f" {left} stayed: changed since, or undone before." * (left > 0))
    return back(http_request, done, _from(http_request), words)


def _from(http_request: HttpRequest) -> str:
    """The page that the form stood on, as far down as it was."""
    sent = http_request.POST
    if sent.get("from") != "decided":
        return reverse("web:inbox")
    query = _query(**{name: sent.get(name, "") for name in ("only", "assistant", "after")})
    return reverse("web:decided") + (f"?{query}" if query else "")
