"""`/guest`: the press that opens a vault for somebody without an account."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user_model, login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from apps.holders import services as holders
from vault.clock import utc_now


@require_POST
def try_it(http_request: HttpRequest) -> HttpResponse:
    """Open a guest vault and sit down at it."""
    if not settings.GUESTS:
        raise Http404
    if http_request.user.is_authenticated:
        return redirect("web:home")
    guest = holders.open_guest(settings.GUEST_VAULTS, utc_now())
    if guest is None:
        messages.warning(http_request, "Too many people try it at this moment. Come back later, or open a vault.")
        return redirect("account_login")
    user = get_user_model().objects.get(pk=guest.user_id)
    login(http_request, user, backend=settings.AUTHENTICATION_BACKENDS[0])
    return redirect("web:home")
