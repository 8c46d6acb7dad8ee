"""Every erasure has an order and a certificate, and a legal hold bars it: one that came of a proposal too."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from apps.erasure import store
from apps.erasure.services.certifying import certify_within
from apps.ledger.log import Act
from apps.memories.services import accounts_for_erasing, bars_erasing
from apps.policy.erasing import Basis, Derived, Order, barred
from apps.policy.types import Memory, Refused


@bars_erasing
def bar(within: Act, now: datetime) -> Refused | None:
    """Until when a legal hold bars erasing here, if one does."""
    return barred(store.holds(within.vault_id), now)


@accounts_for_erasing
def account(within: Act, memories: Sequence[Memory], order_id: UUID, counts: Counter[str], now: datetime) -> None:
    """An erasure that was not ordered here gets its order now, with nothing left to do."""
    if store.order(within.vault_id, order_id) is not None:
        return
    new = Order(
        order_id, Basis.PROPOSAL, Derived.KEEP, len(memories), now, within.actor, told=len(memories), counts=counts
    )
    store.add(within, new)
    within.settle()
    certify_within(within, new, now)
