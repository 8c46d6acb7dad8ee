"""`/ledger.bundle.jsonl`: the ledger as a bundle to keep, which anybody can check."""

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from apps.holders import services as holders
from apps.ledger import services as ledger
from apps.policy.roles import Deed
from apps.policy.types import Holder
from apps.web.doors import for_holder
from vault.clock import utc_now
from vault.streaming import pulled

MOST_DIGITS = 15


@require_safe
@for_holder
def download(http_request: HttpRequest, holder: Holder) -> HttpResponseBase:
    """The receipts from the number `from` to the number `to`; all of them without."""
    holders.ask(holder, Deed.TAKE)
    try:
        first, last = (_number(http_request, name) for name in ("from", "to"))
        made = ledger.bundle(holder.vault_id, holder.actor, utc_now(), first, last)
    except ledger.BadRange as problem:
        return HttpResponse(f"{problem.which}: {problem}\n", status=400, content_type="text/plain; charset=utf-8")
    headers = {"Content-Disposition": f'attachment; filename="{made.name}"'}
    return StreamingHttpResponse(pulled(made.parts), content_type="application/jsonl", headers=headers)


def _number(http_request: HttpRequest, name: str) -> int | None:
    text = http_request.GET.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdecimal()) or len(text) > MOST_DIGITS or not int(text):
        raise ledger.BadRange(name, "Give a receipt's number, such as 12, or leave it out.")
    return int(text)
