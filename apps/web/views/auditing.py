"""`/erasures/audit`: is anything left of what was erased. What it cannot tell stands before what it found."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.erasure import services as erasing
from apps.policy.types import Holder
from apps.web.doors import for_holder, page
from vault.clock import utc_now


@require_safe
@for_holder
def audit(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """How far it reaches, what nobody can tell, what was found, and what it comes to."""
    found = erasing.audit(holder, utc_now())
    shown = found.findings[: erasing.MOST_TOLD]
    return page(http_request, "erase/audit.html", audit=found, shown=shown, behind=len(found.findings) - len(shown))
