"""The OpenAPI document, and a page to read it on, from our own files alone."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.renderers import OpenApiJsonRenderer
from drf_spectacular.views import SpectacularAPIView
from rest_framework.permissions import AllowAny

DESCRIPTION = """A memory vault that the person it is about holds. A client asks for access, the holder decides, and
every value that is handed over leaves a receipt.

Every answer that is no success is an `application/problem+json` with a `code`; see `/api/v1/problems/{code}`.
Memories of a special category travel alone: in a request, a decision and a read of their own.
"""


class OpenApi(SpectacularAPIView):
    """OpenAPI 3.1."""

    renderer_classes = [OpenApiJsonRenderer]
    permission_classes = [AllowAny]
    authentication_classes: list[Any] = []
    schema = None
    custom_settings = {
        "DESCRIPTION": DESCRIPTION,
        "POSTPROCESSING_HOOKS": [],
        "SCHEMA_PATH_PREFIX": "/api/v1",
        "COMPONENT_SPLIT_PATCH": False,
    }


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The document, readable and to try out."""
    return render(request, "api/docs.html")
