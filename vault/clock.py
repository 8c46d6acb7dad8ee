"""The clock. Surfaces, tasks and commands read it once and pass `now` down; nothing below them does."""

from datetime import datetime

from django.utils import timezone


def utc_now() -> datetime:
    """The time, aware, in UTC."""
    return timezone.now()
