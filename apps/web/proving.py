"""Who just showed, in this browser, that it is they who are signed in."""

from datetime import UTC, datetime

from allauth.account.authentication import get_authentication_records
from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest

from apps.policy.emergency import fresh
from vault.clock import utc_now


def show_who_you_are(http_request: HttpRequest) -> None:
    """Ask for the password or passkey, unless that was just done in this browser; what was posted goes on after it."""
    if not fresh(proved_at(http_request), utc_now()):
        raise ReauthenticationRequired


def proved_at(http_request: HttpRequest) -> datetime | None:
    """When whoever is signed in last showed in this browser who they are, the sign-in itself left out."""
    records = get_authentication_records(http_request, http_request.user)
    at = [each["at"] for each in records if each.get("reauthenticated")]
    return datetime.fromtimestamp(max(at), UTC) if at else None
