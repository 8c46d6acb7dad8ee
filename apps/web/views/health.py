"""`/healthz`: this process answers. `/readyz`: so do the database and the broker, and whether it may stamp. Neither
knows a person."""

from collections.abc import Callable

from django.core.cache import cache
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from apps.holders import services as holders
from apps.ledger import services as ledger

NOBODY = bytes(32)


@csrf_exempt
@require_safe
@never_cache
def healthz(http_request: HttpRequest) -> JsonResponse:
    """200 while the process answers at all."""
    return JsonResponse({"status": "ok"})


@csrf_exempt
@require_safe
@never_cache
def readyz(http_request: HttpRequest) -> JsonResponse:
    """200 when the database and the broker answer, else 503, each by its name.

    On hold it is 200 all the same, and says so: people come to read the ledger and to check it. So it is where nobody
    could say at the start whether the log's keys or its newest database are there.
    """
    found = {"database": _answers(lambda: holders.vault_of(NOBODY)), "broker": _answers(lambda: cache.get("ready"))}
    ready = all(found.values())
    said = {name: "ok" if well else "no answer" for name, well in found.items()}
    if not ready:
        return JsonResponse({"status": "not ready", **said}, status=503)
    if ledger.doubts():  # in whole sentences, with paths, on the console and by the doctor
        said["log"] = "in doubt"
    return JsonResponse({"status": "on hold" if ledger.on_hold() else "ok", **said})


def _answers(question: Callable[[], object]) -> bool:
    try:
        question()
    except Exception:
        return False
    return True
