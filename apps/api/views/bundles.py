"""The ledger as a bundle to keep: JSON lines, written as they are sent."""

from django.http import StreamingHttpResponse
from rest_framework.request import Request

from apps.api.authentication import HOLDER, holder_of
from apps.api.errors import Problem
from apps.api.inputs import BundleQuery
from apps.api.schema import operation
from apps.api.views.base import Resource, queried
from apps.holders import services as holders
from apps.ledger import services as ledger
from apps.policy.roles import Deed
from vault.streaming import pulled

JSON_LINES = "application/jsonl"


class LedgerBundle(Resource):
    """All receipts, or a run of them, with what ties them to the log."""

    allow = {"GET": HOLDER}

    @operation("The ledger as a bundle to keep", gives={(200, JSON_LINES): str}, query=BundleQuery)
    def get(self, request: Request) -> StreamingHttpResponse:
        query, holder = queried(request, BundleQuery), holder_of(request)
        holders.ask(holder, Deed.TAKE)
        try:
            made = ledger.bundle(holder.vault_id, holder.actor, self.now, query.get("from"), query.get("to"))
        except ledger.BadRange as problem:
            raise Problem("validation", [(f"/{problem.which}", str(problem))]) from None
        headers = {"Content-Disposition": f'attachment; filename="{made.name}"'}
        return StreamingHttpResponse(pulled(made.parts), content_type=JSON_LINES, headers=headers)
