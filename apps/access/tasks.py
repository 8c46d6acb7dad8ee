"""Access's background work: requests nobody decided come to their end."""

from celery import shared_task

from apps.access import services
from apps.ledger import services as ledger
from vault.clock import utc_now

BATCH = 500


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
