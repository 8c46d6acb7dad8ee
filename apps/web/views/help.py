"""`/help/…` and `/notices/…`: what we cannot do, and what stood above a button, for everybody."""

from uuid import UUID

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
    return _text(access.notice(number))


@require_safe
def space_notice(http_request: HttpRequest, number: int, space_id: UUID, version: int) -> HttpResponse:
    """One of ours with a space's own below it, as it stood under that version of the space's policy."""
    return _text(access.notice(number, access.Below(space_id, version)))


def _text(found: access.Notice | None) -> HttpResponse:
    if found is None:
        raise Http404
    return HttpResponse(found.text, content_type="text/plain; charset=utf-8")
