"""Every erasure has an order and a certificate, and a legal hold bars it: one that came of a proposal too."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from apps.erasure import store
from apps.erasure.services.certifying import certify_within
from apps.erasure.services.telling import approved_within
from apps.ledger.log import Act
from apps.memories.services import Staying, accounts_for_erasing, bars_erasing
from apps.policy.erasing import Basis, Derived, Order, barred
from apps.policy.types import Memory, Refused


@bars_erasing
def bar(within: Act, now: datetime) -> Refused | None:
    """Until when a legal hold bars erasing here, if one does."""
    return barred(store.holds(within.vault_id), now)


@accounts_for_erasing
def account(
    within: Act, memories: Sequence[Memory], order_id: UUID, counts: Counter[str], stays: Staying, now: datetime
) -> None:
    """An erasure that was not ordered here gets its order now, with nothing left to do."""
    many = len(memories)
    new = Order(
        order_id,
        Basis.PROPOSAL,
        Derived.KEEP,
        many,
        now,
        within.actor,
        told=many,
        kept=stays.kept,
        still_held=stays.still_held,
        counts=counts,
    )
    store.add(within, new)
    within.settle()
    certify_within(within, new, now)
    approved_within(within, new, now)
