"""The operator's site. It can only look, and what it looks at are counts: no value, no label, whoever asks."""

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.cache import never_cache
from django.views.generic import RedirectView

from apps.console import views


class Console(admin.AdminSite):
    """Django's admin site with no models on it: a sign-in, a guard, and plain pages over services."""

    site_header = site_title = "Console"
    index_title = "This instance"
    site_url = "/"
    enable_nav_sidebar = False

    def get_urls(self) -> list[URLPattern | URLResolver]:
        return [
            path("", self.admin_view(views.index), name="index"),
            path("login/", self.login, name="login"),
            path("logout/", RedirectView.as_view(pattern_name="account_logout"), name="logout"),
        ]

    def has_permission(self, request: HttpRequest) -> bool:
        """Staff and superusers, signed in by the same door as everybody."""
        return bool(request.user.is_active and request.user.is_staff)

    @never_cache
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().login(request, extra_context)


site = Console(name="console")
site.login = secure_admin_login(site.login)  # type: ignore[method-assign]
