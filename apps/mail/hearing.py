"""What a provider tells of a mail that it took. Whether it was the provider was checked before (`vault.providers`)."""

import logging
from typing import Any
from uuid import UUID

from anymail.signals import AnymailTrackingEvent, EventType, tracking

from apps.mail import services
from apps.policy.arriving import Told

log = logging.getLogger("muniment.mail")
TELLS = {
    EventType.DELIVERED: Told.ARRIVED,
    EventType.DEFERRED: Told.SOFT,
    EventType.BOUNCED: Told.HARD,
    EventType.REJECTED: Told.HARD,
    EventType.FAILED: Told.HARD,
}


def listen() -> None:
    """Hear it from now on."""
    tracking.connect(hear, dispatch_uid="muniment.mail")


def hear(sender: Any, event: AnymailTrackingEvent, esp_name: str, **more: Any) -> None:
    """Note it at its letter. What is no letter of ours, such as a mail about a sign-in, and what is told of opening or
    following, is left alone.
    """
    told, named = TELLS.get(event.event_type), str((event.metadata or {}).get("letter", ""))
    try:
        letter_id = UUID(hex=named)
    except ValueError:
        return
    if told is not None and services.tell(letter_id, told) and told is Told.HARD:
        log.warning("letter %s came back: %s says %s", letter_id, esp_name, event.reject_reason)
