"""The post's background work. Each may run twice at once: whoever takes a letter in hand first sends it."""

from uuid import UUID

from celery import shared_task

from apps.mail import services
from vault.clock import utc_now

BATCH = 500


@shared_task(name="mail.send")
def send(letter_id: str) -> bool:
    """Send one letter, as soon as it is written. True if it went now."""
    return services.send(UUID(letter_id)) is services.Fate.SENT


@shared_task(name="mail.sweep")
def sweep() -> int:
    """Send what is due and was not sent. Returns how many went."""
    return services.sweep(BATCH)


@shared_task(name="mail.forget")
def forget() -> int:
    """Take away what is long over. Returns how many letters."""
    return services.forget(utc_now())
