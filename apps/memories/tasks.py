"""Memories' background work: what search lost is indexed again, proposals are compared with what is kept, and
those that nobody decided end.
"""

import logging
from collections.abc import Sequence
from uuid import UUID

from celery import shared_task

from apps.ledger import services as ledger
from apps.memories import services
from vault.clock import utc_now

BATCH = 1000
log = logging.getLogger("muniment.memories")


@shared_task(name="memories.forget_handles")
def forget_handles() -> int:
    """Forget the handles of stamps that are a day old. Returns how many."""
    return services.forget_handles()


@shared_task(name="memories.expire_proposals")
def expire_proposals() -> int:
    """End the proposals that nobody decided in time, a vault at a time. Of two beats, or a task delivered twice, one
    ends each. Returns how many ended here; on hold none does, and they stay due.
    """
    if ledger.on_hold():
        return 0
    due: dict[UUID, list[UUID]] = {}
    for vault_id, proposal_id in services.due("proposal", BATCH):
        due.setdefault(vault_id, []).append(proposal_id)
    return sum(services.expire(vault_id, ids, utc_now()) for vault_id, ids in due.items())


@shared_task(name="memories.arrive")
def arrive() -> int:
    """Let what waited for its day take over, a vault at a time. Running twice at once does no harm. Returns how many
    did; on hold none does, and they stay due. One vault that cannot be opened keeps no other waiting.
    """
    if ledger.on_hold():
        return 0
    return sum(map(_arrive, {vault_id for vault_id, _ in services.due("version", BATCH)}))


def _arrive(vault_id: UUID) -> int:
    try:
        return services.arrive(vault_id)
    except Exception as error:
        log.error("what waits in vault %s cannot take over: %s", vault_id, type(error).__name__)
        return 0


@shared_task(name="memories.catch_up")
def catch_up() -> int:
    """Compare with what is kept what clients proposed since, a vault at a time. Of two beats both may, to no harm; one
    vault that cannot be looked at keeps no other waiting. Returns how many proposals were.
    """
    return sum(map(_catch_up, {vault_id for vault_id, _ in services.due("unnoticed", BATCH)}))


def _catch_up(vault_id: UUID) -> int:
    try:
        return services.catch_up(vault_id)
    except Exception as error:
        log.error("what was proposed to vault %s cannot be compared: %s", vault_id, type(error).__name__)
        return 0


@shared_task(name="memories.turn_keys")
def turn_keys() -> int:
    """Change the keys whose epoch is over: of vaults in which something was erased, and of all of them the root key.
    Two at once do no harm. Returns how many vaults have another key; on hold none, and they stay due.
    """
    if ledger.on_hold():
        return 0
    done = services.turn(utc_now())
    for sentence in done.says:
        log.warning("%s", sentence)
    return done.vaults


@shared_task(name="memories.rebuild_indexes")
def rebuild_indexes() -> int:
    """Index what is due, a vault at a time. Running twice at once does no harm. Returns how many were indexed.

    On hold nothing is stamped, so nothing is indexed: it stays due.
    """
    if ledger.on_hold():
        return 0
    return sum(_rebuild(vault_id, ids) for vault_id, ids in services.due_for_index(BATCH).items())


def _rebuild(vault_id: UUID, ids: Sequence[UUID]) -> int:
    """Index a vault's memories; one that cannot be opened keeps neither the others nor other vaults waiting."""
    try:
        return services.rebuild_index(vault_id, ids, utc_now())
    except Exception as error:
        if len(ids) > 1:
            return sum(_rebuild(vault_id, [memory_id]) for memory_id in ids)
        log.error("memory %s of vault %s cannot be indexed: %s", ids[0], vault_id, type(error).__name__)
        return 0
