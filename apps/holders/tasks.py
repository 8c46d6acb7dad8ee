"""The clock's work on people: birthdays are told of, and guardians' leave that ended with childhood is written down."""

from celery import shared_task

from apps.holders import services
from apps.holders.adapter import send_step
from apps.ledger import services as ledger
from vault.clock import utc_now


@shared_task(name="holders.tell_of_birthdays")
def tell_of_birthdays() -> int:
    """Tell guardians and children of what a birthday changes, thirty days before and on the day. Returns how many.

    Told once, however many beats there are: whoever writes it down first sends it. On hold it stays due.
    """
    if ledger.on_hold():
        return 0
    now, told = utc_now(), 0
    for vault_id, step, when in services.due_steps(now):
        telling = services.tell(vault_id, step, when, now)
        if telling is not None:
            send_step(telling)
            told += 1
    return told


@shared_task(name="holders.end_guardians")
def end_guardians() -> int:
    """End the leave of guardians of whom has grown up. Returns how many."""
    if ledger.on_hold():
        return 0
    now = utc_now()
    return sum(services.end_guardians(vault_id, now) for vault_id in list(services.due_to_end(now)))
