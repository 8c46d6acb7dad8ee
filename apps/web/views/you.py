"""`/you`: what the holder is called, the zone their times are shown in, and the ways to what guards the sign-in."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from apps.holders import services as holders
from apps.policy.text import TextProblem
from apps.policy.types import Holder
from apps.web.doors import back, for_holder, page
from apps.web.forms import ProfileForm


@require_http_methods(["GET", "HEAD", "POST"])
@for_holder
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
