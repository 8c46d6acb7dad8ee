"""`/guest`: the press that opens a vault for somebody without an account; and the page on which they keep it."""

from allauth.account.internal.flows.email_verification import send_verification_email_for_user
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user_model, login, update_session_auth_hash
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from apps.holders import services as holders
from apps.policy.roles import Deed
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Refused
from apps.web.doors import back, for_form, page
from apps.web.guest_forms import KeepForm
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


@for_form(Deed.END)
def keep(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """An address and a password, and the guest's vault is theirs to keep."""
    if not (holder.guest and settings.SIGNUP_OPEN):
        raise Http404
    form = KeepForm(http_request.POST or None)
    if form.is_valid():
        try:
            given = form.cleaned_data
            kept = holders.keep_guest(holder, given["email"], given["password"], utc_now())
        except TextProblem as problem:
            form.blame(problem)
        else:
            if not isinstance(kept, Refused):
                _signed_in_still(http_request, kept)
            return back(http_request, kept, "/", "It is yours to keep. From now on you sign in with this address.")
    return page(http_request, "guest_keep.html", 400 if form.errors else 200, form=form)


def _signed_in_still(http_request: HttpRequest, kept: Holder) -> None:
    """Here, and nowhere else; and the address is to be confirmed, as after any sign-up."""
    user = get_user_model().objects.get(pk=kept.user_id)
    update_session_auth_hash(http_request, user)
    send_verification_email_for_user(http_request, user)
