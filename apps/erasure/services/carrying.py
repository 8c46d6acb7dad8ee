"""What is left of an order is carried out: the receipts of its memories, a batch an act, and then its certificate.

What an order names is gone from its first act on. Whoever falls in the middle of what follows leaves the order where
the last act put it, and the clock goes on from there.
"""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from apps.erasure import store
from apps.erasure.services.certifying import certify_within
from apps.erasure.services.ordering import AT_ONCE
from apps.ledger.log import act
from apps.memories import services as memories
from apps.policy.erasing import Order, Searched
from apps.policy.people import CLOCK


def carry_out(vault_id: UUID, order_id: UUID, now: datetime) -> Order | None:
    """Go on with an order until it is certified. None for an unknown id. Running twice at once does no harm."""
    while (found := _step(vault_id, order_id, now)) is not None and not found.certified:
        pass
    return found


def _step(vault_id: UUID, order_id: UUID, now: datetime) -> Order | None:
    """One act further."""
    with act(vault_id, CLOCK) as carrying:
        found = store.order(vault_id, order_id)
        if found is None or found.certified:
            carrying.cancel()
            return found
        if found.told < found.memories:
            told = found.told + memories.tell_within(carrying, order_id, found.told, AT_ONCE)
            store.advance(carrying, order_id, told, now)
            return replace(found, told=told)
        certify_within(carrying, found, now)
        return replace(found, done_at=now, searching=False)


def searched(vault_id: UUID, order_id: UUID, found: Searched, now: datetime) -> Order | None:
    """What looking for an order's words came to: from here on it can be certified."""
    with act(vault_id, CLOCK) as noting:
        order = store.order(vault_id, order_id)
        if order is None or order.certified or order.told < order.memories:
            noting.cancel()
            return order
        done = replace(order, residue=found, searching=False)
        certify_within(noting, done, now)
        return replace(done, done_at=now)


def due(limit: int) -> tuple[tuple[UUID, UUID], ...]:
    """Orders that nobody is carrying out, as (vault, order) pairs: those that were left alone longest, and for the next
    minute no one else is told of them.
    """
    return store.due(limit)
