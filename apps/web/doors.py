"""The way into a page: a signed-in person at one vault, nothing kept by caches, one answer for whatever isn't theirs.

A person sits at their own vault, or at that of somebody they act for: the seat, chosen on /people and looked up anew at
each request. What is posted says from which seat its page was shown, and is refused at any other.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.contrib.auth import get_user
from django.contrib.auth.views import redirect_to_login
from django.contrib.sessions.backends.db import SessionStore
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import is_valid_path
from django.views.decorators.http import require_http_methods

from apps.access import services as access
from apps.holders import services as holders
from apps.holders.services import emergency
from apps.policy.ids import typed
from apps.policy.roles import Deed
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Refusal, Role
from apps.web.forms import Words, carried
from apps.web.words import REFUSALS

Rest = ParamSpec("Rest")
Found = TypeVar("Found")
SEAT = "seat"  # in the session: the vault that was chosen; in a form: the one whose page it stands on
WRITTEN = frozenset(  # what a person writes into a form, by its name; what they choose is chosen again
    "label value neutral_label subject why reason question name domain email whom note words notice rationale text"
    " request".split()
)
IN_EMERGENCY = "in_emergency"  # in the session in which somebody showed who they are: the vault they opened so
View = Callable[Concatenate[HttpRequest, Holder, Rest], HttpResponseBase]


def holder_of(http_request: HttpRequest) -> Holder | None:
    """The signed-in person at the vault they chose, looked up once a request; None for a stranger or an operator."""
    if not hasattr(http_request, "holder"):
        user = http_request.user
        http_request.holder = _seated(http_request, user.pk) if user.is_authenticated else None  # type: ignore[attr-defined]
    return http_request.holder  # type: ignore[attr-defined,no-any-return]


def _seated(http_request: HttpRequest, user_id: UUID) -> Holder | None:
    """At the chosen vault while that holds, at their own else."""
    chosen = http_request.session.get(SEAT)
    found = holders.seat(user_id, UUID(chosen)) if chosen else None
    if chosen and not found and http_request.session.get(IN_EMERGENCY) == chosen:
        found = emergency.seat(user_id, UUID(chosen))
    if chosen and not found:
        stand_up(http_request)
        messages.warning(http_request, "You don’t act there any more. You are at your own vault.", fail_silently=True)
    return found or holders.holder(user_id)


def sit(http_request: HttpRequest, seat: Holder) -> None:
    """From the next request on the person sits there."""
    http_request.session[SEAT] = seat.vault_id.hex
    if seat.role is Role.EMERGENCY:
        http_request.session[IN_EMERGENCY] = seat.vault_id.hex


def stand_up(http_request: HttpRequest) -> None:
    """From the next request on the person sits at their own vault."""
    http_request.session.pop(SEAT, None)
    http_request.session.pop(IN_EMERGENCY, None)


def still_seated(session_key: str | None, seat: Holder) -> bool:
    """Does this session still stand for this person, and do they still sit there? Not after signing out, here or from
    elsewhere, nor after a change of password, nor once they act there no more. What goes on after its request has ended
    asks this each time; three look-ups.
    """
    probe = HttpRequest()
    probe.session = SessionStore(session_key)
    user = get_user(probe)
    return bool(user.is_authenticated and user.pk == seat.user_id and holders.seat(seat.user_id, seat.vault_id) == seat)


def for_holder(view: View[Rest]) -> Callable[Concatenate[HttpRequest, Rest], HttpResponseBase]:
    """Pass the holder to the view; send a stranger to sign in and an operator to the console."""
    return _entered(view, has_page=False)


def for_form(
    deed: Deed,
) -> Callable[[View[Rest]], Callable[Concatenate[HttpRequest, Rest], HttpResponseBase]]:
    """`for_holder` for a page that shows its form and takes it at one address: whoever was signed out meanwhile comes
    back to that page. What was typed isn't carried along: no text of a memory stands in an address.

    `deed` is what the page is for: who may not do it is told so before they fill anything in.
    """

    def opened(view: View[Rest]) -> Callable[Concatenate[HttpRequest, Rest], HttpResponseBase]:
        @wraps(view)
        def asked(http_request: HttpRequest, holder: Holder, /, *args: Rest.args, **kwargs: Rest.kwargs) -> Any:
            holders.ask(holder, deed)
            return view(http_request, holder, *args, **kwargs)

        return require_http_methods(["GET", "HEAD", "POST"])(_entered(asked, has_page=True))

    return opened


def _entered(view: View[Rest], *, has_page: bool) -> Callable[Concatenate[HttpRequest, Rest], HttpResponseBase]:
    @wraps(view)
    def entered(http_request: HttpRequest, /, *args: Rest.args, **kwargs: Rest.kwargs) -> HttpResponseBase:
        if not http_request.user.is_authenticated:
            return _signed_out(http_request, has_page)
        holder = holder_of(http_request)
        if holder is None:
            return _without_vault(http_request, http_request.user.pk)
        try:
            if http_request.method == "POST" and _moved(http_request, holder):
                response: HttpResponseBase = page(http_request, "moved.html", 409, typed=typed_texts(http_request))
            else:
                response = view(http_request, holder, *args, **kwargs)
        except Http404:
            response = render(http_request, "404.html", status=404)
        except holders.Barred:
            response = page(http_request, "barred.html", 403)
        response.headers["Cache-Control"] = "no-store"
        return response

    return entered


def _signed_out(http_request: HttpRequest, has_page: bool) -> HttpResponse:
    """To sign in, and from there to the page that was asked for, or on which the form stood. What was typed is carried
    in no address: it is shown once more, to be copied.
    """
    if http_request.method in ("GET", "HEAD"):
        return redirect_to_login(http_request.get_full_path())
    sign_in = redirect_to_login(http_request.path if has_page else _page_above(http_request.path))
    typed_in = typed_texts(http_request)
    if not typed_in:
        return sign_in
    response = page(http_request, "signed_out.html", 403, typed=typed_in, sign_in=sign_in.url)
    response.headers["Cache-Control"] = "no-store"
    return response


NO_PAGE = ("/chat",)  # what takes forms alone, though others stand below it


def _page_above(path: str) -> str:
    """The nearest page above an address that takes forms alone."""
    while path := path.rpartition("/")[0]:
        if path not in NO_PAGE and is_valid_path(path):
            return path
    return "/"


def _without_vault(http_request: HttpRequest, user_id: UUID) -> HttpResponse:
    """Where somebody is led who holds no vault: an operator to the console, a reviewer to the desk."""
    if http_request.user.is_staff:
        return redirect("console:index")
    if access.desks(user_id):
        return redirect("desk:index")
    return render(http_request, "404.html", status=404)


def typed_texts(http_request: HttpRequest) -> list[str]:
    """The texts that somebody wrote into the form that was not taken, to copy them: not what a form carries unseen or
    offers to be chosen. No page that asks for a password is taken here, and a field called so is left out all the same.
    """
    sent = http_request.POST
    written = [name for name in sent if name.rpartition("_")[2] in WRITTEN and "password" not in name]
    return [sent[name] for name in written if sent[name].strip() and not _as_filled(sent, name)]


def _as_filled(sent: QueryDict, name: str) -> bool:
    """Is it the text of one of many cards, as it was filled in?"""
    card, _, field = name.rpartition("_")
    return bool(card) and field == "value" and sent.get(f"{card}_shown") == carried(Words().to_python(sent[name]))


def _moved(http_request: HttpRequest, seat: Holder) -> bool:
    """Was the form shown at another vault than the one the person sits at now? One that says nothing of it stands for
    the vault that somebody sits at who never chose one.
    """
    said = http_request.POST.get(SEAT)
    return SEAT in http_request.session if said is None else said != typed("vlt", seat.vault_id)


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


UNSEEN = {"Cache-Control": "no-store", "X-Robots-Tag": "noindex", "Referrer-Policy": "no-referrer"}


def unseen(response: HttpResponse) -> HttpResponse:
    """Its address is a secret: no cache keeps it, no search engine lists it, and no other page is told the address."""
    for name, says in UNSEEN.items():
        response.headers[name] = says
    return response


def json_file(found: Mapping[str, object], name: str) -> JsonResponse:
    """What is kept outside and checked there, as a file of that name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return JsonResponse(found, headers=headers, json_dumps_params={"indent": 2})
