"""The operator's site. It can only look, and what it looks at are counts: no value, no label, whoever asks."""

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.cache import never_cache

from apps.console import views
from apps.console.plain import PlainSite


class Console(PlainSite):
    """The operator's sign-in, guard and pages."""

    site_header = site_title = "Console"
    index_title = "This instance"

    def get_urls(self) -> list[URLPattern | URLResolver]:
        return [*super().get_urls(), path("", self.admin_view(views.index), name="index")]

    def has_permission(self, request: HttpRequest) -> bool:
        """Staff and superusers, signed in by the same door as everybody."""
        return bool(request.user.is_active and request.user.is_staff)

    @never_cache
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().login(request, extra_context)


site = Console(name="console")
site.login = secure_admin_login(site.login)  # type: ignore[method-assign]
