"""Receipts: the holder sees the vault's, a client its own."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.authentication import EITHER, party_of
from apps.api.errors import Problem
from apps.api.fields import receipt_number
from apps.api.inputs import NoQuery, ReceiptsQuery
from apps.api.outputs import FileReportOut, ReceiptFileOut, ReceiptOut, page_of
from apps.api.schema import operation
from apps.api.views.base import Resource, agreed, listed, queried, some, tagged
from apps.holders import services as holders
from apps.ledger import services as ledger
from apps.policy.ids import typed
from apps.policy.roles import Deed
from apps.policy.types import Caller, Holder, Receipt
from apps.turns import services as turns


class Receipts(Resource):
    """The ledger, newest first."""

    allow = {"GET": EITHER}

    @operation("Receipts, newest first", gives=page_of(ReceiptOut), query=ReceiptsQuery)
    def get(self, request: Request) -> Response:
        query, party = queried(request, ReceiptsQuery), party_of(request)
        filters = equal_filters(query)
        if isinstance(party, Caller):
            if filters.get("actor", party.actor) != party.actor:
                return listed(request, [], None)
            filters["actor"] = party.actor
        filters |= {"before": query.get("cursor"), "after": query.get("after_seq")}
        filters |= {"start": query.get("from"), "end": query.get("to"), "limit": query["limit"] + 1}
        if isinstance(party, Holder):
            found = turns.receipts(party, **filters)
        else:
            found = ledger.receipts(party.vault_id, party.actor, **filters)
        shown = found[: query["limit"]]
        more = str(shown[-1].seq) if len(found) > len(shown) else None
        return listed(request, ReceiptOut.each(shown), more)


class OneReceipt(Resource):
    """One receipt."""

    allow = {"GET": EITHER}

    @operation("One receipt", gives={200: ReceiptOut, 304: None}, query=NoQuery)
    def get(self, request: Request, receipt: str) -> Response:
        queried(request, NoQuery)
        return tagged(ReceiptOut.of(receipt_of(request, receipt)), request)


class ReceiptFile(Resource):
    """One receipt as a file to keep."""

    allow = {"GET": EITHER}

    @operation("One receipt as a file to keep", gives={200: ReceiptFileOut, 304: None}, query=NoQuery)
    def get(self, request: Request, receipt: str) -> Response:
        queried(request, NoQuery)
        seq, party = number_of(receipt), party_of(request)
        if isinstance(party, Holder):
            holders.ask(party, Deed.TAKE)
        found = some(ledger.proof(party.vault_id, party.actor, seq, own=isinstance(party, Caller)))
        name = f'attachment; filename="rcp_{seq}.receipt.json"'
        return tagged(found, request, headers={"Content-Disposition": name})


class ReceiptsVerify(Resource):
    """Check a file, for anybody. The body is the file, byte for byte, whatever its Content-Type says of it."""

    permission_classes = [AllowAny]
    authentication_classes = []

    @operation(
        "Check a receipt's file, a bundle, a conversation or a proof of a fork",
        takes={"application/octet-stream": OpenApiTypes.BINARY},
        gives=FileReportOut,
        refuses=("too-large", "too-many-checks"),
    )
    def post(self, request: Request) -> Response:
        try:
            report = ledger.verify_file(request._request, self.now)
        except ledger.TooLarge:
            raise Problem("too-large") from None
        return Response(agreed(report, self.now, RATE_LIMITED="too-many-checks").to_json())


def equal_filters(query: dict[str, Any]) -> dict[str, Any]:
    """The filters on a receipt's own fields, as they are written there."""
    filters: dict[str, Any] = {
        name: str(query[name]) for name in ("kind", "category", "form", "purpose") if name in query
    }
    for name, prefix in (("request", "req"), ("turn", "trn")):
        if name in query:
            filters[name] = typed(prefix, query[name])
    if "memory" in query:
        filters["memory_id"] = query["memory"]
    if "client" in query:
        filters["actor"] = typed("cli", query["client"])
    return filters


def receipt_of(request: Request, text: str) -> Receipt:
    """The receipt with this id that the caller may see."""
    party = party_of(request)
    if isinstance(party, Holder):
        return some(turns.receipt(party, number_of(text)))
    return some(ledger.receipt(party.vault_id, party.actor, number_of(text), own=True))


def number_of(text: str) -> int:
    """The number in a receipt's id. Not found where it is none."""
    seq = receipt_number(text)
    if seq is None:
        raise Problem("not-found")
    return seq
