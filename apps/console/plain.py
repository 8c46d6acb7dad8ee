"""What our two admin sites share: no model is on them, and everybody's door leads in and out."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, path
from django.views.generic import RedirectView


class PlainSite(admin.AdminSite):
    """Django's admin site without a model: a sign-in, a guard, and plain pages over services."""

    site_url = "/"
    enable_nav_sidebar = False

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """The doors. A site adds its pages after them."""
        return [
            path("login/", self.login, name="login"),
            path("logout/", RedirectView.as_view(pattern_name="account_logout"), name="logout"),
        ]
