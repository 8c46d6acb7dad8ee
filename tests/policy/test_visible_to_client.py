"""Whether a client was ever shown that a memory exists: an id it was not shown answers like one that is not there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.rules import visible_to_client
from apps.policy.types import Memory
from apps.policy.vocabulary import Category, State
from tests.policy.facts import SPECIAL, grant, grants, memories, memory


def test_an_ordinary_label_is_shown_to_every_client() -> None:
    assert visible_to_client(memory(), [])


@pytest.mark.parametrize("category", SPECIAL)
def test_a_special_one_only_by_a_grant_for_it(category: Category) -> None:
    secret, other = memory(category=category), memory(category=category)
    assert not visible_to_client(secret, [])
    assert not visible_to_client(secret, [grant(other)])
    assert visible_to_client(secret, [grant(secret)])


def test_a_grant_from_before_it_was_special_does_not_show_it() -> None:
    secret = memory(category=Category.HEALTH)
    assert not visible_to_client(secret, [grant(secret, category=Category.ORDINARY)])


@pytest.mark.parametrize("state", [state for state in State if state is not State.APPROVED])
def test_what_is_put_away_or_erased_is_as_if_it_never_was(state: State) -> None:
    gone = memory(state=state)
    assert not visible_to_client(gone, [grant(gone)])
    assert not visible_to_client(None, [grant(gone)])


@given(st.data(), memories())
def test_without_a_grant_for_it_nothing_special_is_seen(data: st.DataObject, seen: Memory) -> None:
    held = data.draw(st.lists(grants([seen])))
    if visible_to_client(seen, held):
        assert seen.state is State.APPROVED
        assert not seen.category.special or any(
            seen.memory_id in each.memory_ids and each.category is seen.category for each in held
        )
