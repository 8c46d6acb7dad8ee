"""`/you/erase`: the whole vault, for good. `/erased/<secret>`: its certificate, for whoever kept that address."""

from django.conf import settings
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from apps.erasure import services as erasing
from apps.memories import services as memories
from apps.policy.erasing import Basis
from apps.policy.roles import Deed
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Refused
from apps.web.doors import for_form, json_file, page, stand_up, unseen
from apps.web.erase_forms import EndForm
from apps.web.erasures import told
from apps.web.proving import show_who_you_are
from vault.clock import utc_now

LINK_LASTS_DAYS = 30  # `erasure_by_link`, which finds it, says so too


@for_form(Deed.END)
def end(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """What goes and what stays; and then it is gone. Whoever asks for it shows first who they are."""
    show_who_you_are(http_request)
    form = EndForm(http_request.POST or None)
    done = _ended(holder, form) if form.is_valid() else None
    if done is None:
        return page(
            http_request,
            "erase/vault.html",
            400 if form.errors else 200,
            form=form,
            many=len(memories.memories(holder)),
            holds=erasing.holds(holder, utc_now()),
            horizon_days=erasing.horizon_days(),
            lasts=LINK_LASTS_DAYS,
        )
    if done.account_too:
        logout(http_request)
    else:
        stand_up(http_request)
    return unseen(redirect("web:erased", link=done.link))


def _ended(holder: Holder, form: EndForm) -> erasing.Ended | None:
    given = form.cleaned_data
    try:
        done = erasing.end_vault(holder, utc_now(), basis=Basis(given["basis"]), request=given["request"])
    except TextProblem as problem:
        form.blame(problem)
        return None
    if isinstance(done, Refused):
        form.refuse(done)
        return None
    return done


@require_safe
def erased(http_request: HttpRequest, link: str) -> HttpResponse:
    """The certificate of a vault that was erased. Nobody is asked who they are: the address is the secret."""
    found = erasing.by_link(link)
    if found is None:
        return unseen(render(http_request, "404.html", status=404))
    address = settings.PUBLIC_URL + http_request.path
    shown = page(http_request, "erase/ended.html", told=told(found), link=link, lasts=LINK_LASTS_DAYS, address=address)
    return unseen(shown)


@require_safe
def certificate(http_request: HttpRequest, link: str) -> HttpResponse:
    """The same as a file that is checked elsewhere; not found until its last receipt is written."""
    file = erasing.file_by_link(link)
    if file is None:
        return unseen(render(http_request, "404.html", status=404))
    return unseen(json_file(file, f"{file['certificate']['order']}.certificate.json"))
