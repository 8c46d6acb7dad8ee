"""Memories' background work: what search lost is indexed again."""

from celery import shared_task

from apps.memories import services
from vault.clock import utc_now

BATCH = 1000


@shared_task(name="memories.rebuild_indexes")
def rebuild_indexes() -> int:
    """Index what is due, a vault at a time. Running twice at once does no harm. Returns how many were indexed."""
    return sum(
        services.rebuild_index(vault_id, ids, utc_now()) for vault_id, ids in services.due_for_index(BATCH).items()
    )
