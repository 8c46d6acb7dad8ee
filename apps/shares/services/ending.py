"""What the clock does with shares: writes down which are over, tells of openings, and forgets. That a share is over
depends on none of it.
"""

from contextlib import suppress
from datetime import datetime, timedelta
from uuid import UUID

from kombu.exceptions import OperationalError

from apps.holders import services as holders
from apps.ledger.log import act, reading
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.people import CLOCK
from apps.policy.shares import KEPT, Share, ShareState, state_of
from apps.policy.vocabulary import ReceiptKind
from apps.shares import store
from apps.shares.services import posting
from vault.celery import app

HOP = timedelta(minutes=30)


def due(kind: str, limit: int) -> tuple[tuple[UUID, UUID], ...]:
    """(vault, share) pairs that are over and not yet written down (`share-over`) or ended thirty days ago
    (`share-gone`); (vault, opening) pairs that nobody was told of (`share-opened`).
    """
    return memories.due(kind, limit)


def end_in_time(vault_id: UUID, share: Share, now: datetime) -> None:
    """Have its end written down in the second in which it comes. A message waits for half an hour at most and is sent
    on then: a broker hands it out again where it waits for long. Where nobody hears of it, the sweep finds the share.
    """
    if state_of(share, now) is ShareState.LIVE:
        at = min(share.expires_at, now + HOP)
        with suppress(OperationalError):
            app.send_task("shares.expire_one", args=[str(vault_id), str(share.share_id)], eta=at, retry=False)


def expire_or_wait(vault_id: UUID, share_id: UUID, now: datetime) -> bool:
    """`expire`; where its time is to come, have it looked at again then."""
    with reading(vault_id, CLOCK):
        found = store.share(vault_id, share_id)
    if found is not None:
        end_in_time(vault_id, found, now)
    return expire(vault_id, share_id, now)


def expire(vault_id: UUID, share_id: UUID, now: datetime) -> bool:
    """Write down that a share is over, by its time, its openings or its last try, and tell whoever may share there.
    False where it is not, or somebody else wrote it.
    """
    with act(vault_id, CLOCK) as ending:
        found = store.share(vault_id, share_id)
        state = state_of(found, now) if found is not None else ShareState.LIVE
        over = state in (ShareState.EXPIRED, ShareState.USED_UP, ShareState.LOCKED)
        if found is None or not over or not store.end(ending, share_id, now):
            ending.cancel()
            return False
        ending.record(ReceiptKind.SHARE_ENDED, object=typed("shr", share_id))
        posting.ended(ending, share_id, state.value, now)
    return True


def tell(vault_id: UUID, opening_id: UUID, now: datetime) -> int:
    """Tell whoever may share there of an opening, once. Returns how many letters that is."""
    with reading(vault_id, CLOCK):
        opening = store.opening(vault_id, opening_id)
        share = store.share(vault_id, opening.share_id) if opening is not None else None
        sent = posting.opened(vault_id, opening, share, now) if opening is not None and share is not None else 0
    store.told(vault_id, opening_id, now)
    return sent


def forget(vault_id: UUID, share_id: UUID, now: datetime) -> bool:
    """Nothing is left of a share that ended thirty days ago but its receipts. False where it did not, or is gone."""
    with reading(vault_id, CLOCK):
        found = store.share(vault_id, share_id)
        hashes = store.hashes(vault_id, share_id)
    ends = [found.stopped_at, found.locked_at, found.ended_at] if found is not None else []
    if not any(each is not None and each + KEPT <= now for each in ends):
        return False
    holders.unlist(hashes)
    return store.forget(vault_id, share_id) > 0
