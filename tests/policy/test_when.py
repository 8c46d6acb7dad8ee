"""Days and moments are written one way; a day is the whole day where the person lives, whatever clocks do there."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.text import TextProblem
from apps.policy.when import When, check_order, moment, parse

ZONES = st.sampled_from(
    ["UTC", "Europe/Lisbon", "Asia/Shanghai", "America/Sao_Paulo", "Pacific/Apia", "Asia/Kathmandu", "Africa/Cairo"]
).map(ZoneInfo)
DAYS = st.dates(date(1000, 1, 1), date(9998, 12, 31))


def parsed(text: str) -> When:
    """A day or moment that is there."""
    found = parse(text, "valid_from")
    assert found is not None
    return found


@pytest.mark.parametrize(
    "text", ["2026-10-02", "2026-10-02T14:02:09Z", "1000-01-01", "9998-12-31T23:59:59Z", "2024-02-29"]
)
def test_a_day_or_a_moment_is_kept_as_it_was_written(text: str) -> None:
    assert str(parsed(text)) == text


def test_nothing_written_is_no_time() -> None:
    assert parse("", "valid_from") is None


@pytest.mark.parametrize(
    "text",
    [
        *("yesterday", "last week", "now", " ", "2026", "2026-10", "20261002", "02/10/2026", "2026-W40-5", "2026-1-2"),
        *("2026-02-29", "2026-13-01", "2026-10-02T25:00:00Z", "2026-10-02T23:59:60Z", "2026-10-02T24:00:00Z"),
        *("2026-10-02T14:02Z", "2026-10-02 14:02:09Z", "2026-10-02T14:02:09", "2026-10-02T14:02:09+01:00"),
        *("2026-10-02T14:02:09.5Z", "2026-10-02t14:02:09z", "2026-10-02\n", "٢٠٢٦-١٠-٠٢", "0999-12-31", "9999-01-01"),
        *("-2026-10-02", "2026-10-02Z", "2026-10-02\u200b", "infinity", "0"),
    ],
)
def test_anything_else_is_sent_back_with_the_field_s_name(text: str) -> None:
    with pytest.raises(TextProblem) as caught:
        parse(text, "valid_to")
    assert caught.value.field == "valid_to"
    assert "2026-10-02" in caught.value.detail


@given(st.datetimes(datetime(1000, 1, 1), datetime(9998, 12, 31)), ZONES)
def test_a_moment_is_kept_in_utc_to_the_second(at: datetime, zone: ZoneInfo) -> None:
    kept = moment(at.replace(tzinfo=zone, fold=0) + timedelta(0))
    assert parse(str(kept), "at") == kept
    assert kept.at is not None
    assert timedelta(0) <= at.replace(tzinfo=zone) - kept.at < timedelta(seconds=1)
    assert kept.starts(zone) == kept.ends(zone) == kept.last(zone) == kept.at


@given(DAYS, ZONES)
def test_a_day_ends_where_the_next_one_starts(day: date, zone: ZoneInfo) -> None:
    here, after = When(day), When(day + timedelta(days=1))
    assert here.ends(zone) == after.starts(zone)
    assert here.starts(zone) <= here.last(zone) <= here.ends(zone)
    assert here.starts(zone).tzinfo is UTC


@given(st.dates(date(1900, 1, 1), date(2100, 1, 1)), ZONES)
def test_a_day_is_that_day_where_the_person_lives(day: date, zone: ZoneInfo) -> None:
    here = When(day)
    if here.starts(zone) < here.ends(zone):  # Samoa left one out
        assert here.starts(zone).astimezone(zone).date() == here.last(zone).astimezone(zone).date() == day
    assert str(here) == day.isoformat()


@pytest.mark.parametrize(
    ("day", "zone", "start", "hours"),
    [
        ("2026-03-29", "Europe/Lisbon", "2026-03-29T00:00:00Z", 23),
        ("2026-10-25", "Europe/Lisbon", "2026-10-24T23:00:00Z", 25),
        ("2026-11-30", "Asia/Shanghai", "2026-11-29T16:00:00Z", 24),
        ("2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00Z", 23),  # clocks went on at midnight
        ("2011-12-30", "Pacific/Apia", "2011-12-30T10:00:00Z", 0),  # there was no such day
    ],
)
def test_a_day_is_as_long_as_clocks_make_it(day: str, zone: str, start: str, hours: int) -> None:
    here = parsed(day)
    assert here.starts(ZoneInfo(zone)) == parsed(start).at
    assert here.ends(ZoneInfo(zone)) - here.starts(ZoneInfo(zone)) == timedelta(hours=hours)


@pytest.mark.parametrize(
    ("start", "end", "zone", "fits"),
    [
        ("2026-10-02", "2026-10-02", "UTC", True),
        ("2026-10-02", "2026-10-01", "UTC", False),
        ("2026-10-02T14:00:00Z", "2026-10-02T14:00:00Z", "UTC", False),
        ("2026-10-02T14:00:00Z", "2026-10-02", "UTC", True),
        ("2026-10-02T17:00:00Z", "2026-10-02", "Asia/Shanghai", False),  # there it is the 3rd already
        ("", "2026-10-02", "UTC", True),
        ("2026-10-02", "", "UTC", True),
    ],
)
def test_an_end_is_after_its_start(start: str, end: str, zone: str, fits: bool) -> None:
    given_ = parse(start, "valid_from"), parse(end, "valid_to"), ZoneInfo(zone)
    if fits:
        check_order(*given_)
    else:
        with pytest.raises(TextProblem, match="valid_to"):
            check_order(*given_)
