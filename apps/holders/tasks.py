"""The clock's work on people: birthdays, tables of ages and leave that ends soon are told of; and what has ended by
itself is written down: guardians' leave with childhood, a delegate's by its day, an emergency after its hour.
"""

from celery import shared_task

from apps.holders import services
from apps.holders.services import emergency
from apps.ledger import services as ledger
from vault.clock import utc_now


@shared_task(name="holders.tell_of_birthdays")
def tell_of_birthdays() -> int:
    """Tell guardians and children of what a birthday changes, and of a table of ages that lets guardians do more.

    Thirty days before, and on the day. Returns how many.

    Told once, however many beats there are: whoever writes it down first sends it. On hold it stays due.
    """
    if ledger.on_hold():
        return 0
    now, told = utc_now(), 0
    for vault_id, step, when in services.due_steps(now):
        told += services.tell(vault_id, step, when, now)
    for vault_id in services.due_tables(now):
        told += services.tell_of_table(vault_id, now)
    return told


@shared_task(name="holders.end_guardians")
def end_guardians() -> int:
    """End the leave of guardians of whom has grown up. Returns how many."""
    if ledger.on_hold():
        return 0
    now = utc_now()
    return sum(services.end_guardians(vault_id, now) for vault_id in list(services.due_to_end(now)))


@shared_task(name="holders.remind_of_leave")
def remind_of_leave() -> int:
    """Remind holders and delegates of leave that ends within thirty days, once. Returns how many letters that is."""
    return sum(map(services.remind_of_leave, services.leave_to_remind_of(utc_now())))


@shared_task(name="holders.end_leave")
def end_leave() -> int:
    """Write down that leave has ended by its day. Returns how many; two beats at once write each down once."""
    if ledger.on_hold():
        return 0
    now = utc_now()
    return sum(services.write_end(each, now) for each in list(services.leave_to_end(now)))


@shared_task(name="holders.end_emergencies")
def end_emergencies() -> int:
    """Write down which emergencies are over. Returns how many; each was over at its next request anyway."""
    return 0 if ledger.on_hold() else emergency.end_due(utc_now())
