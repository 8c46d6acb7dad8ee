"""The desk's own admin site: no model is on it, and everything but a press on one of its forms is looking.

Who comes in is a reviewer of some space, by the same sign-in as everybody; being staff or a superuser opens nothing
here. Sitting down at a space's desk is an act of its own, and stands in that space's chain.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, Concatenate, ParamSpec
from uuid import UUID

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, path
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache

from apps.access import services as access
from apps.console.plain import PlainSite
from apps.policy.ids import untyped
from apps.policy.people import Membership
from vault.clock import utc_now

Rest = ParamSpec("Rest")
SAT_DOWN = "desk"  # in the session: the space, and when
SITS_FOR = timedelta(hours=8)


def sit(http_request: HttpRequest, at: Membership) -> None:
    """From now on the person sits at this desk."""
    http_request.session[SAT_DOWN] = [at.space_id.hex, utc_now().isoformat()]


def stand_up(http_request: HttpRequest) -> None:
    """The person sits at no desk any more."""
    http_request.session.pop(SAT_DOWN, None)


def sits(http_request: HttpRequest, at: Membership) -> bool:
    """Does the person sit there, and did they sit down not too long ago?"""
    space, since = http_request.session.get(SAT_DOWN) or ("", "")
    return space == at.space_id.hex and utc_now() - datetime.fromisoformat(since) < SITS_FOR


def person(http_request: HttpRequest) -> UUID:
    """Who is signed in; the site's guard has let them in."""
    user_id = http_request.user.pk
    assert user_id is not None
    return user_id


def found(http_request: HttpRequest, space: str) -> Membership:
    """The person's desk in this space, as it is now; not found where they review nothing."""
    space_id = untyped("spc", space)
    at = access.desk(person(http_request), space_id) if space_id else None
    if at is None:
        raise Http404
    return at


def at_desk(view: Callable[Concatenate[HttpRequest, Membership, Rest], HttpResponse]) -> Callable[..., HttpResponse]:
    """Pass the desk to the view; who has not sat down there is led to where one does."""

    @wraps(view)
    def entered(http_request: HttpRequest, *args: Rest.args, **kwargs: Rest.kwargs) -> HttpResponse:
        at = found(http_request, str(kwargs.pop("space")))
        return view(http_request, at, *args, **kwargs) if sits(http_request, at) else redirect("desk:index")

    return entered


class Desk(PlainSite):
    """The reviewers' sign-in, guard and pages."""

    site_header = site_title = "Review"

    def get_urls(self) -> list[URLPattern | URLResolver]:
        from apps.console.desk import views

        return [
            *super().get_urls(),
            path("", self.admin_view(views.index), name="index"),
            path("<str:space>/enter", self.admin_view(views.enter), name="enter"),
            path("<str:space>/leave", self.admin_view(views.leave), name="leave"),
            path("<str:space>/", self.admin_view(views.queue), name="queue"),
            path("<str:space>/waiting.csv", self.admin_view(views.download), name="csv"),
            path("<str:space>/<str:review>", self.admin_view(views.one), name="one"),
            path("<str:space>/<str:review>/approve", self.admin_view(views.approve), name="approve"),
            path("<str:space>/<str:review>/answer", self.admin_view(views.answer), name="answer"),
        ]

    def has_permission(self, request: HttpRequest) -> bool:
        """Whoever reviews in some space, now; nobody else, whatever else they are."""
        return bool(request.user.is_active and access.desks(request.user.pk))

    @method_decorator(never_cache)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """A stranger signs in by everybody's door; who is signed in and has no desk is not let in by any."""
        if not request.user.is_authenticated:
            return redirect_to_login(request.GET.get("next", "/review/"))
        if not self.has_permission(request):
            raise PermissionDenied
        return redirect("desk:index")


site = Desk(name="desk")
