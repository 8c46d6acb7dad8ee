"""Making a share: checked, kept, and its links told once. Whoever is named with an address is written to."""

import hmac
import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Unpack
from uuid import UUID

from django.conf import settings
from django.contrib.auth.hashers import make_password

from apps.holders import services as holders
from apps.ledger.ids import new_id
from apps.ledger.log import Act, act
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.roles import Deed, needs, sees
from apps.policy.shares import (
    MOST_TRIES,
    Link,
    Recipient,
    Share,
    ShareItem,
    authorize_share,
    check_terms,
)
from apps.policy.types import Holder, Refused, Sent
from apps.policy.vocabulary import ReceiptKind, Refusal
from apps.shares import store
from apps.shares.services import posting
from apps.shares.services.ending import end_in_time
from apps.shares.services.told import Made, MadeLink
from apps.shares.services.wishing import Terms, Wish, wished
from vault import limits
from vault.tokens import SALT_BYTES, sent_hash, share_token, token_hash

SHARES_PER_HOUR = 30  # by one person


@needs(Deed.SHARE)
def make(
    holder: Holder,
    ids: Sequence[UUID],
    now: datetime,
    *,
    sent: Sent | None = None,
    **terms: Unpack[Terms],
) -> Made | Refused:
    """A share over these memories, in the versions they have now: one link, or one for each who is named. Each who has
    an address is mailed theirs. Its tokens are told here and kept nowhere; what was `sent` before is answered with the
    same ones.

    Without `code` it is the mailed one where everybody named has an address, and none else. Refused as
    `authorize_share` says, as rate-limited (until), and as idempotency-reuse. Raises TextProblem by a parameter's name;
    of a `name` or an `address` with the place of its recipient, from "0", as `part`.
    """
    wish = wished(holder, ids, **terms)
    salts = _salts(holder, sent, max(len(wish.recipients), 1))
    hashed = make_password(wish.pin) if wish.pin else ""  # slow: before the vault is locked
    with act(holder.vault_id, holder.actor) as making:
        before = _sent_before(holder, sent, salts)
        done = before if before is not None else _make(making, holder, wish, hashed, salts, sent, now)
        if not making.lines:
            making.cancel()
    if isinstance(done, Made) and before is None:
        end_in_time(holder.vault_id, done.share, now)
    return done


def _too_many(holder: Holder, wish: Wish, now: datetime) -> datetime | None:
    """When this person may share again; each address counts, for whoever has it is mailed, wanted or not. Counted is
    what is made: asked once nothing else speaks against it, and where one is full, none is counted.
    """
    mine = f"shares:{holder.user_id.hex}"
    addresses = [each.address for each in wish.recipients if each.address]
    full = [
        limits.full(mine, SHARES_PER_HOUR, 3600, now),
        *(holders.mailed_often_enough(each, now) for each in addresses),
    ]
    until = max(filter(None, full), default=None)
    if until is None:
        counted = [
            limits.over(mine, SHARES_PER_HOUR, 3600, now),
            *(holders.mailed_too_often(each, now) for each in addresses),
        ]
        until = max(filter(None, counted), default=None)
    return until


def _make(
    making: Act,
    holder: Holder,
    wish: Wish,
    pin: str,
    salts: Sequence[bytes],
    sent: Sent | None,
    now: datetime,
) -> Made | Refused:
    settled = holders.policy(holder.vault_id)
    found = {each.memory_id: each for each in memories.facts_within(making, wish.ids, ()) if sees(holder, each)}
    refused = authorize_share(found, wish.ids, settled)
    if refused is not None:
        return refused
    check_terms(wish.lasts, wish.opens, settled)
    until = _too_many(holder, wish, now)
    if until is not None:
        return Refused(Refusal.RATE_LIMITED, until=until)
    share_id = new_id()
    new = Share(
        share_id,
        1,
        now,
        holder.actor,
        holder.name,
        wish.note,
        wish.code,
        now + wish.lasts,
        wish.opens,
        wish.opens,
        MOST_TRIES,
        None,
        None,
        None,
        tuple(ShareItem(each, found[each].version) for each in wish.ids),
        tuple(Link(new_id(), share_id, each.name, each.address) for each in wish.recipients or (Recipient("", ""),)),
    )
    links = _with_tokens(new, salts)
    hashes = [token_hash(each.token) for each in links]
    store.add(making, new, hashes, pin, _known_by(holder, sent))
    for hashed in hashes:
        holders.enlist(making, hashed, "share")
    for item in new.items:
        making.record(
            ReceiptKind.SHARE_MADE,
            object=typed("shr", share_id),
            memory=item.memory_id,
            version=item.version,
            category=found[item.memory_id].category.value,
        )
    making.settle()
    return Made(new, links, posting.hand_out(holder, making, new, salts))


# ---------------------------------------------------------------- sent again
def _salts(holder: Holder, sent: Sent | None, many: int) -> tuple[bytes, ...]:
    """What the tokens are made with: drawn; or made from the key it was sent with, so that they can be told again."""
    if sent is None:
        return tuple(secrets.token_bytes(SALT_BYTES) for _ in range(many))
    made = [f"muniment-share-salt/1\n{holder.actor}\n{place}\n{sent.key}" for place in range(many)]
    return tuple(hmac.digest(settings.SECRET_KEY.encode(), each.encode(), "sha256")[:SALT_BYTES] for each in made)


def _known_by(holder: Holder, sent: Sent | None) -> tuple[bytes, bytes] | None:
    """Everybody has keys of their own; what came with one is kept as a keyed hash."""
    if sent is None:
        return None
    key = sent_hash(holder.actor, sent.key)
    return key, hmac.digest(settings.SECRET_KEY.encode(), key + sent.digest.encode(), "sha256")


def _sent_before(holder: Holder, sent: Sent | None, salts: Sequence[bytes]) -> Made | Refused | None:
    known_by = _known_by(holder, sent)
    found = store.sent(holder.vault_id, known_by[0]) if known_by is not None else None
    if found is None or known_by is None:
        return None
    share, everything = found
    if not hmac.compare_digest(everything, known_by[1]) or len(salts) != len(share.links):
        return Refused(Refusal.IDEMPOTENCY_REUSE)
    mailed = tuple(each.address for each in share.links if each.address)
    return Made(share, _with_tokens(share, salts), mailed)


def _with_tokens(share: Share, salts: Sequence[bytes]) -> tuple[MadeLink, ...]:
    return tuple(MadeLink(each, share_token(each.link_id, salt)) for each, salt in zip(share.links, salts, strict=True))
