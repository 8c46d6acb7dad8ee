"""The way into a page: a signed-in holder, nothing kept by caches, and one answer for whatever isn't theirs."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth import get_user
from django.contrib.auth.views import redirect_to_login
from django.contrib.sessions.backends.db import SessionStore
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from apps.holders import services as holders
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Refusal
from apps.web.words import REFUSALS

Rest = ParamSpec("Rest")
Found = TypeVar("Found")
View = Callable[Concatenate[HttpRequest, Holder, Rest], HttpResponseBase]


def holder_of(http_request: HttpRequest) -> Holder | None:
    """The signed-in person at their vault, looked up once a request; None for a stranger or an operator."""
    if not hasattr(http_request, "holder"):
        user = http_request.user
        http_request.holder = holders.holder(user.pk) if user.is_authenticated else None  # type: ignore[attr-defined]
    return http_request.holder  # type: ignore[attr-defined,no-any-return]


def still_signed_in(session_key: str | None, user_id: object) -> bool:
    """Does this session still stand for this person? Not after signing out, here or from elsewhere, nor after a
    change of password. What goes on after its request has ended asks this each time; two look-ups.
    """
    probe = HttpRequest()
    probe.session = SessionStore(session_key)
    user = get_user(probe)
    return bool(user.is_authenticated and user.pk == user_id)


def for_holder(view: View[Rest]) -> Callable[Concatenate[HttpRequest, Rest], HttpResponseBase]:
    """Pass the holder to the view; send a stranger to sign in and an operator to the console."""
    return _entered(view, has_page=False)


def for_form(view: View[Rest]) -> Callable[Concatenate[HttpRequest, Rest], HttpResponseBase]:
    """`for_holder` for a page that shows its form and takes it at one address: whoever was signed out meanwhile comes
    back to that page. What was typed isn't carried along: no text of a memory stands in an address.
    """
    return require_http_methods(["GET", "HEAD", "POST"])(_entered(view, has_page=True))


def _entered(view: View[Rest], *, has_page: bool) -> Callable[Concatenate[HttpRequest, Rest], HttpResponseBase]:
    @wraps(view)
    def entered(http_request: HttpRequest, /, *args: Rest.args, **kwargs: Rest.kwargs) -> HttpResponseBase:
        if not http_request.user.is_authenticated:
            looked = http_request.method in ("GET", "HEAD")
            return redirect_to_login(http_request.get_full_path() if looked else http_request.path if has_page else "/")
        holder = holder_of(http_request)
        if holder is None:
            if http_request.user.is_staff:
                return redirect("console:index")
            raise Http404
        try:
            response = view(http_request, holder, *args, **kwargs)
        except Http404:
            response = render(http_request, "404.html", status=404)
        response.headers["Cache-Control"] = "no-store"
        return response

    return entered


def or_404(found: Found | None) -> Found:
    """What was found; where it is nothing, the answer that unknown and foreign things share."""
    if found is None:
        raise Http404
    return found


def back(
    http_request: HttpRequest, outcome: object, to: str, done: str = "", anchor: str = "", **query: str
) -> HttpResponse:
    """After a deed: to the page `to`, with `done` said there, or with why it was refused. Not-found is a 404."""
    if isinstance(outcome, Refused):
        if outcome.reason is Refusal.NOT_FOUND:
            raise Http404
        messages.warning(http_request, REFUSALS[outcome.reason].sentence)
    elif done:
        messages.success(http_request, done)
    address = to + (f"?{urlencode(query)}" if query else "") + (f"#{anchor}" if anchor else "")
    return redirect(address)


def page(http_request: HttpRequest, template: str, status: int = 200, **context: object) -> HttpResponse:
    """A page of ours."""
    return render(http_request, f"web/{template}", context, status=status)
