"""The disclosure report."""

from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.authentication import HOLDER, holder_of
from apps.api.inputs import DisclosuresQuery
from apps.api.outputs import DisclosuresOut
from apps.api.schema import operation
from apps.api.views.base import Resource, queried, tagged
from apps.turns import services as turns


class LedgerDisclosures(Resource):
    """Who was told what, oldest first: all of it, in one answer."""

    allow = {"GET": HOLDER}

    @operation("The disclosure report", gives={200: DisclosuresOut, 304: None}, query=DisclosuresQuery)
    def get(self, request: Request) -> Response:
        query, holder = queried(request, DisclosuresQuery), holder_of(request)
        found = turns.disclosures(holder, self.now, query.get("from"), query.get("to"), roll_up=query["roll_up"])
        return tagged({"items": [each.cells() for each in found]}, request)
