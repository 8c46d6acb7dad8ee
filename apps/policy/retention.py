"""How long things are kept: what a space settles, and when the time of a memory is over. Pure.

Nothing goes unannounced: whoever decides about a memory is told thirty days before, and saying that it holds counts
its time anew.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Any

from apps.policy.text import TextProblem
from apps.policy.vocabulary import Category

AHEAD = timedelta(days=30)
TURNS_DAYS = (7, 3_650)
WORDS_DAYS = (30, 3_650)
MEMORIES_DAYS = (60, 36_500)


@dataclass(frozen=True, slots=True)
class Kept:
    """Memories of a category are kept so many days after they were said, or said to hold, last."""

    category: Category
    days: int


@dataclass(frozen=True, slots=True)
class Keeping:
    """For how many days a space keeps what. None, or a category that is not named: for good.

    `turns_days`: a conversation, after it was asked; `proposals_days`: the words of suggestions, and `notes_days` those
    that came with requests, after they were decided.
    """

    turns_days: int | None = None
    proposals_days: int = 365
    notes_days: int = 365
    memories: tuple[Kept, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The members, JSON-ready."""
        return {
            "turns_days": self.turns_days,
            "proposals_days": self.proposals_days,
            "notes_days": self.notes_days,
            "memories": {each.category.value: each.days for each in self.memories},
        }

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> "Keeping":
        """From what `to_json` made; what it does not say is as it is at first."""
        days = said.get("memories", {})
        memories = tuple(Kept(each, days[each.value]) for each in Category if each.value in days)
        return cls(**{name: value for name, value in said.items() if name != "memories"}, memories=memories)


AT_FIRST = Keeping()


def check_keeping(wish: Keeping) -> Keeping:
    """With its categories in order. Raises TextProblem, by the field's name, for days outside their bounds, and for a
    category that stands twice.
    """
    if wish.turns_days is not None:
        _within("turns_days", wish.turns_days, TURNS_DAYS)
    _within("proposals_days", wish.proposals_days, WORDS_DAYS)
    _within("notes_days", wish.notes_days, WORDS_DAYS)
    days = {each.category: each.days for each in wish.memories}
    if len(days) != len(wish.memories):
        raise TextProblem("keeping", "A category stands there twice.")
    for each in wish.memories:
        _within("memories", each.days, MEMORIES_DAYS)
    ordered = tuple(Kept(each, days[each]) for each in Category if each in days)
    return Keeping(wish.turns_days, wish.proposals_days, wish.notes_days, ordered)


def _within(name: str, days: int, bounds: tuple[int, int]) -> None:
    if not bounds[0] <= days <= bounds[1]:
        raise TextProblem("keeping", f"{name}: write a whole number of days from {bounds[0]} to {bounds[1]}.")


class Stage(Enum):
    """Where a memory is in its time."""

    STAYS = auto()
    TELL = auto()  # it is nearly over, and nobody was told
    TOLD = auto()
    OVER = auto()


def ends_at(said_at: datetime, told_at: datetime | None, days: int) -> datetime:
    """When its time is over: thirty days after it was told of at the earliest. `told_at` counts only as far as it was
    about this end.
    """
    ends = said_at + timedelta(days=days)
    told = _told(said_at, told_at, ends)
    return max(ends, told + AHEAD) if told else ends


def stage(said_at: datetime, told_at: datetime | None, days: int, now: datetime) -> Stage:
    """Where it is now, when it was said (or said to hold) last then, and told of then."""
    ends = said_at + timedelta(days=days)
    if now < ends - AHEAD:
        return Stage.STAYS
    if _told(said_at, told_at, ends) is None:
        return Stage.TELL
    return Stage.OVER if now >= ends_at(said_at, told_at, days) else Stage.TOLD


def _told(said_at: datetime, told_at: datetime | None, ends: datetime) -> datetime | None:
    """Telling is of an end: not of one before it was said to hold, nor of one that the space has put off since."""
    return told_at if told_at is not None and told_at >= max(said_at, ends - AHEAD) else None


def days_of(kept: Iterable[Kept]) -> dict[str, int]:
    """Days by category."""
    return {each.category.value: each.days for each in kept}
