"""The operator's page: spaces by name, everything else by number, and whether the parts answer."""

from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.erasure import services as erasure
from apps.holders import services as holders
from apps.ledger import services as ledger
from apps.mail import services as mail
from apps.turns import services as turns
from vault.celery import app as celery
from vault.clock import utc_now

PING_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the instance and how it is: `well` None where that is not a question of well or not."""

    name: str
    well: bool | None
    said: str


@require_safe
def index(http_request: HttpRequest) -> HttpResponse:
    """Counts, and the health of the parts."""
    parts = [_stamping(), _log(), _broker(), _worker(), _backup(), _model(), _mail(), _sign_up()]
    return render(http_request, "console/index.html", {"census": holders.census(), "parts": parts})


def _stamping() -> Part:
    held = ledger.on_hold()
    if held is None:
        return Part("Stamping", True, "goes on")
    return Part("Stamping", False, f"on hold since {held.at:%Y-%m-%d %H:%M} UTC: {held.reason} Run manage.py guard")


def _log() -> Part:
    doubts = ledger.doubts()
    return Part("Log", not doubts, " ".join(doubts) or "nothing was in doubt at the last start")


def _broker() -> Part:
    try:
        cache.get("ready")
    except Exception as error:
        return Part("Broker", False, f"no answer ({type(error).__name__})")
    return Part("Broker", True, "answers")


def _worker() -> Part:
    try:
        answers = celery.control.ping(timeout=PING_SECONDS)
    except Exception as error:
        return Part("Jobs", False, f"cannot be asked ({type(error).__name__})")
    return Part("Jobs", bool(answers), f"{len(answers)} worker(s) answering" if answers else "no worker answers")


def _backup() -> Part:
    made, _ = erasure.backed_up_at()
    if made is None:
        return Part("Backup", False, "none was made of this database yet")
    return Part("Backup", utc_now() - made <= erasure.NIGHT, f"made last on {made:%Y-%m-%d %H:%M} UTC")


def _model() -> Part:
    named = turns.model_name() if turns.model_configured() else "none set: the labelled stand-in answers"
    return Part("Model", None, named)


def _mail() -> Part:
    post, way = mail.standing(), settings.MAIL_PROVIDER or ("SMTP" if "smtp" in settings.EMAIL_BACKEND else "")
    if not way:
        return Part("Mail", None, "kept as files: nothing leaves this machine")
    said = f"by {way}; letters that wait: {post.waiting}, given up: {post.failed}, came back: {post.back}"
    return Part(
        "Mail", not (post.failed or post.back), f"{said}. Last trouble: {post.trouble}" if post.trouble else said
    )


def _sign_up() -> Part:
    return Part("Sign-up", None, "open" if settings.SIGNUP_OPEN else "closed")
