"""Access's background work: requests nobody decided, and grants whose time is over or that stand unused, end; and
people are told once a day what waits for them.
"""

import gc
import logging
from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from celery import shared_task

from apps.access import services
from apps.ledger import services as ledger
from apps.mail import services as mail
from vault.clock import utc_now

BATCH = 500
DIGESTS = 100  # people whose digests are made, and stand in memory, at once
log = logging.getLogger("muniment.mail")


@shared_task(name="access.expire_requests")
def expire_requests() -> int:
    """Expire what is due. Running twice at once expires each request once. Returns how many were expired here.

    On hold nothing is stamped, so nothing is expired: it stays due.
    """
    if ledger.on_hold():
        return 0
    return sum(
        services.expire(vault_id, request_id, utc_now()) for vault_id, request_id in services.due_to_expire(BATCH)
    )


@shared_task(name="access.expire_grants")
def expire_grants() -> int:
    """Write down which grants are over by now. Returns how many were written here; on hold nothing is."""
    return _end("grant-expired", services.expire_grant)


@shared_task(name="access.lapse_grants")
def lapse_grants() -> int:
    """End the grants that stood unused too long. Returns how many were ended here; on hold none is."""
    return _end("grant-lapsed", services.lapse_grant)


def _end(kind: str, end: Callable[[UUID, UUID, datetime], bool]) -> int:
    """Two workers at once, or a task delivered twice, end each grant once: the row says who was first."""
    if ledger.on_hold():
        return 0
    return sum(end(vault_id, grant_id, utc_now()) for vault_id, grant_id in services.due_to_end(kind, BATCH))


@shared_task(name="access.digests")
def digests() -> int:
    """Write to everybody whose hour it is: what waits, and what was handed over. Returns how many letters that is.

    Of two beats, or a task delivered twice, one writes; on hold nobody does, and it stays due. Some people at a time
    stand in memory, however many there are.
    """
    if ledger.on_hold():
        return 0
    now, told = utc_now(), 0
    while lot := mail.digests_due(now, DIGESTS):
        told += sum(_tell(due, now) for due in lot)
        gc.collect()  # what a lot leaves in circles would else stand there until it is a quarter of the whole process
    return told


def _tell(due: mail.Due, now: datetime) -> int:
    """One person's vault that cannot be looked at keeps nobody else's letter back."""
    try:
        return mail.hand_in(due, services.tellings(due, now), now)
    except Exception as error:
        log.error("a digest could not be made: %s", type(error).__name__)
        return mail.hand_in(due, None, now)
