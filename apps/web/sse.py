"""Server-sent events: how a message is written, and a response that no proxy holds back."""

from collections.abc import AsyncIterator

from django.http import StreamingHttpResponse


def message(html: str, *, identity: int | None = None) -> str:
    """One unnamed message: markup that the page puts in place. `identity` comes back as Last-Event-ID."""
    numbered = f"id: {identity}\n" if identity is not None else ""
    return numbered + "".join(f"data: {line}\n" for line in html.splitlines() or [""]) + "\n"


def response(events: AsyncIterator[bytes]) -> StreamingHttpResponse:
    """A stream of events, sent as they come."""
    return StreamingHttpResponse(
        events,
        content_type="text/event-stream; charset=utf-8",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )
