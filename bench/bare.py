"""The floors: bare views on the same server, with none of what Muniment is for.

Of a read over REST: one that authenticates the same key by its hash, inserts and commits one audit row, and selects one
value. Of the desk: a page for whoever is signed in, with as many rows of as many columns from one table. Of the page of
a link: one that says a sentence.
"""

import hashlib
from typing import Any

from django.contrib.auth.decorators import login_required
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.urls import include, path
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vault import urls


class ByKey(BaseAuthentication):
    """One look-up of the key's hash."""

    def authenticate(self, request: Request) -> tuple[Any, Any]:
        key = request.headers.get("Authorization", "").removeprefix("Bearer ")
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM bench_key WHERE hash = %s", [hashlib.sha256(key.encode()).digest()])
            if cursor.fetchone() is None:
                raise AuthenticationFailed
        return key[:12], None


class Bare(APIView):
    """Insert, commit, select, answer."""

    authentication_classes = [ByKey]
    permission_classes = [AllowAny]

    def post(self, request: Request) -> Response:
        memory = request.data["memories"][0]
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("INSERT INTO bench_audit (memory, reader) VALUES (%s, %s)", [memory, str(request.user)])
        with connection.cursor() as cursor:
            cursor.execute("SELECT value FROM bench_value WHERE memory = %s", [memory])
            row = cursor.fetchone()
        return Response({"memory": memory, "value": row[0] if row else None})


ROWS = """<!DOCTYPE html><html lang="en"><head><title>Rows</title></head><body><table>
{% for row in rows %}<tr>{% for cell in row %}<td>{{ cell }}</td>{% endfor %}</tr>
{% endfor %}</table></body></html>"""


@login_required
def rows(request: HttpRequest) -> HttpResponse:
    """One SELECT, and a table of what it gave."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM bench_row ORDER BY id LIMIT 200")
        found = cursor.fetchall()
    return HttpResponse(engines["django"].from_string(ROWS).render({"rows": found}, request))


def sentence(request: HttpRequest) -> HttpResponse:
    """Nothing but the answer."""
    return HttpResponse("<!DOCTYPE html><html lang=en><title>Bare</title><p>A page that says a sentence.</html>")


urlpatterns = [
    path("bare", Bare.as_view()),
    path("bare-rows", rows),
    path("bare-page", sentence),
    path("", include(urls.urlpatterns)),
]
