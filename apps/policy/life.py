"""How long a memory stays fresh by its kind, and which ones are worth another look.

A rank orders lists and fills one list of suggestions. Nothing is ever erased, hidden or withheld for a low one, and how
often a memory is read takes no part: what is asked for often is not therefore true.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from apps.policy.text import TextProblem
from apps.policy.vocabulary import Kind

LIGHTEST, USUAL, HEAVIEST = 1, 50, 100  # of a weight

HALF_LIVES = {
    Kind.EPISODIC: timedelta(days=90),
    Kind.SEMANTIC: timedelta(days=730),
    Kind.PROCEDURAL: timedelta(days=365),
}


class Why(StrEnum):
    """Why a memory is worth another look."""

    OVER = "over"  # its own end has passed
    FADED = "faded"  # nobody has confirmed it for a half-life


@dataclass(frozen=True, slots=True)
class Standing:
    """What a memory's rank follows from. `since`: when the holder last made or confirmed it; `true_until`: the end it
    says of itself, as the first moment after it."""

    memory_id: UUID
    kind: Kind
    weight: int
    since: datetime
    true_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """A memory worth another look, and why."""

    memory_id: UUID
    why: Why
    rank: float


def check_weight(weight: int, field: str = "weight") -> int:
    """A weight of 1 to 100. Raises TextProblem."""
    if not LIGHTEST <= weight <= HEAVIEST:
        raise TextProblem(field, f"Write a whole number from {LIGHTEST} to {HEAVIEST}.")
    return weight


def rank(weight: int, kind: Kind, since: datetime, now: datetime) -> float:
    """The weight, halved with every half-life since it was made or confirmed: at most `weight`, never below 0."""
    age = max(now - since, timedelta(0))
    return float(weight * 0.5 ** (age / HALF_LIVES[kind]))


def worth_another_look(standings: Iterable[Standing], now: datetime, most: int = 20) -> tuple[Look, ...]:
    """At most `most` memories whose own end has passed, or that nobody has confirmed for a half-life. First what is
    over; then what has lost most of its weight, so that what mattered comes before what never did."""
    found = []
    for each in standings:
        why = _why(each, now)
        if why is not None:
            now_ranked = rank(each.weight, each.kind, each.since, now)
            order = (why is not Why.OVER, now_ranked - each.weight, each.memory_id)
            found.append((order, Look(each.memory_id, why, now_ranked)))
    return tuple(look for _, look in sorted(found, key=lambda pair: pair[0])[:most])


def _why(standing: Standing, now: datetime) -> Why | None:
    if standing.true_until is not None and standing.true_until <= now:
        return Why.OVER
    return Why.FADED if now - standing.since >= HALF_LIVES[standing.kind] else None
