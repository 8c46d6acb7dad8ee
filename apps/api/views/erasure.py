"""Erasing, for the holder: what would go, the order, its certificate."""

from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.authentication import HOLDER, holder_of
from apps.api.erasing import OrderIn, PersonalIn, PreviewIn, unbarred, where_of
from apps.api.errors import no_receipt_no_read
from apps.api.inputs import NoQuery, PageQuery
from apps.api.outputs.erasure import (
    AuditOut,
    CertificateFileOut,
    ErasureOut,
    PersonalsOut,
    PreviewOut,
    order_facts,
    personal_facts,
    preview_facts,
)
from apps.api.outputs.shape import page_of
from apps.api.schema import IDEMPOTENCY_KEY_IF_SENT, operation
from apps.api.views.base import (
    Resource,
    agreed,
    body_digest,
    id_of,
    idempotency_key,
    page,
    queried,
    some,
    tagged,
    taken,
)
from apps.erasure import services as erasure
from apps.erasure.services import Personal
from apps.policy.erasing import Basis
from apps.policy.ids import typed
from apps.policy.types import Sent


class ErasurePreview(Resource):
    """Exactly what an order would erase. Nothing is done."""

    allow = {"POST": HOLDER}

    @operation("What an order would erase", takes=PreviewIn, gives=PreviewOut, refuses=("not-found",))
    def post(self, request: Request) -> Response:
        holder, sent = holder_of(request), taken(request, PreviewIn)
        plan = agreed(erasure.preview(holder, where_of(sent), sent["derived"]))
        return Response(PreviewOut.of(preview_facts(plan, erasure.holds(holder, self.now), erasure.horizon_days())))


class PersonalData(Resource):
    """Which memories hold personal data of a known kind. Nothing is erased: send their ids with an order."""

    allow = {"POST": HOLDER}

    @operation(
        "Which memories hold personal data of a known kind: a look at every value, and stamped as one",
        takes=PersonalIn,
        gives=PersonalsOut,
        refuses=("receipt-unavailable",),
    )
    def post(self, request: Request) -> Response:
        sent = taken(request, PersonalIn)
        with no_receipt_no_read():
            found = erasure.personal_data(holder_of(request), sent["kinds"] or tuple(Personal), sent["country"].upper())
        return Response(PersonalsOut.of(personal_facts(found)))


class Erasures(Resource):
    """Orders, newest first."""

    allow = {"GET": HOLDER, "POST": HOLDER}

    @operation("Orders, newest first", gives=page_of(ErasureOut), query=PageQuery)
    def get(self, request: Request) -> Response:
        query, holder = queried(request, PageQuery), holder_of(request)
        return page(
            request,
            erasure.orders(holder),
            lambda each: typed("ord", each.order_id),
            query,
            lambda chosen: ErasureOut.each(map(order_facts, chosen)),
        )

    @operation(
        "Erase: it is out of reach when this is answered",
        takes=OrderIn,
        gives={201: ErasureOut, 202: ErasureOut},
        headers=[IDEMPOTENCY_KEY_IF_SENT],
        refuses=(
            "not-found",
            "stale",
            "lineage-choice",
            "legal-hold",
            "field-not-allowed",
            "receipt-unavailable",
            "idempotency-key-required",
            "idempotency-reuse",
        ),
    )
    def post(self, request: Request) -> Response:
        holder, key, sent = holder_of(request), _sent_as(request), taken(request, OrderIn)
        with no_receipt_no_read():
            done = (erasure.order_and_search if sent["search"] else erasure.order)(
                holder,
                where_of(sent),
                self.now,
                basis=sent["basis"] or Basis.WISH,
                request=sent["request"],
                derived=sent["derived"],
                plan=sent["plan"],
                sent=key,
            )
        made = agreed(unbarred(done, holder, self.now))
        location = {"Location": f"/api/v1/erasures/{typed('ord', made.order_id)}"}
        return tagged(
            ErasureOut.of(order_facts(made, sent["request"])), request, 201 if made.certified else 202, location
        )


def _sent_as(request: Request) -> Sent | None:
    """By what the order is known if it is sent again; None where its sender chose no key."""
    if "Idempotency-Key" not in request.headers:
        return None
    return Sent(idempotency_key(request), body_digest(request))


class ErasureAudit(Resource):
    """Whether anything is left of what was erased."""

    allow = {"GET": HOLDER}

    @operation("Is anything left of what was erased? For the holder alone", gives=AuditOut, query=NoQuery)
    def get(self, request: Request) -> Response:
        queried(request, NoQuery)
        return Response(AuditOut.of(erasure.audit(holder_of(request), self.now).to_json()))


class OneErasure(Resource):
    """One order."""

    allow = {"GET": HOLDER}

    @operation("One order", gives={200: ErasureOut, 304: None}, query=NoQuery)
    def get(self, request: Request, order: str) -> Response:
        queried(request, NoQuery)
        holder, order_id = holder_of(request), id_of("ord", order)
        found = some(erasure.erasure(holder, order_id))
        return tagged(ErasureOut.of(order_facts(found, erasure.words(holder, order_id))), request)


class ErasureWords(Resource):
    """The words that came with an order."""

    allow = {"POST": HOLDER}

    @operation("Erase the words that came with an order", gives=ErasureOut, refuses=("legal-hold",))
    def post(self, request: Request, order: str) -> Response:
        holder = holder_of(request)
        done = unbarred(erasure.forget_words(holder, id_of("ord", order), self.now), holder, self.now)
        return tagged(ErasureOut.of(order_facts(agreed(done))), request)


class ErasureCertificate(Resource):
    """An order's certificate, as a file that is checked offline."""

    allow = {"GET": HOLDER}

    @operation("An order's certificate", gives={200: CertificateFileOut, 304: None}, query=NoQuery)
    def get(self, request: Request, order: str) -> Response:
        queried(request, NoQuery)
        found = some(erasure.certificate_file(holder_of(request), id_of("ord", order)))
        name = f'attachment; filename="{order}.certificate.json"'
        return tagged(found, request, headers={"Content-Disposition": name})
