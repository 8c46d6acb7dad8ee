"""`/people/spaces/<spc_…>`: what a space's admins see of it and do: places, what it settles, its ledger."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse, QueryDict
from django.views.decorators.http import require_POST, require_safe

from apps.holders import services as holders
from apps.policy.people import Membership, SpacePolicy
from apps.policy.roles import Deed
from apps.policy.settling import ages, leads
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Refusal, Role
from apps.web.deeds import of_kind
from apps.web.doors import back, for_form, for_holder, or_404, page
from apps.web.forms import number_of
from apps.web.space_forms import PolicyForm, as_typed, differing
from apps.web.words import ROLES
from vault.clock import utc_now

PAGE = 50


@require_safe
@for_holder
def space(http_request: HttpRequest, holder: Holder, space_id: UUID) -> HttpResponse:
    """Who has a place in it, and who the guardians of its young children are."""
    now = utc_now()
    found = {each.mine.space_id: each for each in holders.places(holder.user_id, now) if each.admin}
    place = or_404(found.get(space_id))
    guarding = holders.guarding(holder.user_id, space_id, now)
    return page(http_request, "people/space.html", place=place, guarding=guarding)


@require_POST
@for_holder
def end_guarding(http_request: HttpRequest, holder: Holder, space_id: UUID, delegation_id: UUID) -> HttpResponse:
    """End a guardian's leave, for a child who is too young to."""
    ended = holders.end_guarding(holder.user_id, space_id, delegation_id, utc_now())
    return back(http_request, ended, f"/people/spaces/spc_{space_id.hex}", "Ended. They get a letter.")


@require_POST
@for_holder
def end(http_request: HttpRequest, holder: Holder, space_id: UUID, user_id: UUID) -> HttpResponse:
    """End somebody's place: in the role that was pressed, or in all."""
    name = http_request.POST.get("role", "")
    role = or_404(Role(name) if name in set(Role) else None) if name else None
    ended = holders.end_place(holder.user_id, space_id, user_id, utc_now(), role)
    back_to = "/people" if user_id == holder.user_id else f"/people/spaces/spc_{space_id.hex}"
    return back(http_request, ended, back_to, "Ended. They are signed out.")


@for_form(Deed.SELF)
def settings(http_request: HttpRequest, holder: Holder, space_id: UUID) -> HttpResponse:
    """What holds for the vaults in it, to look at and to settle anew."""
    place = or_404(holders.managed(holder.user_id, space_id))
    settled = holders.space_policy(space_id)
    form = _form(http_request.POST if http_request.method == "POST" else None, place, settled)
    if not form.is_valid():
        return _settings(http_request, place, settled, form, 400 if form.errors else 200)
    try:
        done = holders.settle(holder.user_id, space_id, form.wish(settled), utc_now())
    except TextProblem as problem:
        form.blame(problem)
        return _settings(http_request, place, settled, form, 400)
    if isinstance(done, Refused) and done.reason is Refusal.STALE:
        return _stale(http_request, place, form)
    return back(http_request, done, http_request.path, _said(done))


def _said(done: SpacePolicy | Refused) -> str:
    waits = not isinstance(done, Refused) and ages(done, utc_now()).since is not None
    later = (
        " The ages by which a guardian may do more hold in thirty days; children and guardians are told now." * waits
    )
    return f"Settled. It holds from the next decision on.{later}"


def _form(sent: QueryDict | None, place: Membership, settled: SpacePolicy) -> PolicyForm:
    members = holders.members(place.user_id, place.space_id)
    return PolicyForm(sent, initial=as_typed(settled), kind=place.kind, leads=leads(members))


def _stale(http_request: HttpRequest, place: Membership, form: PolicyForm) -> HttpResponse:
    """Somebody settled it meanwhile: what was typed stays, beside what holds now where the two differ."""
    settled = holders.space_policy(place.space_id)
    again = http_request.POST.copy()
    again["version"] = str(settled.version)  # the next press is made knowing it
    moved = differing(form, settled)
    return _settings(http_request, place, settled, _form(again, place, settled), 412, moved=moved)


def _settings(
    http_request: HttpRequest,
    place: Membership,
    settled: SpacePolicy,
    form: PolicyForm,
    status: int,
    moved: list[tuple[str, str]] | None = None,
) -> HttpResponse:
    members = holders.members(place.user_id, place.space_id)
    return page(
        http_request,
        "people/settings.html",
        status,
        place=place,
        form=form,
        settled=settled,
        ages=ages(settled, utc_now()),
        moved=moved,
        reviewed=any(Role.REVIEWER in each.roles for each in members),
        stood=holders.policies(place.user_id, place.space_id),
    )


@require_safe
@for_holder
def ledger(http_request: HttpRequest, holder: Holder, space_id: UUID) -> HttpResponse:
    """What was done in it, newest first, fifty lines a page."""
    place = or_404(holders.managed(holder.user_id, space_id))
    start = number_of(http_request.GET.get("before", ""), 18)
    found = holders.space_ledger(holder.user_id, space_id, limit=PAGE + 1, before=start)
    lines = () if isinstance(found, Refused) else found
    return page(
        http_request,
        "people/ledger.html",
        place=place,
        lines=[(each, of_kind(each.receipt.kind), _role(each.receipt.reason)) for each in lines[:PAGE]],
        before=start,
        older=lines[PAGE - 1].receipt.seq if len(lines) > PAGE else None,
    )


def _role(reason: str) -> str:
    """The role that a line is about, in words; "" where it is about none."""
    return ROLES[Role(reason)] if reason in set(Role) else ""
