"""`/verify`: check a file, for everybody. In the browser with script; posted here without; or by what is taken away."""

from typing import Any
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from csp.decorators import csp_replace
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from apps.ledger import services as ledger
from apps.policy.types import Refused
from apps.web.doors import page
from apps.web.saved import SCRIPTS, saved_page
from vault.clock import utc_now

CHOOSE = "Choose a file first."
TOO_LARGE = (
    "This file is larger than is checked here: 1 MB, or 32 MB for a bundle. Check it with script in the browser, "
    "or with the muniment program."
)


@csrf_exempt  # it changes nothing and asks for nobody's session: so nobody needs a cookie for it
@csp_replace({"script-src": [SELF], "style-src": [SELF], "connect-src": [NONE]})
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def verify(http_request: HttpRequest) -> HttpResponse:
    """The page; and, for a browser without script, the answer to the file it posts."""
    answer = _answer(http_request) if http_request.method == "POST" else {}
    given = {"vkeys": ledger.vkeys(), "scripts": SCRIPTS, "host": _host()}
    return page(http_request, "verify.html", **{**given, **answer})


def _answer(http_request: HttpRequest) -> dict[str, Any]:
    file = http_request.FILES.get("file")
    if file is None or file.size == 0:
        return {"problem": CHOOSE}
    try:
        report = ledger.verify_file(file, utc_now())
    except ledger.TooLarge:
        return {"problem": TOO_LARGE}
    if isinstance(report, Refused):
        return {"problem": "Too many files are being checked here just now. Wait a minute, then try again."}
    return {"report": report, "file_name": file.name}


@require_safe
def saved(http_request: HttpRequest) -> HttpResponse:
    """`verify.html`: the page as one file, to keep and to open from a disk."""
    text, policy = saved_page(ledger.vkeys(), _host())
    headers = {"Content-Security-Policy": policy, "Cache-Control": "no-store"}
    return HttpResponse(text, headers=headers)


@require_safe
def program(http_request: HttpRequest) -> HttpResponse:
    """`muniment.pyz`: the offline program, for Python alone."""
    headers = {"Content-Disposition": 'attachment; filename="muniment.pyz"', "Cache-Control": "no-store"}
    return HttpResponse(ledger.program(), content_type="application/zip", headers=headers)


def _host() -> str:
    return urlsplit(settings.PUBLIC_URL).netloc
