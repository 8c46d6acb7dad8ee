"""What becomes of a letter: how far it is, and whether it is still worth sending. Pure."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from apps.policy.letters import OUTSIDE, Given, Letter


class Told(StrEnum):
    """What a provider tells of a letter that it took."""

    ARRIVED = "arrived"
    SOFT = "soft"  # it bounced and is tried again there
    HARD = "hard"  # it came back, and is not tried again


class Course(StrEnum):
    """How far a letter is, for whoever had it sent."""

    WAITING = "waiting"
    GONE = "gone"  # handed over; whether it arrived is known of no letter for certain
    DELAYED = "delayed"
    UNDELIVERED = "undelivered"  # refused, given up, or it came back


def course_of(sent: bool, given_up: bool, bounced: str) -> Course:
    """How far it is. `bounced` is "", or what a provider told last: soft or hard."""
    if given_up or bounced == Told.HARD:
        return Course.UNDELIVERED
    if bounced == Told.SOFT:
        return Course.DELAYED
    return Course.GONE if sent else Course.WAITING


def too_late(letter: Letter, facts: Mapping[str, Given], now: datetime) -> bool:
    """Is it over what it is about? A link or a code that opens nothing any more is sent to nobody."""
    until = facts.get("until")
    return letter in OUTSIDE and isinstance(until, datetime) and until <= now
