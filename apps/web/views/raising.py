"""`/people/raising`: a child who does not sign in yet gets an address to do it with, and another guardian."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from apps.holders import services as holders
from apps.holders.adapter import send_invitation
from apps.policy.roles import Deed
from apps.policy.text import TextProblem
from apps.policy.tiers import Child
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Level, Role
from apps.web.doors import back, for_form, for_holder, or_404, page
from apps.web.forms import AddressForm, GuardianForm
from vault.clock import utc_now

GUARDIAN = "guardian_%s"  # the ids of its fields: both forms of the page ask for an address


@for_form(Deed.SELF)
def raising(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """The child's log-in: an address, until they have set a password by it."""
    child = or_404(holders.raised(holder))
    form = AddressForm(http_request.POST or None, initial={"email": child.email})
    if form.is_valid():
        try:
            given = holders.give_address(holder, form.cleaned_data["email"], utc_now())
        except TextProblem as problem:
            form.blame(problem)
        else:
            done = "Kept. With this address a password can be set: “new password” on the sign-in page."
            return back(http_request, given, "/people/raising", done)
    return _page(http_request, holder, child, form, GuardianForm(auto_id=GUARDIAN))


@require_POST
@for_holder
def ask_in(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Another guardian: invited by mail, under their own name. Neither sees what the other may do."""
    child, form = or_404(holders.raised(holder)), GuardianForm(http_request.POST, auto_id=GUARDIAN)
    if form.is_valid():
        given = form.cleaned_data
        try:
            sent = holders.invite_to_vault(holder, given["email"], Role.GUARDIAN, Level(given["level"]), utc_now())
        except TextProblem as problem:
            form.blame(problem)
        else:
            if not isinstance(sent, Refused):
                send_invitation(*sent)
            done = f"Invited {given['email']}. The link in the mail holds for 7 days, once."
            return back(http_request, sent, "/people/raising", done)
    return _page(http_request, holder, child, AddressForm(initial={"email": child.email}), form)


def _page(
    http_request: HttpRequest, holder: Holder, child: Child, address: AddressForm, guardian: GuardianForm
) -> HttpResponse:
    return page(
        http_request,
        "raising.html",
        400 if address.errors or guardian.errors else 200,
        child=child,
        address=address,
        guardian=guardian,
        asks_in=holders.asks_guardians_in(holder),
        invitations=holders.invitations(holder),
    )
