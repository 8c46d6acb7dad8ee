"""Browsers that somebody signed in with before: who signs in with another one is told by letter.

A cookie says that a browser is known for an account, and says to nobody for whose. It is made from the password's hash
too, so that a new password makes every browser unknown.
"""

from typing import Any

from allauth.account.signals import user_logged_in, user_signed_up
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

from apps.holders import services as holders
from apps.web import browsers
from vault.clock import utc_now

KNOWN_SECONDS = 400 * 86_400  # the longest that browsers keep a cookie


def listen() -> None:
    """Look at every sign-in from now on."""
    user_signed_up.connect(_signed_up, dispatch_uid="muniment.known")
    user_logged_in.connect(_signed_in, dispatch_uid="muniment.known")


def _made(use: str, about: str) -> str:
    return salted_hmac(f"muniment-known-browser/1/{use}", about, algorithm="sha256").hexdigest()


def _signed_up(sender: Any, request: HttpRequest, **more: Any) -> None:
    request.META["muniment.new"] = True  # the sign-in that follows is no news


def _signed_in(sender: Any, request: HttpRequest, user: Any, response: HttpResponse | None = None, **more: Any) -> None:
    name, value = f"known_{_made('name', user.pk.hex)[:16]}", _made("value", f"{user.pk.hex}/{user.password}")
    known = constant_time_compare(request.COOKIES.get(name, ""), value)
    if not known and "muniment.new" not in request.META:
        holders.signed_in(user.pk, browsers.named(request.headers.get("User-Agent", "")), utc_now())
    if response is not None:
        response.set_cookie(
            name,
            value,
            max_age=KNOWN_SECONDS,
            secure=settings.SECURE,
            httponly=True,
            samesite="Lax",
        )
