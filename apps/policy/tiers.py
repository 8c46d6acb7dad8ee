"""Growing up: how old a child is on a day, and what a guardian may do then. Pure.

Days begin at midnight in the child's own zone. Which age allows what is data of a space (`Tier`), not of this file. A
guardian does what their own leave and the tier both allow; a delegate of a grown-up has no tier.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo
from enum import StrEnum
from uuid import UUID

from apps.policy.people import Delegation, Holder, Tier
from apps.policy.text import TextProblem
from apps.policy.types import Refused
from apps.policy.vocabulary import Level, Refusal, Role

NOTICE = timedelta(days=30)
OLDEST = 120
OLDEST_TIER = 21
NOTHING = Tier(0, None)
POWER = {Level.DECIDE: 2, Level.VIEW: 1, None: 0}


@dataclass(frozen=True, slots=True)
class Upbringing:
    """What a child's tier follows from: the day of birth, the zone they live in, their space's table; and, where that
    table lets a guardian do more than the one before, from when on it holds (`since`), and what holds until then.
    """

    born_on: date
    zone: tzinfo
    tiers: tuple[Tier, ...]
    before: tuple[Tier, ...] = ()
    since: datetime | None = None

    def day_of(self, at: datetime) -> date:
        """The day it is then where the child lives."""
        return at.astimezone(self.zone).date()

    def table(self, at: datetime) -> tuple[Tier, ...]:
        """The table that holds then."""
        return self.before if self.since is not None and at < self.since else self.tiers

    def age(self, at: datetime) -> int:
        """How old the child is then, in full years."""
        return age_on(self.born_on, self.day_of(at))


@dataclass(frozen=True, slots=True)
class Child:
    """Whom a vault is about, where that says when they were born. `email` is "" for who has none; `signs_in` says
    whether they have a log-in of their own.
    """

    user_id: UUID
    name: str
    email: str
    growing: Upbringing
    signs_in: bool


@dataclass(frozen=True, slots=True)
class Band:
    """The ages between which a tier holds."""

    from_years: int
    until_years: int


class Told(StrEnum):
    """When guardians and child are told of a step: thirty days before, and on the day."""

    BEFORE = "before"
    ON = "on"


@dataclass(frozen=True, slots=True)
class Step:
    """A birthday on which a guardian may do something else than before; None: nothing any more."""

    day: date
    years: int
    before: Level | None
    after: Level | None


@dataclass(frozen=True, slots=True)
class Sat:
    """A seat by the leave that was given, and what a child's age may take from it; `at` is when that was looked up."""

    seat: Holder
    growing: Upbringing | None = None
    at: datetime | None = None

    def now(self) -> Holder | None:
        """The seat as it is."""
        return self.seat if self.at is None else seated(self.seat, self.growing, self.at)


def birthday(born_on: date, years: int) -> date:
    """The day on which somebody is this old. Born on 29 February: in other years on 1 March, once the year is full."""
    try:
        return born_on.replace(year=born_on.year + years)
    except ValueError:
        return date(born_on.year + years, 3, 1)


def age_on(born_on: date, day: date) -> int:
    """Full years on a day; -1 before the day of birth."""
    if day < born_on:
        return -1
    years = day.year - born_on.year
    return years if birthday(born_on, years) <= day else years - 1


def tier_of(tiers: Iterable[Tier], age: int) -> Tier:
    """The tier of an age: the last one that has begun. A table that says nothing of it allows nothing."""
    begun = [each for each in tiers if each.from_years <= age]
    return max(begun, key=lambda each: each.from_years, default=NOTHING)


def band(growing: Upbringing, now: datetime) -> Band | None:
    """The tier that holds at this moment, by the ages between which it does; None once there is no tier to come."""
    age, table = growing.age(now), growing.table(now)
    later = [each.from_years for each in table if each.from_years > age]
    return Band(tier_of(table, age).from_years, min(later)) if later and not grown_up(growing, now) else None


def allowed(growing: Upbringing, now: datetime) -> Level | None:
    """What a guardian may do at this moment."""
    return None if grown_up(growing, now) else tier_of(growing.table(now), growing.age(now)).guardian


def seated(seat: Holder, growing: Upbringing | None, now: datetime) -> Holder | None:
    """The seat as the child's age leaves it; None where nothing is left. Where no day of birth is known, the leave that
    was given is all there is to go by."""
    if seat.role is not Role.GUARDIAN or growing is None:
        return seat
    level = lower(seat.level, allowed(growing, now))
    return None if level is None else replace(seat, level=level)


def lower(given: Level, tier: Level | None) -> Level | None:
    """What both allow."""
    return tier if tier is None or given is Level.DECIDE else given


def steps(growing: Upbringing) -> tuple[Step, ...]:
    """The birthdays on which something changes, in their order: by each table those that come while it holds."""
    if growing.since is None:
        return _steps(growing.born_on, growing.tiers)
    turn = growing.day_of(growing.since)
    first = [each for each in _steps(growing.born_on, growing.before) if each.day <= turn]
    if any(each.after is None for each in first):  # grown up by then, and no table takes that back
        return tuple(first)
    return (*first, *(each for each in _steps(growing.born_on, growing.tiers) if each.day > turn))


def _steps(born_on: date, tiers: tuple[Tier, ...]) -> tuple[Step, ...]:
    found: list[Step] = []
    before = tier_of(tiers, 0).guardian
    for tier in sorted(tiers, key=lambda each: each.from_years):
        if tier.guardian is not before:
            found.append(Step(birthday(born_on, tier.from_years), tier.from_years, before, tier.guardian))
        before = tier.guardian
    return tuple(found)


def grown_up(growing: Upbringing, now: datetime) -> bool:
    """Has the age come from which on the table says that guardians may do nothing? Whoever was grown up by the table
    that held before stays so. A table that is silent ends nobody's leave: it only rests.
    """
    if growing.since is not None and now >= growing.since and _over(growing.before, growing.age(growing.since)):
        return True
    return _over(growing.table(now), growing.age(now))


def _over(tiers: tuple[Tier, ...], age: int) -> bool:
    tier = tier_of(tiers, age)
    return tier.guardian is None and tier in tiers


# ---------------------------------------------------------------- a table that lets a guardian do more
def until(tiers: Iterable[Tier], level: Level) -> int:
    """Until which age a guardian may do at least this, by a table that only falls; 0: never."""
    return next((each.from_years for each in tiers if POWER[each.guardian] < POWER[level]), OLDEST_TIER)


def tiers_until(decides: int, looks: int) -> tuple[Tier, ...]:
    """The table by which a guardian decides until one age and looks until another (in years; 0: never)."""
    tiers = [Tier(0, Level.DECIDE)] if decides > 0 else []
    if looks > decides:
        tiers.append(Tier(decides, Level.VIEW))
    return (*tiers, Tier(max(decides, looks), None))


def wider(new: Iterable[Tier], old: Iterable[Tier], age: int) -> bool:
    """Would a guardian of a child of this age ever do more by `new` than by `old`, now or later?"""
    new, old = tuple(new), tuple(old)
    return any(until(new, level) > max(until(old, level), age) for level in Level)


def narrower(one: Iterable[Tier], other: Iterable[Tier]) -> tuple[Tier, ...]:
    """The table by which a guardian may do what both tables allow."""
    one, other = tuple(one), tuple(other)
    decides, looks = (min(until(one, level), until(other, level)) for level in (Level.DECIDE, Level.VIEW))
    return tiers_until(decides, looks)


def widens(growing: Upbringing) -> bool:
    """Does the table to come let a guardian do more with this child than the one before? Not with whom that one leaves
    grown up on the day.
    """
    if growing.since is None or _over(growing.before, growing.age(growing.since)):
        return False
    return wider(growing.tiers, growing.before, growing.age(growing.since))


def turns(growing: Upbringing, now: datetime) -> Told | None:
    """What there is to tell of a table that widens, at this moment; for thirty days from when on it holds, as of
    birthdays.
    """
    if growing.since is None or not widens(growing) or now >= growing.since + NOTICE:
        return None
    return Told.BEFORE if now < growing.since else Told.ON


def changes(level: Level, step: Step) -> bool:
    """Does the step change anything for a guardian with this leave?"""
    before = step.before and lower(level, step.before)
    return before is not (step.after and lower(level, step.after))


def due(growing: Upbringing, now: datetime) -> tuple[tuple[Step, Told], ...]:
    """The steps to tell of at this moment. Who looks late tells late: before the day for what is to come, and until
    thirty days after it for what has come."""
    today = growing.day_of(now)
    told = []
    for step in steps(growing):
        if step.day - NOTICE <= today < step.day:
            told.append((step, Told.BEFORE))
        elif step.day <= today < step.day + NOTICE:
            told.append((step, Told.ON))
    return tuple(told)


def judge_raising(leave: Delegation | None, child: Child | None) -> Refused | None:
    """May whoever has this leave see to a child's log-in, and to another guardian? A guardian who was given leave to
    decide, whatever the child's age has taken from it since; and nobody, once the child signs in themself.
    """
    if leave is None or child is None or leave.role is not Role.GUARDIAN:
        return Refused(Refusal.NOT_FOUND)
    return None if leave.level is Level.DECIDE and not child.signs_in else Refused(Refusal.NOT_YOURS)


def check_born_on(born_on: date, today: date) -> date:
    """Raises TextProblem for a day that no living child was born on."""
    if born_on > today:
        raise TextProblem("born_on", "This day is still to come. Write the day they were born, such as 2014-05-09.")
    if age_on(born_on, today) > OLDEST:
        raise TextProblem("born_on", "Write the day of birth, such as 2014-05-09.")
    return born_on
