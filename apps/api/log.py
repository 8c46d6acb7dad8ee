"""`/log/…`: the instance's transparency log as tlog-tiles lays it out, for anybody and for caches.

No session, no cookie, nothing about who asks. A tile never changes; the checkpoint does, and says so. Nothing can be
sent here: what is tried is answered by the method, 405, and not by a token that nobody could have.
"""

import hashlib

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from apps.ledger import services as ledger

TEXT = "text/plain; charset=utf-8"
FOR_EVER = "public, max-age=31536000, immutable"
SECONDS = "public, max-age=1, must-revalidate"


@csrf_exempt
@require_safe
def checkpoint(request: HttpRequest) -> HttpResponse:
    """The newest signed checkpoint."""
    return _answer(request, ledger.checkpoint(), TEXT, SECONDS)


@csrf_exempt
@require_safe
def tile(request: HttpRequest, rest: str) -> HttpResponse:
    """A tile of hashes or a bundle of entries."""
    return _answer(request, ledger.resource(f"tile/{rest}"), "application/octet-stream", FOR_EVER)


@csrf_exempt
@require_safe
def vkey(request: HttpRequest) -> HttpResponse:
    """The log's public keys, a line each: the one in force first."""
    lines = "".join(f"{each}\n" for each in ledger.vkeys())
    return _answer(request, lines.encode() or None, TEXT, SECONDS)


def _answer(request: HttpRequest, body: bytes | None, kind: str, caching: str) -> HttpResponse:
    if body is None:
        headers = {"Cache-Control": "no-store"}
        return HttpResponse("There is nothing here.\n", status=404, content_type=TEXT, headers=headers)
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"Cache-Control": caching, "ETag": tag}
    asked = [each.strip().removeprefix("W/") for each in request.headers.get("If-None-Match", "").split(",")]
    if tag in asked or "*" in asked:
        return HttpResponseNotModified(headers=headers)
    return HttpResponse(body, content_type=kind, headers=headers)


urlpatterns = [
    path("checkpoint", checkpoint, name="log-checkpoint"),
    path("vkey", vkey, name="log-vkey"),
    path("tile/<path:rest>", tile, name="log-tile"),
]
