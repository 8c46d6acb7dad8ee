"""A special category travels alone: in the company of anything of another category it stays behind."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.rules import rides_along
from apps.policy.types import Memory
from apps.policy.vocabulary import Category
from tests.policy.facts import SPECIAL, memories, memory


@pytest.mark.parametrize("category", SPECIAL)
def test_it_stays_behind_with_an_ordinary_one_and_goes_alone(category: Category) -> None:
    secret, like = memory(category=category), memory(category=category)
    assert rides_along(secret, [secret, memory()])
    assert not rides_along(secret, [secret])
    assert not rides_along(secret, [secret, like])


@pytest.mark.parametrize("category", SPECIAL)
def test_two_special_categories_do_not_travel_together(category: Category) -> None:
    secret = memory(category=category)
    other = memory(category=next(each for each in SPECIAL if each is not category))
    assert rides_along(secret, [secret, other])
    assert rides_along(other, [secret, other])


@given(st.lists(memories(), min_size=1))
def test_what_is_left_over_is_ordinary_or_of_one_category(found: list[Memory]) -> None:
    going = [each for each in found if not rides_along(each, found)]
    categories = {each.category for each in going}
    assert len(categories) <= 1 or categories == {Category.ORDINARY}


@given(st.lists(memories(), min_size=1))
def test_an_ordinary_memory_never_waits_for_another(found: list[Memory]) -> None:
    assert not any(rides_along(each, found) for each in found if not each.category.special)
