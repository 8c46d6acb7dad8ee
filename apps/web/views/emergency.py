"""`/emergency`: opening somebody's file for an hour without being asked in, leaving it, and looking at it afterwards.

For nearly everybody none of these addresses is there. Who may is asked for the password or passkey again first; then
says whose file and why; is told by name whose it is; and only then opens it.
"""

from collections.abc import Sequence
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.holders.services import emergency as emergencies
from apps.holders.services import looking
from apps.policy.emergency import Patient
from apps.policy.ids import typed, untyped
from apps.policy.people import Membership
from apps.policy.roles import Deed
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import EmergencyFinding, EmergencyReason, Refusal
from apps.web.doors import back, for_form, for_holder, or_404, page, sit, stand_up
from apps.web.emergencies import as_used
from apps.web.emergency_forms import EnterForm, FindingForm
from apps.web.proving import proved_at, show_who_you_are
from vault.clock import utc_now

NOES = {
    Refusal.NOT_FOUND: "Nobody in this clinic has this number or address. Check it, every character of it.",
    Refusal.NOT_YOURS: "This file is your own, or you act here already. Open it under People.",
    Refusal.ALREADY_DECIDED: "You have a file open already. Leave that one first.",
    Refusal.RATE_LIMITED: "Too many numbers or addresses were tried this hour. Try again after the full hour, or ask"
    " somebody else who may open files in an emergency.",
}


# ---------------------------------------------------------------- coming in
@for_form(Deed.SELF)
def emergency(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Say whose file, and why; then see by name whose it is. Nothing is opened yet."""
    places = _places(holder)
    if emergencies.open_of(holder.user_id, utc_now()):
        return page(http_request, "emergency/open.html")
    show_who_you_are(http_request)
    form = EnterForm(http_request.POST or None, places=places)
    found = _whom(holder, form) if "again" not in http_request.POST and form.is_valid() else None
    if found is None:
        return page(http_request, "emergency/enter.html", 400 if form.errors else 200, form=form, places=places)
    return _confirm(http_request, places, found)


@for_form(Deed.SELF)
def enter(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Open the file of whom one was just told the name."""
    places = _places(holder)
    _posted(http_request)
    show_who_you_are(http_request)
    form = EnterForm(http_request.POST, places=places)
    found = _whom(holder, form) if form.is_valid() else None
    if found is not None and typed("vlt", found.vault_id) != http_request.POST.get("vault"):
        return _confirm(http_request, places, found)  # it is somebody else than was shown: look again
    seat = _enter(http_request, holder, form, found) if found is not None else None
    if seat is None:
        return page(http_request, "emergency/enter.html", 400, form=form, places=places)
    sit(http_request, seat)
    return back(http_request, seat, "/file")


def _enter(http_request: HttpRequest, holder: Holder, form: EnterForm, found: Patient) -> Holder | None:
    given, now = form.cleaned_data, utc_now()
    try:
        seat = emergencies.enter(
            holder.user_id,
            _space(form),
            found,
            EmergencyReason(given["reason"]),
            given["note"],
            proved_at=proved_at(http_request),
            now=now,
        )
    except TextProblem as problem:
        form.blame(problem)
        return None
    if isinstance(seat, Refused):
        form.add_error("whom", NOES[seat.reason])
        return None
    return seat


def _whom(holder: Holder, form: EnterForm) -> Patient | None:
    """Whom the form names; None where it is nobody, and the form says so."""
    try:
        found = emergencies.look_up(holder.user_id, _space(form), form.cleaned_data["whom"], utc_now())
    except TextProblem as problem:
        form.blame(problem)
        return None
    if isinstance(found, Refused):
        form.add_error("whom", NOES[found.reason])
        return None
    return found


def _confirm(http_request: HttpRequest, places: Sequence[Membership], found: Patient) -> HttpResponse:
    form = EnterForm(http_request.POST, places=tuple(places), hidden=True)
    form.is_valid()
    place = next(each for each in places if each.space_id == _space(form))
    reason = EmergencyReason(form.cleaned_data["reason"])
    shown = {"form": form, "found": found, "place": place, "reason": reason, "note": form.cleaned_data["note"]}
    return page(http_request, "emergency/confirm.html", **shown)


# ---------------------------------------------------------------- being there, and going out
@for_form(Deed.SELF)
def go_back(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """To the file that is open, from one's own or from another browser."""
    found = or_404(emergencies.open_of(holder.user_id, utc_now()))
    _posted(http_request)
    show_who_you_are(http_request)
    sit(http_request, or_404(emergencies.seat(holder.user_id, found.vault_id)))
    return back(http_request, found, "/file")


@for_form(Deed.SELF)
def leave(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Leave it before its hour is over."""
    or_404(emergencies.open_of(holder.user_id, utc_now()))
    _posted(http_request)
    left = emergencies.leave(holder.user_id, utc_now())
    stand_up(http_request)
    return back(http_request, left, "/people", "You left the file. You are at your own vault.")


# ---------------------------------------------------------------- afterwards
@require_safe
@for_holder
def reviews(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """What others did in emergencies, for whoever is to look at it."""
    or_404(looking.looks(holder.user_id) or None)
    now = utc_now()
    rows = [as_used(each, now, counted=False) for each in looking.to_review(holder.user_id)]
    return page(http_request, "emergency/reviews.html", rows=rows)


@for_form(Deed.SELF)
def review(http_request: HttpRequest, holder: Holder, emergency_id: UUID) -> HttpResponse:
    """One of them: who, when, why, how many values of which categories; and what one makes of it."""
    now = utc_now()
    found = or_404(looking.one(holder.user_id, emergency_id))
    form = FindingForm(http_request.POST or None)
    if form.is_valid():
        given = form.cleaned_data
        try:
            done = looking.review(holder.user_id, emergency_id, EmergencyFinding(given["finding"]), given["words"], now)
        except TextProblem as problem:
            form.blame(problem)
        else:
            return back(http_request, done, "/emergency/reviews", "Kept. The person sees it.")
    used = as_used(found, now)
    return page(http_request, "emergency/review.html", 400 if form.errors else 200, used=used, form=form)


# ---------------------------------------------------------------- together
def _places(holder: Holder) -> tuple[Membership, ...]:
    return or_404(emergencies.may_enter(holder.user_id) or None)


def _posted(http_request: HttpRequest) -> None:
    """There is nothing to be looked at under an address that does something."""
    if http_request.method != "POST":
        raise Http404


def _space(form: EnterForm) -> UUID:
    found = untyped("spc", form.cleaned_data["space"])
    assert found is not None
    return found
