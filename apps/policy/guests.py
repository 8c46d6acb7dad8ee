"""Guests: who tries the instance without an account. What they may not, how much they may keep, when it goes. Pure."""

from datetime import datetime, timedelta

from apps.policy.text import TextProblem
from apps.policy.types import Holder

LASTS = timedelta(hours=24)  # after they last used it
NOTED = timedelta(minutes=10)  # so often it is written down that they did
MOST_MEMORIES, MOST_ASSISTANTS, MOST_QUESTIONS = 100, 3, 60  # in the file; at work; within an hour


def over(used_at: datetime, now: datetime) -> bool:
    """Is the time of a guest vault over?"""
    return now >= used_at + LASTS


def check_room(seat: Holder, field: str, there: int, most: int, what: str) -> None:
    """Raises TextProblem, naming the field, where a guest vault has as many of these as it may."""
    if seat.guest and there >= most:
        raise TextProblem(field, f"A guest vault has at most {most} {what}. A vault of your own has room for more.")
