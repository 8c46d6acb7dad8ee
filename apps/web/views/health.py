"""`/healthz`: this process answers. `/readyz`: so do the database and the broker. Neither knows a person."""

from collections.abc import Callable

from django.core.cache import cache
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from apps.holders import services as holders

NOBODY = bytes(32)


@require_safe
@never_cache
def healthz(http_request: HttpRequest) -> JsonResponse:
    """200 while the process answers at all."""
    return JsonResponse({"status": "ok"})


@require_safe
@never_cache
def readyz(http_request: HttpRequest) -> JsonResponse:
    """200 when the database and the broker answer, else 503, each by its name."""
    found = {"database": _answers(lambda: holders.vault_of(NOBODY)), "broker": _answers(lambda: cache.get("ready"))}
    ready = all(found.values())
    said = {name: "ok" if well else "no answer" for name, well in found.items()}
    return JsonResponse({"status": "ok" if ready else "not ready", **said}, status=200 if ready else 503)


def _answers(question: Callable[[], object]) -> bool:
    try:
        question()
    except Exception:
        return False
    return True
