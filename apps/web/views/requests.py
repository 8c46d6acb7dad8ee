"""`/requests/<req_…>`: one assistant's request, decided part by part, on one screen of a phone."""

from datetime import datetime, timedelta
from uuid import UUID

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from apps.access import services as access
from apps.access.services import NO, Decision
from apps.holders import services as holders
from apps.policy.ids import typed, untyped
from apps.policy.review import longest
from apps.policy.text import TextProblem
from apps.policy.types import AccessRequest, Holder, Refused
from apps.policy.vocabulary import Category, PartStatus, ReceiptKind, Refusal
from apps.turns import services as turns
from apps.web.doors import back, for_holder, or_404, page
from apps.web.forms import how_many
from apps.web.notices import shown
from apps.web.words import DONE, HOW_LONG, MOST_COUNTED
from vault.clock import utc_now


@require_safe
@for_holder
def request(http_request: HttpRequest, holder: Holder, request_id: UUID) -> HttpResponse:
    """Who asks, for what, why, for how long, and what they were handed before."""
    found = or_404(access.request(holder, request_id))
    if found.turn_id:
        return redirect("web:turn", found.turn_id)
    return _page(http_request, holder, found)


def _page(http_request: HttpRequest, holder: Holder, found: AccessRequest, problem: str = "") -> HttpResponse:
    """The request; with a problem, as it was sent."""
    client = next((each for each in access.clients(holder) if each.client_id == found.client_id), None)
    actor = typed("cli", found.client_id)
    before = turns.receipts(holder, limit=MOST_COUNTED, actor=actor, kind=ReceiptKind.VALUE_READ.value)
    settled, asked_for = holders.policy(holder.vault_id), timedelta(seconds=found.ttl_seconds)
    return page(
        http_request,
        "request.html",
        400 if problem else 200,
        problem=problem,
        sent=_Sent(http_request.POST) if problem else None,
        request_=found,
        client=client,
        choices=access.choices(holder, found),
        waiting=found.status is PartStatus.PENDING and found.expires_at > utc_now(),
        asked_for=asked_for,
        how_long=[(key, f"for {words}") for key, (words, length) in HOW_LONG.items() if length <= longest(settled)],
        as_asked=asked_for <= longest(settled),
        settled=settled,
        before=before,
        notice=access.notice_above(holder, access.REQUEST_NOTICE),
        done=DONE,
    )


@require_POST
@for_holder
def decide(http_request: HttpRequest, holder: Holder, request_id: UUID) -> HttpResponse:
    """Decide one part. Allowing needs something chosen; the other button is the only no."""
    found = or_404(access.request(holder, request_id))
    name, now = http_request.POST.get("part", ""), utc_now()
    category = or_404(Category(name) if name in set(Category) else None)
    try:
        decision = {category: _decision(http_request, found, now)}
        decided = access.decide(holder, request_id, decision, now, shown=shown(http_request, holder))
    except TextProblem as problem:
        return _page(http_request, holder, found, problem.detail)
    if isinstance(decided, Refused) and decided.reason is Refusal.NOT_FOUND:  # of it; the request itself is there
        return _page(http_request, holder, found, "Something of what you chose is not here any more. Choose again.")
    return back(http_request, decided, f"/requests/{typed('req', request_id)}")


def _decision(http_request: HttpRequest, found: AccessRequest, now: datetime) -> Decision:
    """What was pressed. Raises TextProblem for what can't be read: it is never taken for anything wider."""
    sent = http_request.POST
    if sent.get("do") == "deny":
        return NO
    if sent.get("do") != "allow":
        raise TextProblem("do", "Press one of the two buttons: nothing was decided yet.")
    ids = frozenset(each for text in sent.getlist("give") if (each := untyped("mem", text)))
    subjects = frozenset(sent.getlist("under"))
    chosen, reads = sent.get("until", "once"), how_many(sent.get("reads", ""), "reads")
    if chosen == "asked":
        return Decision(ids, now + timedelta(seconds=found.ttl_seconds), reads or found.max_reads, subjects)
    if chosen == "once":
        if reads not in (None, 1):
            raise TextProblem("reads", "Once is one read. Choose for how long, or leave the number of reads empty.")
        return Decision(ids, subjects=subjects)
    if chosen not in HOW_LONG:
        raise TextProblem("until", "Choose one of the lengths that are offered.")
    return Decision(ids, now + HOW_LONG[chosen][1], reads, subjects)


class _Sent:
    """What was sent and could not be taken, to show it again."""

    def __init__(self, post: QueryDict) -> None:
        self.part, self.until, self.reads = post.get("part", ""), post.get("until", ""), post.get("reads", "")
        self.give = {each for text in post.getlist("give") if (each := untyped("mem", text))}
        self.under = set(post.getlist("under"))
