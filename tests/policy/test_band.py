"""The tier that holds, by the ages between which it does."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from apps.policy.people import Tier
from apps.policy.roles import TIERS
from apps.policy.tiers import Band, Upbringing, band
from apps.policy.vocabulary import Level

LISBON = ZoneInfo("Europe/Lisbon")
NOON = datetime(2026, 5, 9, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("born_on", "expected"),
    [
        (date(2026, 5, 9), Band(0, 13)),
        (date(2013, 5, 10), Band(0, 13)),
        (date(2013, 5, 9), Band(13, 18)),
        (date(2008, 5, 10), Band(13, 18)),
        (date(2008, 5, 9), None),
        (date(1950, 1, 1), None),
    ],
)
def test_it_is_the_tier_of_the_age_and_none_once_there_is_none_to_come(born_on: date, expected: Band | None) -> None:
    assert band(Upbringing(born_on, LISBON, TIERS), NOON) == expected


def test_a_table_that_begins_late_has_a_tier_before_it_that_allows_nothing() -> None:
    late = (Tier(5, Level.DECIDE), Tier(12, None))
    assert band(Upbringing(date(2024, 5, 9), LISBON, late), NOON) == Band(0, 5)
    assert band(Upbringing(date(2024, 5, 9), LISBON, ()), NOON) is None


def test_the_day_begins_where_the_child_lives() -> None:
    evening = datetime(2026, 5, 8, 23, 30, tzinfo=UTC)  # half past midnight in Lisbon
    born_on = date(2013, 5, 9)
    assert band(Upbringing(born_on, LISBON, TIERS), evening) == Band(13, 18)
    assert band(Upbringing(born_on, ZoneInfo("UTC"), TIERS), evening) == Band(0, 13)
