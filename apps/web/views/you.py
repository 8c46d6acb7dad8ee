"""`/you`: what the holder is called, the zone of their times, and the ways to what guards the sign-in."""

from allauth.usersessions.models import UserSession
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from apps.holders import services as holders
from apps.policy.roles import Deed
from apps.policy.text import TextProblem
from apps.policy.types import Holder
from apps.web.doors import back, for_form, for_holder, or_404, page
from apps.web.forms import ProfileForm


@for_form(Deed.SELF)
def you(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Name and time zone."""
    form = ProfileForm(http_request.POST or None, initial={"name": holder.name, "time_zone": holder.time_zone})
    if form.is_valid():
        try:
            changed = holders.set_profile(holder, **form.cleaned_data)
        except TextProblem as problem:
            form.blame(problem)
        else:
            return back(http_request, changed, "/you", "Kept.")
    return page(http_request, "you.html", 400 if form.errors else 200, form=form)


@require_POST
@for_holder
def end_session(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Sign out in one other place. Here there is *Sign out*."""
    others = UserSession.objects.filter(user=http_request.user).exclude(session_key=http_request.session.session_key)
    or_404(next((each for each in others if str(each.pk) == http_request.POST.get("session")), None)).end()
    return back(http_request, None, reverse("usersessions_list"), "Signed out there.")
