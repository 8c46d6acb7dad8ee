"""`/ledger/live`: new ledger lines as they are written, to a tape that shows them or a page that counts them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import wraps

from django.db import connections  # noqa: TID251  (a thread that looked hands its connection back)
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from apps.holders import services as holders
from apps.policy.roles import Deed
from apps.policy.types import Holder
from apps.turns import services as turns
from apps.web import sse
from apps.web.doors import for_holder, still_seated
from apps.web.forms import number_of
from apps.web.lines import lines as as_lines
from apps.web.lines import names_of
from apps.web.views.ledger import filtered

LOOK_EVERY_SECONDS = 0.5
LOOKS = 600  # five minutes; the page then connects again and says what it saw last
QUIET_LOOKS = 30  # a comment every fifteen seconds, so that a dead line is noticed
MOST_LINES = 100

Look = Callable[[int], tuple[int, str]]


def _or_401(view: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """A stream that comes back after signing out is refused, not led to a sign-in page: it then asks less and less."""

    @wraps(view)
    def entered(http_request: HttpRequest) -> HttpResponseBase:
        if "text/event-stream" in http_request.headers.get("Accept", "") and not http_request.user.is_authenticated:
            return HttpResponse(status=401)
        return view(http_request)

    return entered


@require_safe
@_or_401
@for_holder
def lines(http_request: HttpRequest, holder: Holder) -> HttpResponseBase:
    """Follow the ledger from `after` (or from what this page last saw) on. `as=tape`: the lines, else their count."""
    holders.ask(holder, Deed.FOLLOW)
    base = number_of(http_request.GET.get("after", "")) or 0
    seen = max(base, number_of(http_request.headers.get("Last-Event-ID", "")) or 0)
    look = _tape(http_request, holder) if http_request.GET.get("as") == "tape" else _count(http_request, holder, base)
    session = http_request.session.session_key
    return sse.response(_follow(holder, lambda: still_seated(session, holder), look, seen))


async def _follow(holder: Holder, still: Callable[[], bool], look: Look, seen: int) -> AsyncIterator[bytes]:
    for number in range(LOOKS):
        looked = await asyncio.to_thread(_looked, holder, still, look, seen)
        if looked is None:
            return
        newest, html = looked
        if html:
            yield sse.message(html, identity=newest).encode()
        elif number % QUIET_LOOKS == 0:
            yield b": nothing new\n\n"
        seen = newest
        await asyncio.sleep(LOOK_EVERY_SECONDS)


def _looked(holder: Holder, still: Callable[[], bool], look: Look, seen: int) -> tuple[int, str] | None:
    """The newest line's number and what to send, None once nobody is signed in any more."""
    try:
        if not still():
            return None
        newest = turns.last_number(holder)
        return look(seen) if newest > seen else (seen, "")
    finally:
        connections.close_all()


def _tape(http_request: HttpRequest, holder: Holder) -> Look:
    def look(seen: int) -> tuple[int, str]:
        found = turns.receipts(holder, limit=MOST_LINES, after=seen)
        shown = {"lines": as_lines(found, names_of(holder)), "fresh": True}
        return found[0].seq if found else seen, render_to_string("web/ledger/_tape_lines.html", shown, http_request)

    return look


def _count(http_request: HttpRequest, holder: Holder, base: int) -> Look:
    _, query, _ = filtered(http_request, holder)

    def look(seen: int) -> tuple[int, str]:
        newest = turns.last_number(holder)
        found = turns.receipts(holder, limit=MOST_LINES + 1, after=base, **query)
        shown = {"count": len(found), "most": MOST_LINES}
        return newest, render_to_string("web/ledger/_count.html", shown, http_request) if found else ""

    return look
