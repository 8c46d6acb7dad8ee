"""The clock's work on shares: each at the second it ends, and what a lost message left, once a minute."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from celery import shared_task

from apps.ledger import services as ledger
from apps.shares import services
from vault.clock import utc_now

BATCH = 500


@shared_task(name="shares.expire_one")
def expire_one(vault_id: str, share_id: str) -> bool:
    """Write down that this share is over, if it is. On hold nothing is: the sweep finds it."""
    return not ledger.on_hold() and services.expire_or_wait(UUID(vault_id), UUID(share_id), utc_now())


@shared_task(name="shares.expire")
def expire() -> int:
    """Write down which shares are over by now. Returns how many were written here."""
    return _each("share-over", services.expire)


@shared_task(name="shares.tell")
def tell() -> int:
    """Tell whoever shared of what was opened. Returns how many letters that is."""
    return _each("share-opened", services.tell)


@shared_task(name="shares.forget")
def forget() -> int:
    """Forget what ended thirty days ago. Returns how many shares that is."""
    return _each("share-gone", services.forget)


def _each(kind: str, do: Callable[[UUID, UUID, datetime], int]) -> int:
    """Two workers at once, or a task delivered twice, do each once: the row says who was first. On hold nothing is."""
    if ledger.on_hold():
        return 0
    return sum(do(vault_id, each, utc_now()) for vault_id, each in services.due(kind, BATCH))
