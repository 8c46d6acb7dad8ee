"""`/you/mail`: what a person wishes of mail. `/unsubscribe/<token>`: doing without a letter, with no sign-in."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from apps.mail import services as mailing
from apps.policy.roles import Deed
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Refused
from apps.policy.wishes import Wishes
from apps.web.doors import back, for_form, page, unseen
from apps.web.mail_forms import WishesForm, always, as_typed, differing
from vault.clock import utc_now


@for_form(Deed.SELF)
def mail(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Which letters they get, when, and the words by which they know them."""
    held = mailing.wishes(holder.user_id)
    form = WishesForm(http_request.POST or None, initial=as_typed(held))
    if not form.is_valid():
        return _form(http_request, form, 400 if form.errors else 200)
    try:
        kept = mailing.set_wishes(holder.user_id, form.wish(), utc_now())
    except TextProblem as problem:
        form.blame(problem)
        return _form(http_request, form, 400)
    if isinstance(kept, Refused):
        return _stale(http_request, form, mailing.wishes(holder.user_id))
    return back(http_request, kept, http_request.path, "Kept.")


def _stale(http_request: HttpRequest, form: WishesForm, held: Wishes) -> HttpResponse:
    """It was kept otherwise meanwhile, as from a letter: what was typed stays, beside what holds where they differ."""
    again = http_request.POST.copy()
    again["version"] = str(held.version)
    return _form(http_request, WishesForm(again, initial=as_typed(held)), 412, differing(form, held))


def _form(
    http_request: HttpRequest, form: WishesForm, status: int, moved: list[tuple[str, str]] | None = None
) -> HttpResponse:
    at_once, waits = always()
    return page(http_request, "mail.html", status, form=form, moved=moved, at_once=at_once, waits=waits)


@csrf_exempt  # RFC 8058: a mail program sends it, with no cookie and no token of ours but the address
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(http_request: HttpRequest, token: str) -> HttpResponse:
    """Opening the address changes nothing: whoever follows every link of a mail unsubscribes nobody. The press does,
    and the mail program's one click, which sends the same; and it is answered alike where the account is gone.
    """
    pressed = http_request.POST.get("List-Unsubscribe") == "One-Click"
    switch = mailing.unsubscribe(token, utc_now()) if pressed else mailing.unsubscribing(token)
    if switch is None:
        return unseen(render(http_request, "404.html", status=404))
    return unseen(page(http_request, "unsubscribe.html", switch=switch, done=pressed))
