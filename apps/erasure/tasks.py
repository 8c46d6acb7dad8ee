"""Erasure's background work: orders that were not finished are gone on with."""

import logging
from uuid import UUID

from celery import shared_task

from apps.erasure import services
from apps.holders import services as holders
from apps.ledger import services as ledger
from vault.clock import utc_now

BATCH = 100
log = logging.getLogger("muniment.erasure")


@shared_task(name="erasure.carry_out")
def carry_out(vault_id: str, order_id: str) -> bool:
    """Go on with one order. Running twice at once does no harm. Returns whether it is certified."""
    if ledger.on_hold():
        return False
    found = services.carry_out(UUID(vault_id), UUID(order_id), utc_now())
    return found is not None and found.certified


@shared_task(name="erasure.reclaim")
def reclaim() -> int:
    """Write anew the tables in which something was changed or deleted. Returns how many were; none where this process
    knows no role that may.
    """
    done = 0
    for each in services.reclaim(utc_now()):
        log.info("%s: %s, %d to %d bytes", each.relation, each.how.value, each.before, each.after)
        done += each.done
    return done


@shared_task(name="erasure.sweep")
def sweep() -> int:
    """Go on with whatever nobody is carrying out: a worker fell, or its task was lost. An order that cannot be gone on
    with keeps no other waiting. Returns how many there were.
    """
    if ledger.on_hold():
        return 0
    waiting = services.due(BATCH)
    for vault_id, order_id in waiting:
        _go_on(vault_id, order_id)
    return len(waiting)


def _go_on(vault_id: UUID, order_id: UUID) -> None:
    try:
        services.carry_out(vault_id, order_id, utc_now())
    except Exception as error:
        log.error("order %s of vault %s cannot be carried out: %s", order_id, vault_id, type(error).__name__)


@shared_task(name="erasure.retain")
def retain() -> int:
    """Erase what is kept for a time only and whose time is over, a vault at a time, and tell of what nearly is. Of two
    beats one does each; one vault that cannot be opened keeps no other waiting. Returns how many orders that made.
    """
    if ledger.on_hold():
        return 0
    now = utc_now()
    holders.forget_sessions(now)
    holders.forget_invitations(now)
    return sum(map(_retain, holders.every_vault()))


@shared_task(name="erasure.end_guests")
def end_guests() -> int:
    """Erase the vaults of guests who did not use them for a day. Two beats do no harm. Returns how many went here."""
    if ledger.on_hold():
        return 0
    return sum(map(_end_guest, holders.guest_vaults_over(utc_now(), BATCH)))


def _end_guest(vault_id: UUID) -> bool:
    try:
        return isinstance(services.end_guest(vault_id, utc_now()), services.Ended)
    except Exception as error:
        log.error("guest vault %s cannot be erased: %s", vault_id, type(error).__name__)
        return False


def _retain(vault_id: UUID) -> bool:
    try:
        return services.retain(vault_id, utc_now()) is not None
    except Exception as error:
        log.error("what vault %s keeps too long cannot be erased: %s", vault_id, type(error).__name__)
        return False
