"""One line per surface."""

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.views import defaults

from apps.api import errors
from vault import providers

urlpatterns = [
    path("api/v1/", include("apps.api.urls")),
    path("log/", include("apps.api.log")),
    path("accounts/", include("allauth.urls")),
    path("console/", include("apps.console.urls")),
    path("review/", include("apps.console.desk.urls")),
    *providers.hooks(settings.MAIL_PROVIDER, settings.MAIL_PROVIDER_SECRET),
    path("", include("apps.web.urls")),
]


def handler400(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A request that reached no view: a problem on the REST surface, a page elsewhere."""
    if request.path.startswith("/api/"):
        code = "host-not-served" if isinstance(exception, DisallowedHost) else "malformed"
        return errors.before_any_view(request, code)
    return defaults.bad_request(request, exception)
