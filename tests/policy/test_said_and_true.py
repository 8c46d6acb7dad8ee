"""What the file said then, and what was true then, are two questions; a value told late answers the second alone."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.when import Ended, Spell, moment, parse, said_at, takes_over, true_at

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
LISBON = ZoneInfo("Europe/Lisbon")
WRONG, CHANGED, PROPOSED, TOLD_LATE = Ended.WRONG, Ended.CHANGED, Ended.PROPOSED, Ended.LATE


def ago(days: float) -> datetime:
    """So many days before now."""
    return NOW - timedelta(days=days)


def spell(version: int, made: float, retired: float | None = None, as_: Ended | None = None, **more: float) -> Spell:
    """A version by days before now; `since` and `until` in days before now, too."""
    when = {key: moment(ago(days)) for key, days in more.items()}
    ended = None if retired is None else ago(retired)
    return Spell(version, ago(made), ended, as_, when.get("since"), when.get("until"))


def waits(
    version: int, *, told: float, day: float, ended: Ended | None = Ended.WAITING, at: float | None = None
) -> Spell:
    """A version that was told so many days ago, of a day to come then. `ended` None: the day has come."""
    retired = None if ended is None else ago(told if at is None else at)
    return Spell(version, ago(told), retired, ended, moment(ago(day)), None, ago(day))


def version(found: Spell | None) -> int | None:
    """The version found, if any."""
    return found.version if found is not None else None


BRNO, PORTO = spell(1, 300, 100, CHANGED), spell(2, 100)
MOVED = (BRNO, PORTO)
LATE = (*MOVED, spell(3, 0, 0, TOLD_LATE, since=200))  # told today, of 200 days ago
FIXED = (spell(1, 300, 100, WRONG), spell(2, 100))
SEMESTER = (*MOVED, spell(3, 0, 0, TOLD_LATE, since=200, until=180))
ENDED = (BRNO, spell(2, 100, 50, CHANGED))
REVERTED = (BRNO, spell(2, 100, 20, WRONG), spell(3, 20))
AHEAD = (spell(1, 300, 1, CHANGED), spell(2, 1, since=-30))
EARLIER = (spell(1, 30, 1, CHANGED), spell(2, 1, since=60))  # the holder said: this has been so since before
WAITS = (*MOVED, waits(3, told=20, day=-30))
CAME = (BRNO, spell(2, 100, 10, CHANGED), waits(3, told=20, day=10, ended=None))
OVERTAKEN = (spell(1, 300, 50, CHANGED), waits(2, told=100, day=10, ended=None), spell(3, 50, 10, CHANGED))
CALLED_OFF = (*MOVED, waits(3, told=20, day=-30, ended=Ended.CANCELLED, at=10))
EDITED = (spell(1, 10, 10, PROPOSED), spell(2, 10))


@pytest.mark.parametrize(
    ("history", "days", "said", "true"),
    [
        (MOVED, 301, None, None),
        (MOVED, 300, 1, 1),
        (MOVED, 150, 1, 1),
        (MOVED, 100, 2, 2),
        (MOVED, 0, 2, 2),
        (LATE, 250, 1, 1),
        (LATE, 150, 1, 3),
        (LATE, 50, 2, 2),
        (LATE, 0, 2, 2),
        (FIXED, 150, 1, 2),
        (FIXED, 50, 2, 2),
        (SEMESTER, 250, 1, 1),
        (SEMESTER, 190, 1, 3),
        (SEMESTER, 150, 1, 1),
        (SEMESTER, 50, 2, 2),
        (ENDED, 60, 2, 2),
        (ENDED, 50, None, None),
        ((*ENDED, spell(3, 0, 0, TOLD_LATE, since=200)), 10, None, None),
        ((*ENDED, spell(3, 0, 0, TOLD_LATE, since=200)), 150, 1, 3),
        (REVERTED, 150, 1, 1),
        (REVERTED, 50, 2, 3),
        (REVERTED, 0, 3, 3),
        (AHEAD, 0, 2, 1),
        (AHEAD, -29, 2, 1),
        (AHEAD, -30, 2, 2),
        (EARLIER, 40, None, 2),
        (EARLIER, 20, 1, 2),
        (EDITED, 10, 2, 2),
        (WAITS, 15, 2, 2),
        (WAITS, 0, 2, 2),
        (WAITS, -29, 2, 2),
        (WAITS, -30, 2, 3),
        (CAME, 15, 2, 2),
        (CAME, 10, 3, 3),
        (OVERTAKEN, 60, 1, 1),
        (OVERTAKEN, 40, 3, 3),
        (OVERTAKEN, 10, 2, 2),
        (CALLED_OFF, 0, 2, 2),
        (CALLED_OFF, -40, 2, 2),
        ((), 0, None, None),
    ],
)
def test_what_the_file_said_and_what_was_true(
    history: tuple[Spell, ...], days: float, said: int | None, true: int | None
) -> None:
    assert version(said_at(history, ago(days))) == said
    assert version(true_at(history, ago(days), zone=UTC)) == true


def test_what_is_written_today_about_the_past_was_not_believed_last_month() -> None:
    today = (spell(1, 0, since=300),)
    assert true_at(today, ago(150), zone=UTC) == today[0]
    assert true_at(today, ago(150), zone=UTC, known_at=ago(30)) is None
    assert said_at(today, ago(30)) is None


def test_what_was_known_before_a_correction_is_what_was_corrected() -> None:
    assert version(true_at(FIXED, ago(150), zone=UTC, known_at=ago(120))) == 1
    assert version(true_at(FIXED, ago(150), zone=UTC, known_at=ago(100))) == 2
    assert version(true_at(LATE, ago(150), zone=UTC, known_at=ago(1))) == 1


def test_what_was_to_come_was_known_from_when_it_was_told_until_it_was_taken_back() -> None:
    assert version(true_at(CALLED_OFF, ago(-40), zone=UTC, known_at=ago(30))) == 2
    assert version(true_at(CALLED_OFF, ago(-40), zone=UTC, known_at=ago(15))) == 3
    assert version(true_at(CALLED_OFF, ago(-40), zone=UTC, known_at=ago(5))) == 2
    assert version(true_at(CAME, ago(0), zone=UTC, known_at=ago(15))) == 3
    assert version(true_at(CAME, ago(12), zone=UTC, known_at=ago(15))) == 2


def test_a_last_day_is_the_whole_day_where_the_person_lives() -> None:
    until = (Spell(1, ago(900), None, None, None, parse("2026-03-28", "valid_to")),)
    last = datetime(2026, 3, 28, 23, 59, tzinfo=LISBON)
    assert version(true_at(until, last, zone=LISBON)) == 1
    assert version(true_at(until, last + timedelta(minutes=1), zone=LISBON)) is None
    shanghai = ZoneInfo("Asia/Shanghai")
    assert version(true_at(until, datetime(2026, 3, 28, 16, 0, tzinfo=UTC), zone=shanghai)) is None


@pytest.mark.parametrize(
    ("history", "start", "end", "over"),
    [
        ((), None, None, True),
        ((), 300, None, True),
        ((), 300, 200, False),  # nothing was there, and it is over: history only
        (MOVED, None, None, True),
        (MOVED, 200, None, False),
        (MOVED, 100, None, True),
        (MOVED, 50, None, True),
        (MOVED, 50, 10, False),
        (MOVED, -30, None, True),
        (FIXED, 200, None, True),  # Porto put right what began 300 days ago
        (FIXED, 301, None, True),  # nobody said when that began: it was true until then
        ((spell(1, 1),), 90, None, True),
        ((spell(1, 1, since=60),), 90, None, False),
        (LATE, 150, None, False),
        (ENDED, 300, None, True),
    ],
)
def test_a_value_told_late_does_not_become_the_current_one(
    history: tuple[Spell, ...], start: float | None, end: float | None, over: bool
) -> None:
    since = None if start is None else moment(ago(start))
    until = None if end is None else moment(ago(end))
    assert takes_over(history, since, until, now=NOW, zone=UTC) is over


# ---------------------------------------------------------------- any history
@st.composite
def histories(draw: st.DrawFn) -> list[Spell]:
    """A subject's versions as acts make them: each retires the one before, or is told late."""
    found: list[Spell] = []
    current: int | None = None
    for number in range(1, draw(st.integers(0, 7)) + 1):
        made = ago(400 - 10 * number)
        since = draw(st.none() | st.integers(0, 500).map(lambda days: moment(ago(days))))
        if draw(st.booleans()) and not takes_over(found, since, None, now=made, zone=UTC):
            found.append(Spell(number, made, made, TOLD_LATE, since))
            continue
        if current is not None:
            old = found[current]
            ended = draw(st.sampled_from([WRONG, CHANGED]))
            found[current] = Spell(old.version, old.made_at, made, ended, old.valid_from, old.valid_to)
        found.append(Spell(number, made, None, None, since))
        current = len(found) - 1
    return found


@given(histories(), st.integers(-10, 500), st.integers(0, 400))
def test_history_is_not_rewritten_by_what_is_told_later(history: list[Spell], days: int, known: int) -> None:
    """What was known then is the same whether one asks then or now; and the order of rows makes no difference."""
    then = [
        Spell(each.version, each.made_at, None, None, each.valid_from, each.valid_to)
        if each.retired_at is not None and each.retired_at > ago(known)
        else each
        for each in history
        if each.made_at <= ago(known)
    ]
    asked = true_at(history, ago(days), zone=UTC, known_at=ago(known))
    assert version(asked) == version(true_at(then, ago(days), zone=UTC))
    assert asked == true_at(history[::-1], ago(days), zone=UTC, known_at=ago(known))
    assert version(said_at(history, ago(known))) == version(said_at(then, ago(known)))


@given(histories(), st.integers(-10, 500))
def test_what_was_wrong_or_never_stood_in_the_file_is_never_true(history: list[Spell], days: int) -> None:
    found = true_at([*history, Spell(99, ago(450), ago(450), PROPOSED)], ago(days), zone=UTC)
    assert found is None or found.ended_as not in (WRONG, PROPOSED)


@given(histories())
def test_at_most_one_version_is_said_at_a_time(history: list[Spell]) -> None:
    for each in history:
        told_late = each.retired_at == each.made_at
        assert (said_at(history, each.made_at) == each) is not told_late
