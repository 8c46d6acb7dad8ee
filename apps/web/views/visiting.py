"""`/s/<token>`: what a visitor sees before they press, the same for every link; `/s`: the press, and what it opens."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeVar
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods, require_safe

from apps.ledger import services as ledger
from apps.policy.text import TextProblem
from apps.policy.types import Refused
from apps.policy.vocabulary import Refusal
from apps.shares import services as shares
from apps.web import browsers, visitors
from apps.web.visitors import shown, visited
from vault.clock import utc_now
from vault.failures import DATABASE_FAILED, busy, note

log = logging.getLogger("muniment.web")
Answer = TypeVar("Answer")
UNSTAMPED: tuple[type[Exception], ...] = (ledger.OnHold, *DATABASE_FAILED)
STALE = "This page was too old. Nothing was opened or counted. If you were expecting this, press Open."
TWICE = "This was pressed before. If you press Open now, it is counted once more."
ENOUGH = "By this link as many notes were left as it takes. Say it to whoever shared it in another way."
OFTEN = "That was too often in a short time. Wait a minute, then leave it again: what you wrote stands here."
NOT_THE_CODE = "This is not the code. Look at it again, then type it."
NONE_FITS = "No code fits now: have another one sent, then type that."
MINUTE = timedelta(minutes=1)
TWO_HOURS = 120  # minutes; longer than that is told in hours


@visited
@require_safe
def landing(http_request: HttpRequest, token: str) -> HttpResponse:
    """The page of every link, of those that open something and of those that don't. Nobody is asked which it is."""
    return shown("landing", token=token)


@visited
@require_safe
def askew(http_request: HttpRequest, parts: list[str]) -> HttpResponse:
    """An address that is nearly a link's. With one part after the `s` it is taken for that link's; else it leads
    nowhere, and is kept and found nowhere all the same, for a whole token may be in it.
    """
    return shown("landing", token=parts[0]) if len(parts) == 1 else shown("askew", 404)


@visited
@require_http_methods(["GET", "HEAD", "POST"])
def press(http_request: HttpRequest) -> HttpResponse:
    """The press: it opens, or asks for the code first. What this browser opened is looked at again without another."""
    if http_request.method != "POST":
        return shown("again")
    sent, now = http_request.POST, utc_now()
    token, nonce = sent.get("token", ""), sent.get("nonce", "")
    opening = visitors.opened_by(http_request, token)
    if visitors.comes_too_often(http_request, now):
        return _kept(429, OFTEN, sent["note"], token) if "note" in sent else shown("often", 429)
    if "note" in sent:
        return _noted(token, opening, sent["note"], now)
    if opening is not None:
        return _told(token, _done(lambda: shares.view(token, opening, now)))
    if not visitors.was_shown(token, nonce):
        return shown("landing", 403, why=STALE, token=token)
    if visitors.pressed_before(nonce):
        return shown("landing", 409, why=TWICE, token=token)
    if visitors.pressed_too_often(token, now):
        return shown("often", 429)
    return _opened(http_request, token, now)


def _opened(http_request: HttpRequest, token: str, now: datetime) -> HttpResponse:
    """What the press opens; or the page that asks for the code, and has it mailed."""
    sent, client = http_request.POST, browsers.named(http_request.headers.get("User-Agent", ""))
    again = sent.get("do") == "mail-again"
    found = _done(
        lambda: (
            shares.knock(token, now) if again else shares.open_(token, now, code=sent.get("code", ""), client=client)
        )
    )
    if isinstance(found, shares.Challenge):
        return _asked(token, found, now)
    response = _told(token, found)
    if isinstance(found, shares.Opened):
        visitors.remember(response, token, found.opening.opening_id)
    return response


def _done(deed: Callable[[], Answer]) -> Answer | Refused:
    """What comes of a press. What is there but cannot be stamped, as while the instance is on hold or somebody holds
    the vault for long, is answered as what leads nowhere: else a press of which nothing is written down would tell that
    a link leads somewhere.
    """
    try:
        return deed()
    except UNSTAMPED as error:
        if not isinstance(error, ledger.OnHold) and not busy(error):
            note(log, error)
        return Refused(Refusal.SHARE_GONE)


def _asked(token: str, found: shares.Challenge, now: datetime) -> HttpResponse:
    """The page that asks for a code: whether one is under way that fits, for how long, and when another can be sent. Or
    that none is taken for a while.
    """
    if found.waits is not None:
        return shown("waits", 429, waits=_minutes(-((now - found.waits) // MINUTE)))
    by_mail = found.code is shares.Code.MAIL
    wrong = "" if not found.wrong else NONE_FITS if by_mail and found.fits is None else NOT_THE_CODE
    return shown(
        "code",
        token=token,
        by_mail=by_mail,
        wrong=wrong,
        mailed=found.mailed,
        fits=_minutes((found.fits - now) // MINUTE) if found.fits else "",
        again=_minutes(-((now - found.until) // MINUTE)) if found.until else "",
    )


def _minutes(many: int) -> str:
    if many >= TWO_HOURS:
        return f"{-(-many // 60)} hours"
    return f"{many} minutes" if many > 1 else "a minute" if many == 1 else "less than a minute"


def _told(token: str, found: shares.Opened | Refused) -> HttpResponse:
    """What was handed over; for what leads nowhere, one and the same page, whatever the reason."""
    if isinstance(found, Refused):
        return shown("gone", 404)
    return shown("opened", found=found, token=token, zone=found.zone)


def _noted(token: str, opening: UUID | None, text: str, now: datetime) -> HttpResponse:
    """A note to whoever shared it; what cannot be kept comes back with why. Too late, by a link that opens nothing, and
    from a browser that opened nothing are one and the same.
    """
    try:
        left = shares.leave_note(token, opening, text.replace("\r\n", "\n"), now) if opening else None
    except TextProblem as problem:
        return _kept(400, problem.detail, text, token)
    if isinstance(left, Refused) and left.reason is Refusal.RATE_LIMITED:
        return _kept(429, ENOUGH, text, token)
    if left is None or isinstance(left, Refused):
        return shown("noted", 404, late=True, note=text)
    return shown("noted", token=token)


def _kept(status: int, problem: str, text: str, token: str) -> HttpResponse:
    """A note that was not left: its words stay on the page, with why."""
    return shown("noted", status, problem=problem, note=text, token=token)
