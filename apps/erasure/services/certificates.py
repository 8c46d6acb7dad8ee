"""A certificate as a file that is checked offline: what it says, and the receipt that it is bound to."""

import json
from typing import Any
from uuid import UUID

from apps.erasure import store
from apps.erasure.services.ordering import erasure
from apps.ledger import services as ledger
from apps.ledger.format.certificate import CERTIFICATE_FILE, commitment
from apps.policy.erasing import Order
from apps.policy.ids import typed
from apps.policy.people import CLOCK
from apps.policy.roles import Deed, needs
from apps.policy.types import Holder
from apps.policy.vocabulary import ReceiptKind


@needs(Deed.TAKE)
def certificate_file(holder: Holder, order_id: UUID) -> dict[str, Any] | None:
    """An order's certificate, JSON-ready; None for an unknown order, and for one that is not certified yet. It carries
    a receipt with its place in the chain, which would tell whoever acts for the holder what is sealed from them.
    """
    return _file(holder.vault_id, holder.actor, erasure(holder, order_id))


def file_by_link(link: str) -> dict[str, Any] | None:
    """The certificate of a vault that was erased, for whoever has the secret that was shown then; for thirty days."""
    found = store.by_link(link)
    return _file(found[0], CLOCK, found[1]) if found is not None else None


def _file(vault_id: UUID, actor: str, order: Order | None) -> dict[str, Any] | None:
    if order is None or not order.certified:
        return None
    acts = ledger.acts_on(vault_id, actor, [typed("ord", order.order_id)])
    bound = commitment(order.certificate)
    seq = next(
        each.seq
        for each in acts
        if each.kind == ReceiptKind.ERASURE_CERTIFIED and (each.commitment or b"").hex() == bound
    )
    return {
        "format": CERTIFICATE_FILE,
        "certificate": json.loads(order.certificate),
        "receipt": ledger.proof(vault_id, actor, seq),
    }
