"""An order that is sent again, by whoever did not hear what became of it, is answered with the one that it made."""

import hmac

from apps.erasure import store
from apps.ledger.log import reading
from apps.policy.erasing import Order
from apps.policy.roles import Deed, needs
from apps.policy.types import Holder, Refused, Sent
from apps.policy.vocabulary import Refusal
from vault.tokens import sent_hash


@needs(Deed.ERASE)
def sent_before(holder: Holder, sent: Sent) -> Order | Refused | None:
    """The order that this made; None where it is new. Refused as idempotency-reuse where something else came with its
    key before.
    """
    with reading(holder.vault_id, holder.actor):
        return sent_before_within(holder, sent)


@needs(Deed.ERASE)
def sent_before_within(holder: Holder, sent: Sent) -> Order | Refused | None:
    """`sent_before`, within a look or an act."""
    found = store.sent(holder.vault_id, sent_hash(holder.actor, sent.key))
    if found is None:
        return None
    order_id, salt, digest = found
    if not hmac.compare_digest(digest, hash_of_all(salt, sent)):
        return Refused(Refusal.IDEMPOTENCY_REUSE)
    return store.order(holder.vault_id, order_id)


def hash_of_all(salt: bytes, sent: Sent) -> bytes:
    """What came with it, so that nobody can try a guess at its words without the salt."""
    return hmac.digest(salt, sent.digest.encode(), "sha256")
