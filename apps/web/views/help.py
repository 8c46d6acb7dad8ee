"""`/help/…`: what we cannot do, for everybody."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.web.doors import page


@require_safe
def limits(http_request: HttpRequest) -> HttpResponse:
    """The limits, in plain words."""
    return page(http_request, "limits.html")
