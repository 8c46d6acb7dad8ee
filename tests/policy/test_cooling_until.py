"""How long a denial keeps a client from asking for a category again."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.rules import cooling_until
from apps.policy.vocabulary import Category, PartStatus
from tests.policy.facts import HOUR, NOW, SPECIAL, decided, memory

KITCHEN, PILLS = memory(), memory(category=Category.HEALTH)


def test_until_the_end_of_the_cool_down() -> None:
    assert cooling_until(Category.ORDINARY, [decided(KITCHEN)], NOW) == NOW + HOUR


def test_the_end_itself_is_free_again() -> None:
    assert cooling_until(Category.ORDINARY, [decided(KITCHEN, cool_down_until=NOW)], NOW) is None


def test_the_longest_counts() -> None:
    parts = [decided(KITCHEN), decided(KITCHEN, cool_down_until=NOW + 2 * HOUR)]
    assert cooling_until(Category.ORDINARY, parts, NOW) == NOW + 2 * HOUR


def test_another_category_is_not_cooled_down() -> None:
    assert cooling_until(Category.HEALTH, [decided(KITCHEN)], NOW) is None
    assert cooling_until(Category.ORDINARY, [decided(PILLS)], NOW) is None


@pytest.mark.parametrize("category", [Category.ORDINARY, *SPECIAL])
def test_what_was_never_denied_may_be_asked(category: Category) -> None:
    assert cooling_until(category, [], NOW) is None
    assert cooling_until(category, [decided(memory(category=category), status=PartStatus.GRANTED)], NOW) is None


@given(st.lists(st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31))))
def test_it_is_in_the_future_or_it_is_not(ends: list[datetime]) -> None:
    parts = [decided(KITCHEN, cool_down_until=end.replace(tzinfo=NOW.tzinfo)) for end in ends]
    until = cooling_until(Category.ORDINARY, parts, NOW)
    assert until is None or until > NOW
