"""What pages say of emergencies: the one somebody is in, the way into one, and those in which a vault was opened."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cached_property
from typing import NamedTuple

from apps.holders import services as holders
from apps.holders.services import emergency, looking
from apps.policy.emergency import Emergency
from apps.policy.roles import Deed
from apps.policy.types import Holder
from apps.policy.vocabulary import Category

RECENT = timedelta(days=30)  # as long as the file's own page says that it was opened


class Used(NamedTuple):
    """An emergency as its page shows it: how many values of which category were shown, and how it stands now."""

    one: Emergency
    shown: Mapping[Category, int]
    over: bool
    late: bool

    @property
    def values(self) -> int:
        return sum(self.shown.values())


class Emergencies:
    """What a person's pages say of emergencies, each looked up only where it is asked for."""

    def __init__(self, seat: Holder, now: datetime) -> None:
        self._seat, self._now = seat, now

    @cached_property
    def open(self) -> Emergency | None:
        """The one that they are in."""
        return emergency.open_of(self._seat.user_id, self._now)

    @property
    def minutes(self) -> int:
        """How much of its hour is left, in begun minutes."""
        return self.open.minutes_left(self._now) if self.open else 0

    def may_enter(self) -> bool:
        """May they open a file in one?"""
        return bool(emergency.may_enter(self._seat.user_id))

    def looks(self) -> bool:
        """Are there any for them to look at, or could there be?"""
        return looking.looks(self._seat.user_id)

    def waiting(self) -> int:
        """How many wait for them to look at."""
        return sum(each.reviewed_at is None for each in looking.to_review(self._seat.user_id))

    def used(self) -> list[Used]:
        """Those in which this vault was opened. How many values were shown is the holder's to know: what was sealed
        from others since would be missing."""
        if not holders.may(self._seat, Deed.FOLLOW):
            return []
        return [as_used(each, self._now, counted=not self._seat.acting) for each in looking.used_at(self._seat)]

    def recent(self) -> list[Emergency]:
        """Those of the last thirty days."""
        if not holders.may(self._seat, Deed.FOLLOW):
            return []
        return [each for each in looking.used_at(self._seat) if each.entered_at + RECENT > self._now]


def as_used(one: Emergency, now: datetime, *, counted: bool = True) -> Used:
    """An emergency with what was shown in it."""
    return Used(one, looking.shown_in(one) if counted else {}, one.ended(now) is not None, one.late(now))
