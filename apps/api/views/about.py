"""Who am I, what may be asked for, and what a problem code means."""

from django.conf import settings
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from apps.access import services as access
from apps.api.authentication import CLIENT, EITHER, caller_of, party_of
from apps.api.errors import Problem
from apps.api.fields import MOST_AT_ONCE
from apps.api.inputs import NoQuery, PageQuery
from apps.api.outputs import MeOut, ProblemTypeOut, SubjectOut, page_of
from apps.api.problems import KINDS
from apps.api.schema import operation
from apps.api.views.base import Resource, page, queried, tagged
from apps.policy.ids import typed
from apps.policy.types import Caller


class Me(Resource):
    """Whom the credential stands for, and the limits that hold for it."""

    allow = {"GET": EITHER}

    @operation("Whom the credential stands for", gives=MeOut, query=NoQuery)
    def get(self, request: Request) -> Response:
        queried(request, NoQuery)
        party = party_of(request)
        client = party.client if isinstance(party, Caller) else None
        body = {
            "kind": "client" if client else "holder",
            "vault": party.vault_id,
            "name": party.client.name if isinstance(party, Caller) else party.name,
            "client": client.client_id if client else None,
            "paused": client.paused if client else False,
            "mcp": f"{settings.PUBLIC_URL}/mcp/{typed('vlt', party.vault_id)}",
            "server_time": self.now,
            "limits": {"reads_per_minute": settings.READS_PER_MINUTE, "most_at_once": MOST_AT_ONCE},
        }
        return Response(MeOut.of(body))


class Subjects(Resource):
    """Labels, never values."""

    allow = {"GET": CLIENT}

    @operation("What may be asked for", gives=page_of(SubjectOut), query=PageQuery)
    def get(self, request: Request) -> Response:
        query = queried(request, PageQuery)
        labels = access.subjects(caller_of(request))
        return page(
            request,
            labels,
            lambda label: typed("mem", label.memory_id),
            query,
            lambda chosen: SubjectOut.each(chosen),
        )


class ProblemType(Resource):
    """What a problem's `type` leads to."""

    permission_classes = [AllowAny]
    authentication_classes = []

    @operation("What a problem code means", gives=ProblemTypeOut)
    def get(self, request: Request, code: str) -> Response:
        kind = KINDS.get(code)
        if kind is None:
            raise Problem("not-found")
        body = {
            "code": code,
            "status": kind.status,
            "title": kind.title,
            "detail": kind.detail,
            "retryable": kind.retryable,
            "who_can_fix": kind.who,
            "next": kind.next,
        }
        return tagged(body, request)


class Nothing(Resource):
    """Every other address under /api/v1/: the same not-found as for a thing that is not there."""

    permission_classes = [AllowAny]
    authentication_classes = []
    http_method_names = ["get", "head", "post", "put", "patch", "delete", "options"]
    schema = None  # type: ignore[assignment]

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        raise Problem("not-found")
