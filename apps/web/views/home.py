"""`/`: ask, what waits, and the newest ledger lines."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from apps.access import services as access
from apps.holders import services as holders
from apps.memories import services as memories
from apps.policy.roles import Deed
from apps.policy.types import Holder
from apps.turns import services as turns
from apps.web.doors import for_holder, page
from apps.web.lines import newest
from vault.clock import utc_now

LEDGER_LINES = 5
RECENT_QUESTIONS = 3


@require_safe
@for_holder
def home(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """The ask box, what waits for the holder, their last questions, and the last five ledger lines. Whoever may not ask
    begins with the file.
    """
    if not holders.may(holder, Deed.ASK):
        return redirect("web:file")
    return page(
        http_request,
        "home.html",
        requests=access.waiting(holder, utc_now()),
        proposals=memories.count_pending(holder),
        lapsed=access.lapsed(holder, utc_now()),
        names=turns.names(holder),
        kept=len(memories.memories(holder)),
        recent=[each for each in turns.recent(holder) if each.without_of is None][:RECENT_QUESTIONS],
        lines=newest(holder, LEDGER_LINES),
        example=http_request.GET.get("q", "")[:200],
    )
