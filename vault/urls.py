"""One line per surface."""

from django.urls import include, path

urlpatterns = [
    path("api/v1/", include("apps.api.urls")),
    path("accounts/", include("allauth.urls")),
    path("console/", include("apps.console.urls")),
    path("", include("apps.web.urls")),
]
