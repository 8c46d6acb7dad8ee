"""The desk's pages: which desks there are, the queue, one row of it, and the second decision."""

from datetime import datetime
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from apps.access import services as access
from apps.console.desk import lists
from apps.console.desk.site import at_desk, found, person, sit, sits, stand_up
from apps.console.desk.words import DONE, NOES, OUTCOMES, SHORTER, checked, decided, how_long
from apps.policy.ids import typed, untyped
from apps.policy.people import Membership
from apps.policy.review import Review
from apps.policy.text import TextProblem
from apps.policy.types import Refused
from apps.policy.vocabulary import Category, Refusal
from vault.clock import utc_now


@require_safe
def index(http_request: HttpRequest) -> HttpResponse:
    """The spaces the person reviews in. Looking shows no queue: one sits down first."""
    desks = [(each, sits(http_request, each)) for each in access.desks(person(http_request))]
    return render(http_request, "desk/index.html", {"desks": desks})


@require_POST
def enter(http_request: HttpRequest, space: str) -> HttpResponse:
    """Sit down at a desk: recorded first, then shown."""
    at = found(http_request, space)
    access.enter(at)
    sit(http_request, at)
    return redirect("desk:queue", typed("spc", at.space_id))


@require_POST
def leave(http_request: HttpRequest, space: str) -> HttpResponse:
    """Get up."""
    at = found(http_request, space)
    if sits(http_request, at):
        stand_up(http_request)
        access.leave(at)
    return redirect("desk:index")


@require_safe
@at_desk
def queue(http_request: HttpRequest, at: Membership) -> HttpResponse:
    """What waits, oldest first."""
    now, problem = utc_now(), ""
    try:
        wanted = lists.asked(http_request.GET)
    except ValueError:
        wanted, problem = lists.Filter("", None, False), "There is no such category. Choose one from the list."
    everything = access.queue(at)
    here = reverse("desk:queue", args=[typed("spc", at.space_id)])
    rows = [
        (
            each.row,
            f"{here}{typed('rvw', each.row.review_id)}",
            _clock(each, now),
            checked(each.checks),
            decided(each.row),
        )
        for each in lists.shown(everything, wanted, now)
    ]
    found_here = {
        "at": at,
        "rows": rows,
        "all": len(everything),
        "most": access.MOST_WAITING,
        "late": sum(each.late(now) for each in everything),
        "oldest": lists.oldest(everything, now),
        "wanted": wanted,
        "categories": list(Category),
        "problem": problem,
    }
    return render(http_request, "desk/queue.html", found_here, status=400 if problem else 200)


@require_safe
@at_desk
def download(http_request: HttpRequest, at: Membership) -> HttpResponse:
    """The queue as a file: the columns of the page."""
    now = utc_now()
    text = lists.as_csv(access.queue(at), now)
    headers = {"Content-Disposition": 'attachment; filename="waiting.csv"'}
    return HttpResponse(text, content_type="text/csv; charset=utf-8", headers=headers)


@require_safe
@at_desk
def one(http_request: HttpRequest, at: Membership, review: str) -> HttpResponse:
    """One row, and what may be done with it."""
    return _page(http_request, at, _row(at, review))


@require_POST
@at_desk
def approve(http_request: HttpRequest, at: Membership, review: str) -> HttpResponse:
    """Let it pass; with a shorter time or fewer reads, for less."""
    row, now = _row(at, review), utc_now()
    try:
        until, reads = _terms(http_request.POST, now)
    except TextProblem as problem:
        return _page(http_request, at, row, 422, problem.detail)
    return _said(http_request, at, row, access.approve(at, row.row.review_id, now, until=until, reads=reads))


@require_POST
@at_desk
def answer(http_request: HttpRequest, at: Membership, review: str) -> HttpResponse:
    """Send it back with a reason, or decline it."""
    row, now, reason = _row(at, review), utc_now(), http_request.POST.get("reason", "")
    try:
        if http_request.POST.get("do") == "decline":
            done = access.decline(at, row.row.review_id, now, reason)
        elif http_request.POST.get("do") == "back":
            done = access.send_back(at, row.row.review_id, reason, now)
        else:
            raise TextProblem("do", "Press one of the buttons: nothing was decided yet.")
    except TextProblem as problem:
        return _page(http_request, at, row, 422, problem.detail)
    return _said(http_request, at, row, done)


# ---------------------------------------------------------------- together
def _row(at: Membership, review: str) -> access.Waiting:
    review_id: UUID | None = untyped("rvw", review)
    row = access.waiting_at(at, review_id) if review_id else None
    if row is None:
        raise Http404
    return row


def _page(
    http_request: HttpRequest, at: Membership, row: access.Waiting, status: int = 200, problem: str = ""
) -> HttpResponse:
    now = utc_now()
    shorter = [(key, words) for key, (words, length) in SHORTER.items() if now + length < row.row.until]
    shown = {
        "at": at,
        "each": row,
        "clock": _clock(row, now),
        "checks": checked(row.checks),
        "decided": decided(row.row),
        "shorter": shorter,
        "outcome": OUTCOMES[row.row.outcome] if row.row.outcome else "",
        "problem": problem,
        "sent": http_request.POST if problem else {},
    }
    return render(http_request, "desk/one.html", shown, status=status)


def _said(http_request: HttpRequest, at: Membership, row: access.Waiting, done: Review | Refused) -> HttpResponse:
    """After a decision: to the queue; or the row again, with why not."""
    if isinstance(done, Refused):
        if done.reason is Refusal.NOT_FOUND:
            raise Http404
        status, sentence = NOES[done.reason]
        return _page(http_request, at, access.waiting_at(at, row.row.review_id) or row, status, sentence)
    assert done.outcome is not None
    messages.success(http_request, DONE[done.outcome])
    return redirect(reverse("desk:queue", args=[typed("spc", at.space_id)]))


def _terms(sent: QueryDict, now: datetime) -> tuple[datetime | None, int | None]:
    """The narrower terms that were sent. Raises TextProblem for what cannot be read: it is taken for nothing wider."""
    key, reads = sent.get("until", ""), sent.get("reads", "").strip()
    if key and key not in SHORTER:
        raise TextProblem("until", "Choose one of the ends that are offered.")
    if reads and not (reads.isascii() and reads.isdigit() and len(reads) < 7 and int(reads)):
        raise TextProblem("reads", "Write a whole number of reads, or leave it empty.")
    return (now + SHORTER[key][1] if key else None), (int(reads) if reads else None)


def _clock(each: access.Waiting, now: datetime) -> str:
    """How long it has waited, and how long there is."""
    if not each.row.waits:
        return ""
    left = each.row.due_at - now
    due = f"late by {how_long(-left)}" if each.late(now) else f"due in {how_long(left)}"
    return f"{how_long(now - each.row.decided_at)}, {due}"
