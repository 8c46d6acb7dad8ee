"""What a person wishes of mail holds by the clock on their wall: which letters they may do without, when they are left
in peace, when a digest is due and which days it tells of, also on the days on which clocks are changed."""

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta, timezone, tzinfo
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.letters import Letter, inert
from apps.policy.text import TextProblem
from apps.policy.wishes import (
    AT_ONCE,
    BY_SCHEDULE,
    SWITCHES,
    Every,
    Quiet,
    Switch,
    Wishes,
    check,
    digest_day,
    held_until,
    next_digest,
    quiet_until,
    settled_until,
    span_due,
    wants,
)

ZONES = st.sampled_from(sorted(available_timezones())).map(ZoneInfo)
MOMENTS = st.datetimes(datetime(2020, 1, 1), datetime(2037, 1, 1), timezones=st.just(UTC))
MINUTES = st.builds(time, st.integers(0, 23), st.integers(0, 59))
QUIET = st.tuples(MINUTES, MINUTES).filter(lambda two: two[0] != two[1]).map(lambda two: Quiet(*two))
NIGHT = Quiet(time(22), time(7))


def _utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


# ---------------------------------------------------------------- which letters
ALL_OFF = Wishes(off=frozenset(Switch), receipts=Every.OFF)
NEVER_OFF = {
    *(Letter.STOPPED, Letter.ENDED, Letter.STEP, Letter.TABLE, Letter.SETTLED, Letter.GOING, Letter.EMERGENCY),
    *(Letter.LEAVE_ENDS, Letter.LEAVE_ENDED, Letter.LEAVE_STOPPED),
    *(Letter.SHARE, Letter.SHARE_CODE, Letter.SHARE_STOPPED),
    *(Letter.ERASED, Letter.KEY, Letter.SIGNED_IN, Letter.FACTOR),
}


def test_of_every_letter_it_is_said_whether_it_may_be_switched_off() -> None:
    assert set(SWITCHES) == set(Letter)


@pytest.mark.parametrize("letter", Letter)
def test_who_said_nothing_gets_every_letter(letter: Letter) -> None:
    assert wants(Wishes(), letter)


@pytest.mark.parametrize("letter", Letter)
def test_who_does_without_all_that_may_be_still_gets_what_protects_them(letter: Letter) -> None:
    assert wants(ALL_OFF, letter) is (letter in NEVER_OFF)


@pytest.mark.parametrize("switch", Switch)
def test_a_switch_is_one_of_its_own(switch: Switch) -> None:
    off = Wishes(receipts=Every.OFF) if switch is Switch.RECEIPTS else Wishes(off=frozenset({switch}))
    assert {each for each in Letter if not wants(off, each)} == {each for each in Letter if SWITCHES[each] is switch}


def test_what_goes_at_once_is_never_switched_off_and_what_comes_by_schedule_may_be() -> None:
    assert all(SWITCHES[each] is None for each in AT_ONCE)
    assert all(SWITCHES[each] is not None for each in BY_SCHEDULE)


# ---------------------------------------------------------------- the words by which a letter is known
@pytest.mark.parametrize(
    ("phrase", "detail"),
    [
        ("http://x.example", "would make a link"),
        ("tea://pot", "would make a link"),
        ("teapot.example", "would make a link"),
        ("me@home", "would make a link"),
        ("The blue  teapot", "one blank"),
        ("The blue\u00a0teapot", "one blank"),
        (" The blue teapot", "one blank"),
        (" ", "one blank"),
    ],
)
def test_words_that_a_letter_would_show_otherwise_are_refused(phrase: str, detail: str) -> None:
    with pytest.raises(TextProblem, match=detail) as problem:
        check(Wishes(phrase=phrase), Wishes())
    assert problem.value.field == "phrase"
    held = Wishes(phrase=phrase)
    assert check(replace(held, hour=9), held).hour == 9, "what was chosen under other rules keeps nothing else back"


@given(st.text(max_size=70))
def test_words_that_are_kept_are_shown_as_they_were_chosen(phrase: str) -> None:
    with suppress(TextProblem):
        kept = check(Wishes(phrase=phrase), Wishes()).phrase
        assert " ".join(inert(kept).split()) == phrase


@pytest.mark.parametrize("phrase", ["The blue teapot", "It’s 7.30. Tea!", "Dr. Who & <co>", "a/b: c", "Ü 🫖"])
def test_ordinary_words_are_kept(phrase: str) -> None:
    assert check(Wishes(phrase=phrase), Wishes()).phrase == inert(phrase) == phrase


# ---------------------------------------------------------------- left in peace
def test_that_something_was_stopped_is_told_in_quiet_hours_too() -> None:
    assert {Letter.STOPPED, Letter.LEAVE_STOPPED, Letter.SHARE_STOPPED} <= AT_ONCE


@pytest.mark.parametrize("letter", Letter)
def test_in_quiet_hours_only_what_protects_goes(letter: Letter) -> None:
    midnight = _utc("2026-11-30T00:00")
    until = held_until(Wishes(quiet=NIGHT), letter, {}, midnight, UTC)
    assert until == (None if letter in AT_ONCE else _utc("2026-11-30T07:00"))
    assert held_until(Wishes(), letter, {}, midnight, UTC) is None


@pytest.mark.parametrize(
    ("how", "waits"), [("stopped", False), ("locked", False), ("expired", True), ("used-up", True)]
)
def test_of_a_share_that_ended_by_itself_is_told_once_they_end(how: str, waits: bool) -> None:
    """Nobody has to do anything then; a press, and a code that somebody guessed at, may not have been meant so."""
    until = held_until(Wishes(quiet=NIGHT), Letter.SHARE_STOPPED, {"how": how}, _utc("2026-11-30T00:00"), UTC)
    assert until == (_utc("2026-11-30T07:00") if waits else None)


@pytest.mark.parametrize(
    ("zone", "quiet", "now", "until"),
    [
        # An ordinary night, and its two edges.
        ("Europe/Lisbon", "22:00-07:00", "2026-11-29T21:59:59", None),
        ("Europe/Lisbon", "22:00-07:00", "2026-11-29T22:00", "2026-11-30T07:00"),
        ("Europe/Lisbon", "22:00-07:00", "2026-11-30T06:59:59", "2026-11-30T07:00"),
        ("Europe/Lisbon", "22:00-07:00", "2026-11-30T07:00", None),
        ("Europe/Lisbon", "12:30-14:00", "2026-11-30T12:30", "2026-11-30T14:00"),
        # The last Sunday of March: the night has an hour less.
        ("Europe/Lisbon", "22:00-07:00", "2026-03-28T23:00", "2026-03-29T06:00"),
        ("Europe/Lisbon", "22:00-07:00", "2026-03-29T00:59:59", "2026-03-29T06:00"),
        # It is never half past one: over with the leap. And what begins then begins with it.
        ("Europe/Lisbon", "22:00-01:30", "2026-03-29T00:30", "2026-03-29T01:00"),
        ("Europe/Lisbon", "01:30-05:00", "2026-03-29T00:59", None),
        ("Europe/Lisbon", "01:30-05:00", "2026-03-29T01:00", "2026-03-29T04:00"),
        # Nothing of it is left: the clock never shows it.
        ("Europe/Lisbon", "01:10-01:50", "2026-03-29T00:59:59", None),
        ("Europe/Lisbon", "01:10-01:50", "2026-03-29T01:00", None),
        # The last Sunday of October: the night has an hour more, and from one to two it is twice.
        ("Europe/Lisbon", "22:00-07:00", "2026-10-24T22:00", "2026-10-25T07:00"),
        ("Europe/Lisbon", "22:00-01:30", "2026-10-24T23:00", "2026-10-25T00:30"),
        ("Europe/Lisbon", "22:00-01:30", "2026-10-25T00:45", None),
        ("Europe/Lisbon", "22:00-01:30", "2026-10-25T01:00", "2026-10-25T01:30"),
        ("Europe/Lisbon", "01:30-03:00", "2026-10-25T00:30", "2026-10-25T01:00"),
        ("Europe/Lisbon", "01:30-03:00", "2026-10-25T01:30", "2026-10-25T03:00"),
        # Half an hour from everybody else, and never changed.
        ("Asia/Kolkata", "22:00-07:00", "2026-11-30T16:29:59", None),
        ("Asia/Kolkata", "22:00-07:00", "2026-11-30T16:30", "2026-12-01T01:30"),
        ("Asia/Kolkata", "22:00-07:00", "2026-12-01T01:30", None),
        # Half an hour, and changed too: at two in the morning, local time, on 8 March and 1 November.
        ("America/St_Johns", "22:00-07:00", "2026-03-08T02:00", "2026-03-08T09:30"),
        ("America/St_Johns", "22:00-02:30", "2026-03-08T05:00", "2026-03-08T05:30"),
        ("America/St_Johns", "22:00-07:00", "2026-11-01T01:00", "2026-11-01T10:30"),
        ("America/St_Johns", "01:15-01:45", "2026-11-01T03:45", "2026-11-01T04:15"),
        ("America/St_Johns", "01:15-01:45", "2026-11-01T04:30", None),
        ("America/St_Johns", "01:15-01:45", "2026-11-01T04:45", "2026-11-01T05:15"),
        # A day ahead of most.
        ("Pacific/Kiritimati", "22:00-07:00", "2026-11-30T08:00", "2026-11-30T17:00"),
        ("Pacific/Kiritimati", "22:00-07:00", "2026-11-30T17:00", None),
        # Where a whole day was left out, the night before it runs into the day after it.
        ("Pacific/Apia", "22:00-07:00", "2011-12-30T08:30", "2011-12-30T17:00"),
    ],
)
def test_quiet_hours_are_those_of_the_clock_on_the_wall(zone: str, quiet: str, now: str, until: str | None) -> None:
    begins, ends = map(time.fromisoformat, quiet.split("-"))
    found = quiet_until(Quiet(begins, ends), _utc(now), ZoneInfo(zone))
    assert found == (until and _utc(until))


@given(QUIET, MOMENTS, ZONES, st.floats(0, 1))
def test_what_is_held_goes_at_the_first_moment_that_is_not_quiet(
    quiet: Quiet, now: datetime, zone: ZoneInfo, part: float
) -> None:
    until = quiet_until(quiet, now, zone)
    assert (until is not None) is quiet.shown(now.astimezone(zone).time())
    if until is not None:
        assert now < until <= now + timedelta(hours=49)
        assert not quiet.shown(until.astimezone(zone).time())
        before = now + (until - timedelta(microseconds=1) - now) * part
        assert quiet.shown(before.astimezone(zone).time())


# ---------------------------------------------------------------- once a day
@pytest.mark.parametrize(
    ("now", "zone", "hour", "at"),
    [
        ("2026-03-28T08:00", "Europe/Lisbon", 8, "2026-03-29T07:00"),  # the clocks go forward in the night between
        ("2026-03-29T07:00", "Europe/Lisbon", 8, "2026-03-30T07:00"),
        ("2026-10-24T07:00", "Europe/Lisbon", 8, "2026-10-25T08:00"),  # and back
        ("2026-10-25T07:59", "Europe/Lisbon", 8, "2026-10-25T08:00"),
        ("2026-03-28T02:00", "Europe/Lisbon", 1, "2026-03-29T01:00"),  # that day it is never one: at two, with the leap
        ("2026-03-29T01:00", "Europe/Lisbon", 1, "2026-03-30T00:00"),
        ("2026-10-24T02:00", "Europe/Lisbon", 1, "2026-10-25T00:00"),  # and that day twice: at the first one alone
        ("2026-10-25T00:00", "Europe/Lisbon", 1, "2026-10-26T01:00"),
        ("2026-06-01T02:29", "Asia/Kolkata", 8, "2026-06-01T02:30"),
        ("2026-06-01T02:30", "Asia/Kolkata", 8, "2026-06-02T02:30"),
        ("2026-06-01T18:29", "Asia/Kolkata", 0, "2026-06-01T18:30"),
        ("2026-03-07T06:00", "America/St_Johns", 2, "2026-03-08T05:30"),
        ("2026-11-01T03:00", "America/St_Johns", 1, "2026-11-01T03:30"),
        ("2026-06-01T17:59", "Pacific/Kiritimati", 8, "2026-06-01T18:00"),  # there it is eight o'clock of the second
        ("2026-06-01T18:00", "Pacific/Kiritimati", 8, "2026-06-02T18:00"),
        ("2026-06-01T09:00", "Pacific/Kiritimati", 23, "2026-06-02T09:00"),
        ("2011-12-29T19:00", "Pacific/Apia", 8, "2011-12-30T18:00"),  # the day after the 29th was the 31st
    ],
)
def test_when_the_clock_next_shows_the_hour(now: str, zone: str, hour: int, at: str) -> None:
    assert next_digest(_utc(now), ZoneInfo(zone), hour) == _utc(at)


@given(MOMENTS, ZONES, st.integers(0, 23))
def test_each_of_a_reader_s_days_has_one(now: datetime, zone: ZoneInfo, hour: int) -> None:
    first = next_digest(now, zone, hour)
    second = next_digest(first, zone, hour)
    assert now < first < second <= first + timedelta(hours=49)
    days = [digest_day(each, zone, hour) for each in (first, second)]
    assert None not in days and len(set(days)) == 2


@pytest.mark.parametrize(
    ("hour", "at", "day"),
    [(8, 7, None), (8, 8, 1), (8, 19, 1), (8, 20, None), (8, 0, None), (23, 22, None), (23, 23, 1), (20, 5, 31)],
)
def test_who_wants_it_in_the_morning_is_not_written_to_at_night(hour: int, at: int, day: int | None) -> None:
    zone = timezone(timedelta(hours=14))
    found = digest_day(datetime(2026, 6, 1, at, 59, tzinfo=zone), zone, hour)
    assert (found and found.day) == day


# ---------------------------------------------------------------- which days it tells of
@pytest.mark.parametrize(
    ("every", "now", "zone", "told_until", "span"),
    [
        (Every.WEEKLY, "2026-11-30T08:00", "UTC", None, ("2026-11-23T00:00", "2026-11-30T00:00")),
        (Every.WEEKLY, "2026-11-30T08:00", "UTC", "2026-11-23T00:00", ("2026-11-23T00:00", "2026-11-30T00:00")),
        (Every.WEEKLY, "2026-12-01T08:00", "UTC", "2026-11-30T00:00", None),
        (Every.WEEKLY, "2026-12-06T23:00", "UTC", "2026-11-30T00:00", None),
        (Every.DAILY, "2026-12-01T08:00", "UTC", "2026-11-30T00:00", ("2026-11-30T00:00", "2026-12-01T00:00")),
        (Every.MONTHLY, "2026-12-01T08:00", "UTC", None, ("2026-11-01T00:00", "2026-12-01T00:00")),
        (Every.MONTHLY, "2026-12-31T08:00", "UTC", "2026-12-01T00:00", None),
        (Every.MONTHLY, "2027-01-01T08:00", "UTC", "2026-12-01T00:00", ("2026-12-01T00:00", "2027-01-01T00:00")),
        # Whose clock stood still for two weeks is told of both; who changed from each day to each week of the rest.
        (Every.WEEKLY, "2026-11-30T08:00", "UTC", "2026-11-16T00:00", ("2026-11-16T00:00", "2026-11-30T00:00")),
        (Every.WEEKLY, "2026-11-30T08:00", "UTC", "2026-11-26T00:00", ("2026-11-26T00:00", "2026-11-30T00:00")),
        (Every.OFF, "2026-11-30T08:00", "UTC", None, None),
        # A week with a day of 23 hours, and one with a day of 25.
        (Every.WEEKLY, "2026-03-30T07:00", "Europe/Lisbon", None, ("2026-03-23T00:00", "2026-03-29T23:00")),
        (Every.WEEKLY, "2026-10-26T08:00", "Europe/Lisbon", None, ("2026-10-18T23:00", "2026-10-26T00:00")),
        (Every.DAILY, "2026-12-01T03:00", "Asia/Kolkata", None, ("2026-11-29T18:30", "2026-11-30T18:30")),
        (Every.WEEKLY, "2026-11-29T18:00", "Pacific/Kiritimati", None, ("2026-11-22T10:00", "2026-11-29T10:00")),
        (Every.DAILY, "2026-11-02T12:00", "America/St_Johns", None, ("2026-11-01T02:30", "2026-11-02T03:30")),
    ],
)
def test_it_tells_of_whole_days_weeks_and_months_of_the_reader_s(
    every: Every, now: str, zone: str, told_until: str | None, span: tuple[str, str] | None
) -> None:
    found = span_due(every, _utc(now), ZoneInfo(zone), _utc(told_until) if told_until else None)
    assert found == (span and (_utc(span[0]), _utc(span[1])))


@given(st.lists(st.tuples(st.sampled_from(Every), st.floats(0, 90)), max_size=12), MOMENTS, ZONES)
def test_nothing_is_told_twice_and_nothing_is_left_out(
    looks: list[tuple[Every, float]], now: datetime, zone: tzinfo
) -> None:
    """However often somebody changes their mind, and however late the clock is; but for what they did without."""
    told: datetime | None = None
    for every, days in looks:
        now += timedelta(days=days)
        span = span_due(every, now, zone, told)
        if span is not None:
            assert span[0] < span[1] <= now and (told is None or span[0] == told)
        settled = settled_until(every, now, zone)
        assert span is None or span[1] == settled
        told = max(settled, told) if told else settled


# ---------------------------------------------------------------- what may be wished
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"hour": 24}, "hour"),
        ({"hour": -1}, "hour"),
        ({"quiet": Quiet(time(7), time(7))}, "quiet"),
        ({"phrase": "x" * 61}, "phrase"),
        ({"phrase": "blue\nteapot"}, "phrase"),
        ({"phrase": "blue\u200bteapot"}, "phrase"),
        ({"phrase": "blue\x00teapot"}, "phrase"),
    ],
)
def test_what_cannot_be_kept_is_refused_by_its_name_and_not_quoted(change: dict[str, Any], field: str) -> None:
    with pytest.raises(TextProblem) as problem:
        check(replace(Wishes(), **change), Wishes())
    assert problem.value.field == field and "teapot" not in problem.value.detail


def test_a_phrase_is_one_line_or_none() -> None:
    for phrase in ("", "The blue teapot 🫖"):
        assert check(Wishes(phrase=phrase), Wishes()).phrase == phrase
