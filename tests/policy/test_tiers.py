"""How old a child is where they live, and what a guardian may do then; told thirty days before and on the day."""

from datetime import UTC, date, datetime, timedelta
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.people import Holder, Tier
from apps.policy.roles import TIERS
from apps.policy.text import TextProblem
from apps.policy.tiers import (
    Step,
    Told,
    Upbringing,
    age_on,
    allowed,
    birthday,
    check_born_on,
    due,
    seated,
    steps,
    tier_of,
)
from apps.policy.vocabulary import Level, Role

VIEW, DECIDE = Level.VIEW, Level.DECIDE
LEO = Upbringing(date(2013, 5, 9), ZoneInfo("Europe/Lisbon"), TIERS)


def midnight(day: date, zone: str) -> datetime:
    """The first moment of a day where the child lives, as the world counts it."""
    return datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone)).astimezone(UTC)


@pytest.mark.parametrize(
    ("born", "day", "age"),
    [
        (date(2013, 5, 9), date(2026, 5, 8), 12),
        (date(2013, 5, 9), date(2026, 5, 9), 13),
        (date(2012, 2, 29), date(2025, 2, 28), 12),
        (date(2012, 2, 29), date(2025, 3, 1), 13),
        (date(2012, 2, 29), date(2028, 2, 28), 15),
        (date(2012, 2, 29), date(2028, 2, 29), 16),
        (date(2025, 12, 31), date(2026, 1, 1), 0),
        (date(2026, 1, 1), date(2025, 12, 31), -1),
    ],
)
def test_a_year_is_full_on_the_birthday_and_after_29_february_on_1_march(born: date, day: date, age: int) -> None:
    assert age_on(born, day) == age


@given(st.dates(date(1900, 1, 1), date(2100, 12, 31)), st.integers(0, 120))
def test_on_the_birthday_one_is_that_old_and_the_day_before_a_year_younger(born: date, years: int) -> None:
    day = birthday(born, years)
    assert age_on(born, day) == years
    assert age_on(born, day - timedelta(days=1)) == years - 1


@pytest.mark.parametrize(
    "zone",
    [
        "UTC",
        "Asia/Kolkata",  # +05:30
        "Pacific/Kiritimati",  # +14
        "Pacific/Niue",  # -11
        "Europe/Lisbon",
        "America/New_York",
        "Australia/Lord_Howe",  # half an hour of summer time
    ],
)
@given(st.dates(date(2008, 1, 1), date(2014, 12, 31)))
def test_the_new_tier_holds_from_midnight_where_the_child_lives(zone: str, born: date) -> None:
    leo = Upbringing(born, ZoneInfo(zone), TIERS)
    begins = midnight(birthday(born, 13), zone)
    assert allowed(leo, begins - timedelta(minutes=1)) is DECIDE
    assert allowed(leo, begins + timedelta(minutes=1)) is VIEW


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("Europe/Lisbon", date(2026, 3, 29)),  # forward, at one in the night
        ("Europe/Lisbon", date(2026, 10, 25)),  # back
        ("America/Havana", date(2026, 3, 8)),  # forward at midnight: the day begins at one
        ("America/Havana", date(2026, 11, 1)),  # back at one: midnight comes twice, the day begins at the first
        ("Africa/Cairo", date(2026, 4, 24)),  # the day begins at one
        ("Africa/Cairo", date(2026, 10, 30)),  # eleven in the evening comes twice, on the day before
    ],
)
def test_on_days_when_the_clocks_change_the_day_begins_when_it_begins(zone: str, day: date) -> None:
    leo = Upbringing(date(day.year - 13, day.month, day.day), ZoneInfo(zone), TIERS)
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC) - timedelta(days=1, hours=14)
    seen = [(allowed(leo, at), at) for at in (noon + timedelta(minutes=each) for each in range(0, 60 * 48, 10))]
    turned = next(at for level, at in seen if level is VIEW)
    assert turned.astimezone(ZoneInfo(zone)).date() == day
    assert (turned - timedelta(minutes=10)).astimezone(ZoneInfo(zone)).date() < day
    assert [level for level, at in seen if at >= turned] == [VIEW] * sum(at >= turned for _, at in seen)


def test_the_tier_is_the_last_that_has_begun_and_a_silent_table_allows_nothing() -> None:
    assert [tier_of(TIERS, age).guardian for age in (0, 12, 13, 17, 18, 80)] == [DECIDE, DECIDE, VIEW, VIEW, None, None]
    assert tier_of((), 5).guardian is None
    assert tier_of((Tier(10, VIEW),), 5).guardian is None
    assert tier_of((Tier(18, None), Tier(0, VIEW)), 4).guardian is VIEW, "in whatever order it was written"
    assert tier_of(TIERS, -1).guardian is None, "nobody is born yet"


def seat(role: Role = Role.GUARDIAN, level: Level = DECIDE) -> Holder:
    return Holder(uuid4(), uuid4(), "Rosa", "UTC", role=role, level=level)


def at(age: int) -> datetime:
    return midnight(birthday(LEO.born_on, age), "Europe/Lisbon")


def test_a_guardian_may_do_what_their_leave_and_the_tier_both_allow() -> None:
    def level(given: Level, age: int) -> Level | None:
        found = seated(seat(level=given), LEO, at(age))
        return found.level if found else None

    assert [level(DECIDE, age) for age in (5, 13, 18)] == [DECIDE, VIEW, None]
    assert [level(VIEW, age) for age in (5, 13, 18)] == [VIEW, VIEW, None]


def test_tiers_are_for_guardians_of_whom_a_day_of_birth_is_known() -> None:
    for other in (seat(Role.HOLDER), seat(Role.DELEGATE)):
        assert seated(other, LEO, at(30)) == other
    unknown = seat()
    assert seated(unknown, None, at(30)) == unknown


def test_guardians_and_child_are_told_thirty_days_before_and_on_the_day() -> None:
    thirteen, eighteen = steps(LEO)
    assert thirteen == Step(date(2026, 5, 9), 13, DECIDE, VIEW)
    assert eighteen == Step(date(2031, 5, 9), 18, VIEW, None)

    def told(day: date) -> tuple[tuple[Step, Told], ...]:
        return due(LEO, midnight(day, "Europe/Lisbon"))

    assert told(date(2026, 4, 8)) == ()
    assert told(date(2026, 4, 9)) == told(date(2026, 5, 8)) == ((thirteen, Told.BEFORE),)
    assert told(date(2026, 5, 9)) == told(date(2026, 6, 7)) == ((thirteen, Told.ON),)
    assert told(date(2026, 6, 8)) == ()


def test_a_table_without_a_change_has_no_step() -> None:
    assert steps(Upbringing(LEO.born_on, UTC, (Tier(0, VIEW), Tier(12, VIEW)))) == ()


@pytest.mark.parametrize("born", [date(2027, 1, 2), date(1899, 1, 1)])
def test_nobody_is_born_tomorrow_or_so_long_ago(born: date) -> None:
    with pytest.raises(TextProblem) as problem:
        check_born_on(born, date(2027, 1, 1))
    assert problem.value.field == "born_on"
