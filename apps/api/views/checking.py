"""What a text brings back of what was corrected."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from apps.access import services as access
from apps.api.authentication import EITHER, party_of
from apps.api.errors import no_receipt_no_read
from apps.api.inputs import CheckIn
from apps.api.outputs import HANDLING, CheckedOut
from apps.api.schema import A_HAND_OVER, IDEMPOTENCY_KEY_OF_A_CLIENT, operation
from apps.api.views.base import Resource, agreed, body_digest, idempotency_key, taken
from apps.memories import services as memories
from apps.policy.types import Holder
from apps.turns import services as turns


class Check(Resource):
    """The holder's texts against the whole file; a client's against what its grants cover."""

    allow = {"POST": EITHER}

    @operation(
        "Where texts say what was corrected, and what is so instead",
        takes=CheckIn,
        gives=CheckedOut,
        headers=[IDEMPOTENCY_KEY_OF_A_CLIENT],
        refuses=A_HAND_OVER,
    )
    def post(self, request: Request) -> Response:
        sent, party = taken(request, CheckIn), party_of(request)
        with no_receipt_no_read():
            if isinstance(party, Holder):
                checked = memories.check_texts(party, sent["texts"])
                shown = turns.shown(party, checked.shown)
                return Response(_words(checked.finds, [*shown.values], checked.covered))
            done = agreed(
                access.check_texts(
                    party,
                    sent["texts"],
                    purpose=sent["purpose"],
                    idempotency_key=idempotency_key(request),
                    body_digest=body_digest(request),
                    now=self.now,
                ),
                self.now,
            )
        return Response(_words(done.finds, [each.handed for each in done.read.released], done.covered))


def _words(finds: tuple[memories.Find, ...], values: list[Any], covered: int) -> Any:
    return CheckedOut.of({"finds": finds, "values": values, "covered": covered, "handling": HANDLING})
