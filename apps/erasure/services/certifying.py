"""What an order certifies once nothing is left to do: no value, no label, no person."""

from collections.abc import Mapping
from datetime import datetime

from apps.erasure import store
from apps.erasure.horizon import horizon_days
from apps.erasure.places import PLACES
from apps.erasure.services.reclaiming import not_overwritten
from apps.ledger.format.certificate import CERTIFICATE_LIMITS as CERTIFICATE_LIMITS
from apps.ledger.format.certificate import certificate, commitment
from apps.ledger.log import Act
from apps.policy.erasing import NOT_SEARCHED, Order
from apps.policy.ids import instant, typed
from apps.policy.vocabulary import ReceiptKind


def certify_within(within: Act, done: Order, now: datetime) -> None:
    """Write the certificate, and the receipt that it is bound to."""
    text = certificate(_said(within, done, now))
    store.certify(within, done.order_id, text, now, done.residue)
    within.record(ReceiptKind.ERASURE_CERTIFIED, object=typed("ord", done.order_id), commitment=commitment(text))


def _said(within: Act, done: Order, now: datetime) -> Mapping[str, object]:
    return {
        "vault": typed("vlt", within.vault_id),
        "order": typed("ord", done.order_id),
        "coverage": sorted(PLACES),
        "basis": done.basis.value,
        "whole_vault": done.whole_vault,
        "made_at": instant(done.made_at),
        "done_at": instant(now),
        "memories": done.memories,
        "counts": {place: count for place, count in sorted(done.counts.items()) if count},
        "derived": done.choice.value,
        "kept": done.kept,
        "still_held": done.still_held,
        "not_overwritten": not_overwritten(done.counts, done.made_at),
        "residue": (done.residue or NOT_SEARCHED).to_json(),
        "horizon_days": horizon_days(),
    }
