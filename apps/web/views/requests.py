"""`/requests/<req_…>`: one assistant's request, decided part by part, on one screen of a phone."""

from datetime import datetime, timedelta
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from apps.access import services as access
from apps.access.services import Decision
from apps.ledger import services as ledger
from apps.policy.ids import typed, untyped
from apps.policy.types import AccessRequest, Holder
from apps.policy.vocabulary import Category, PartStatus, ReceiptKind
from apps.web.doors import back, for_holder, or_404, page
from apps.web.words import DONE, MOST_COUNTED
from vault.clock import utc_now

HOW_LONG = {
    "hour": ("for an hour", timedelta(hours=1)),
    "day": ("for a day", timedelta(days=1)),
    "week": ("for 7 days", timedelta(days=7)),
    "month": ("for 30 days", timedelta(days=30)),
}
MOST_READS = 10_000


@require_safe
@for_holder
def request(http_request: HttpRequest, holder: Holder, request_id: UUID) -> HttpResponse:
    """Who asks, for what, why, for how long, and what they were handed before."""
    found = or_404(access.request(holder, request_id))
    if found.turn_id:
        return redirect("web:turn", found.turn_id)
    client = next((each for each in access.clients(holder) if each.client_id == found.client_id), None)
    actor = typed("cli", found.client_id)
    before = ledger.receipts(
        holder.vault_id, holder.actor, limit=MOST_COUNTED, actor=actor, kind=ReceiptKind.VALUE_READ.value
    )
    return page(
        http_request,
        "request.html",
        request_=found,
        client=client,
        choices=access.choices(holder, found),
        waiting=found.status is PartStatus.PENDING and found.expires_at > utc_now(),
        asked_for=timedelta(seconds=found.ttl_seconds),
        how_long=[(key, words) for key, (words, _) in HOW_LONG.items()],
        before=before,
        done=DONE,
    )


@require_POST
@for_holder
def decide(http_request: HttpRequest, holder: Holder, request_id: UUID) -> HttpResponse:
    """Decide one part. Allowing needs something chosen; the other button is a no."""
    found = or_404(access.request(holder, request_id))
    name, now = http_request.POST.get("part", ""), utc_now()
    category = or_404(Category(name) if name in set(Category) else None)
    decided = access.decide(holder, request_id, {category: _decision(http_request, found, now)}, now)
    return back(http_request, decided, f"/requests/{typed('req', request_id)}")


def _decision(http_request: HttpRequest, found: AccessRequest, now: datetime) -> Decision:
    if http_request.POST.get("do") != "allow":
        return Decision()
    ids = frozenset(each for text in http_request.POST.getlist("give") if (each := untyped("mem", text)))
    chosen = http_request.POST.get("until", "once")
    if chosen == "asked":
        return Decision(ids, now + timedelta(seconds=found.ttl_seconds), found.max_reads)
    if chosen not in HOW_LONG:
        return Decision(ids)
    reads = http_request.POST.get("reads", "")
    counted = min(int(reads), MOST_READS) if reads.isascii() and reads.isdecimal() and len(reads) < 9 else None
    return Decision(ids, now + HOW_LONG[chosen][1], max(counted, 1) if counted is not None else None)
