"""`/people/spaces/<spc_…>/child`: a vault for a child of the household, whose guardian is whoever opens it."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse

from apps.holders import services as holders
from apps.policy.roles import Deed
from apps.policy.settling import ages
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Refused
from apps.web.doors import back, for_form, or_404, page, sit
from apps.web.forms import ChildForm
from vault.clock import utc_now


@for_form(Deed.SELF)
def add(http_request: HttpRequest, holder: Holder, space_id: UUID) -> HttpResponse:
    """Open it, and sit down there."""
    place = or_404(holders.managed(holder.user_id, space_id))
    form = ChildForm(http_request.POST or None, initial={"time_zone": holder.time_zone})
    if form.is_valid():
        try:
            opened = holders.bring_up(holder.user_id, space_id, now=utc_now(), **form.cleaned_data)
        except TextProblem as problem:
            form.blame(problem)
        else:
            if not isinstance(opened, Refused):
                sit(http_request, opened)
            return back(http_request, opened, "/file", "Opened. You act here under your own name.")
    table = ages(holders.space_policy(space_id), utc_now())
    return page(http_request, "people/child.html", 400 if form.errors else 200, form=form, place=place, ages=table)
