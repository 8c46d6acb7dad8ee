"""`/people`: where one sits, who acts for whom, which spaces one belongs to; invitations, leaving, ending, renewing."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apps.holders import services as holders
from apps.holders.adapter import send_invitation
from apps.holders.services import emergency as emergencies
from apps.policy.ids import untyped
from apps.policy.people import Delegation, Invitation
from apps.policy.roles import Deed
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Level, Refusal, Role
from apps.web.doors import back, for_form, for_holder, or_404, page, sit
from apps.web.forms import InviteForm, SpaceInviteForm
from apps.web.words import REFUSALS
from vault.clock import utc_now

Sent = tuple[Invitation, str] | Refused


@require_safe
@for_holder
def people(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Seats, those who act at this vault, and the spaces of the person."""
    now = utc_now()
    places = holders.places(holder.user_id, now)
    clinics = [each.mine.space_id for each in places if each.mine.kind == "clinic"]
    return page(
        http_request,
        "people.html",
        numbers=[(each, emergencies.number(holder.user_id, each)) for each in clinics],
        acting=[(each, _level(holder, each), each.live(now)) for each in holders.delegations(holder)],
        invitations=holders.invitations(holder),
        raised=holders.raised(holder),
        places=places,
    )


def _level(holder: Holder, leave: Delegation) -> Level:
    """How far somebody's leave goes now: one's own as a child's age leaves it."""
    return holder.level if holder.acting and leave.user_id == holder.user_id else leave.level


@require_POST
@for_holder
def seat(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Sit at another vault, one's own or that of somebody one acts for."""
    wanted = or_404(untyped("vlt", http_request.POST.get("to")))
    chosen = or_404(holders.seat(holder.user_id, wanted))
    sit(http_request, chosen)
    return back(http_request, chosen, "/", "" if chosen.acting else "You are at your own vault.")


@for_form(Deed.INVITE)
def invite(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Offer somebody to act for the holder."""
    form = InviteForm(http_request.POST or None)
    if form.is_valid():
        given = form.cleaned_data
        try:
            sent = holders.invite_to_vault(
                holder, given["email"], Role(given["role"]), Level(given["level"]), utc_now(), int(given["days"])
            )
        except TextProblem as problem:
            form.blame(problem)
        else:
            return _sent(http_request, sent)
    return page(http_request, "people/invite.html", 400 if form.errors else 200, form=form)


@for_form(Deed.SELF)
def invite_to_space(http_request: HttpRequest, holder: Holder, space_id: UUID) -> HttpResponse:
    """Offer somebody a place in a space."""
    place = or_404(holders.managed(holder.user_id, space_id))
    form = SpaceInviteForm(http_request.POST or None, kind=place.kind)
    if form.is_valid():
        given = form.cleaned_data
        try:
            sent = holders.invite_to_space(holder.user_id, space_id, given["email"], Role(given["role"]), utc_now())
        except TextProblem as problem:
            form.blame(problem)
        else:
            return _sent(http_request, sent)
    return page(http_request, "people/invite.html", 400 if form.errors else 200, form=form, place=place)


def _sent(http_request: HttpRequest, sent: Sent) -> HttpResponse:
    if isinstance(sent, Refused):
        return back(http_request, sent, "/people")
    send_invitation(*sent)
    return back(http_request, sent, "/people", f"Invited {sent[0].email}. The link in the mail holds for 7 days, once.")


@require_POST
@for_holder
def withdraw(http_request: HttpRequest, holder: Holder, invitation_id: UUID) -> HttpResponse:
    """Take an invitation back, to act for the holder or to a space."""
    done = holders.withdraw(holder, invitation_id, utc_now())
    return back(http_request, done, "/people", "Taken back. Its link leads nowhere now.")


@require_POST
@for_holder
def end(http_request: HttpRequest, holder: Holder, delegation_id: UUID) -> HttpResponse:
    """End it for somebody who acts here, or for oneself."""
    ended = holders.end_delegation(holder, delegation_id, utc_now())
    return back(http_request, ended, "/people", "Ended. It holds no more from the next press on.")


@require_POST
@for_holder
def renew(http_request: HttpRequest, holder: Holder, delegation_id: UUID) -> HttpResponse:
    """Let it hold on, from today."""
    renewed = holders.renew_delegation(holder, delegation_id, utc_now())
    return back(http_request, renewed, "/people", "Renewed, from today on.")


@require_POST
@for_holder
def leave(http_request: HttpRequest, holder: Holder, space_id: UUID) -> HttpResponse:
    """Leave a space. The person is signed out everywhere."""
    left = holders.leave(holder.user_id, space_id, utc_now())
    return back(http_request, left, "/people", "You left. Sign in again to go on.")


@require_http_methods(["GET", "HEAD", "POST"])
def invited(http_request: HttpRequest, token: str) -> HttpResponse:
    """What a link in a mail leads to. Looking changes nothing; the press accepts, once."""
    found, now, user = holders.invitation(token), utc_now(), http_request.user
    if found is None:
        return _invited(http_request, None, Refusal.NOT_FOUND)
    if not user.is_authenticated:
        refused = holders.judge(found, None, now)
    elif http_request.method == "POST":
        done = holders.accept(user.pk, token, now)
        if not isinstance(done, Refused):
            messages.success(http_request, "Accepted. Sign in again to go on.")
            return redirect(f"{reverse('account_login')}?next=/people")
        refused = done
    else:
        refused = holders.judge(found, user.pk, now)
    return _invited(http_request, found, refused.reason if refused is not None else None)


STATUSES = {None: 200, Refusal.NOT_FOUND: 404, Refusal.INVITATION_OVER: 410, Refusal.INVITED_OTHER: 403}


def _invited(http_request: HttpRequest, found: Invitation | None, why: Refusal | None) -> HttpResponse:
    said = REFUSALS[why].sentence if why else ""
    response = page(http_request, "people/invited.html", STATUSES[why], found=None if why else found, why=said)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response
