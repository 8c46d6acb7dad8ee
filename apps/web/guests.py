"""What holds on every page while somebody is a guest."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.deprecation import MiddlewareMixin

from apps.holders import services as holders
from vault.clock import utc_now

LEAVE = "/accounts/logout/"
FOR_ANYBODY = ("/log/", "/s/")  # the log and the pages of links: the same for everybody, whoever they are
VISIT = "/s"


class Guests(MiddlewareMixin):
    """While somebody is a guest: that they use their vault is noted, and there is no account for them to look after."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Away from the pages of an account, which a guest has not. Who asks for what anybody may is not looked at."""
        if settings.SESSION_COOKIE_NAME not in request.COOKIES:
            return None
        if request.path == VISIT or request.path.startswith(FOR_ANYBODY):
            return None
        user = request.user
        used_at = getattr(user, "guest_at", None)
        if used_at is None or user.pk is None:
            return None
        holders.note_guest(user.pk, used_at, utc_now())
        if request.path.startswith("/accounts/") and request.path != LEAVE:
            messages.warning(request, "A guest has no account to look after. Keep this vault, and you have one.")
            return redirect("web:home")
        return None
