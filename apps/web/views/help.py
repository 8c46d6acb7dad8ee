"""`/help/…` and `/notices/…`: what we cannot do, and what stood above a button, for everybody."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.access import services as access
from apps.web.doors import page


@require_safe
def limits(http_request: HttpRequest) -> HttpResponse:
    """The limits, in plain words."""
    return page(http_request, "limits.html")


@require_safe
def notice(http_request: HttpRequest, number: int) -> HttpResponse:
    """A notice word for word: the SHA-256 of what is sent is the digest that consent records name."""
    found = access.notice(number)
    if found is None:
        raise Http404
    return HttpResponse(found.text, content_type="text/plain; charset=utf-8")
