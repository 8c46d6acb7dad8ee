"""The way in for whoever was given a link: no account, no session, no cookie before something was opened.

A page that is shown carries its nonce, and the press sends it back: signed for this link, good for an hour and for one
press. What was opened is looked at again with a cookie that is bound to that opening and good for fifteen minutes.
"""

import hashlib
import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import wraps
from typing import Concatenate, ParamSpec
from uuid import UUID

from allauth.account.adapter import get_adapter
from csp.constants import NONE, SELF
from csp.decorators import csp_replace
from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters

from apps.ledger import services as ledger
from apps.policy.shares import VIEWING
from apps.web.doors import UNSEEN
from vault import limits
from vault.failures import busy
from vault.tokens import token_hash

NONCE_SECONDS = 3600
CLOSED = "Nothing can be kept just now. Wait a minute, then leave it again: what you wrote stands here."
PRESSES_PER_TOKEN = 30  # a minute
HEADERS = UNSEEN | {"X-Robots-Tag": "noindex, nofollow"}
_PAGE = signing.TimestampSigner(salt="muniment.share.page")
_VIEW = signing.TimestampSigner(salt="muniment.share.view")
Rest = ParamSpec("Rest")


def visited(
    view: Callable[Concatenate[HttpRequest, Rest], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Rest], HttpResponseBase]:
    """A page for visitors: it takes nothing from elsewhere, asks for nobody's session, and is kept and found nowhere.

    Its forms carry a nonce of their own in place of the token that would need a cookie.
    """

    @wraps(view)
    def entered(http_request: HttpRequest, /, *args: Rest.args, **kwargs: Rest.kwargs) -> HttpResponse:
        try:
            response = view(http_request, *args, **kwargs)
        except Exception as error:
            if not isinstance(error, ledger.OnHold) and not busy(error):
                raise
            sent = http_request.POST
            if "note" in sent:  # what was typed is not lost
                response = shown("noted", 503, problem=CLOSED, note=sent["note"], token=sent.get("token", ""))
            else:
                response = shown("closed", 503)
            response.headers["Retry-After"] = "60"
        for name, says in HEADERS.items():
            response.headers[name] = says
        return response

    policy = csp_replace({"script-src": [SELF], "style-src": [SELF], "img-src": [SELF], "connect-src": [NONE]})
    kept: Callable[..., HttpResponseBase] = csrf_exempt(sensitive_post_parameters()(policy(entered)))
    return kept


def shown(template: str, status: int = 200, *, token: str = "", **told: object) -> HttpResponse:
    """A page for visitors. With a `token` its forms are for that link: they carry it, and a nonce for it that is new
    each time. It is written without the request: nobody's session is looked for.
    """
    context = {**told, "token": token, "nonce": _nonce(token)} if token else told
    return HttpResponse(render_to_string(f"web/visitor/{template}.html", context), status=status)


def was_shown(token: str, nonce: str) -> bool:
    """Does this nonce come from a page that was shown for this link within the hour?"""
    said = _unsigned(_PAGE, nonce, NONCE_SECONDS)
    return said is not None and said.partition(".")[0] == _named(token)


def pressed_before(nonce: str) -> bool:
    """Was this press made already? Counted: a page that is sent again, by a reload or a second click, opens once."""
    return limits.count(f"press:{hashlib.sha256(nonce.encode()).hexdigest()}", NONCE_SECONDS) > 1


def comes_too_often(http_request: HttpRequest, now: datetime) -> bool:
    """More than visitors at one address may send in this minute?"""
    address = hashlib.sha256(get_adapter().get_client_ip(http_request).encode()).hexdigest()[:32]
    return limits.over(f"visits:{address}", settings.SHARE_PRESSES_PER_MINUTE, 60, now) is not None


def pressed_too_often(token: str, now: datetime) -> bool:
    """More presses than one link takes in this minute? The same for links that are none. Asked once it is a press: what
    a machine sends without the page keeps nobody out.
    """
    return limits.over(f"presses:{_named(token)}", PRESSES_PER_TOKEN, 60, now) is not None


def remember(response: HttpResponse, token: str, opening: UUID) -> None:
    """Let this browser look again for fifteen minutes."""
    response.set_cookie(
        _cookie(token),
        _VIEW.sign(f"{_named(token)}.{opening.hex}"),
        max_age=VIEWING,
        path="/s",
        secure=settings.SECURE,
        httponly=True,
        samesite="Strict",
    )


def opened_by(http_request: HttpRequest, token: str) -> UUID | None:
    """What this browser opened of this link within fifteen minutes."""
    said = _unsigned(_VIEW, http_request.COOKIES.get(_cookie(token), ""), VIEWING)
    link, _, opening = (said or "").partition(".")
    return UUID(hex=opening) if link == _named(token) else None


def _nonce(token: str) -> str:
    return _PAGE.sign(f"{_named(token)}.{secrets.token_hex(8)}")


def _named(token: str) -> str:
    """What stands for a link where its token must not."""
    return token_hash(token).hex()[:32]


def _cookie(token: str) -> str:
    return f"opened_{_named(token)[:8]}"


def _unsigned(signer: signing.TimestampSigner, text: str, most: timedelta | int) -> str | None:
    try:
        return signer.unsign(text, max_age=most)
    except signing.BadSignature:
        return None
