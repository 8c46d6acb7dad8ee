"""What a client may be shown to choose from: approved memories' labels; of a special category nothing, or its
neutral side."""

from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.rules import labels_for_scope
from apps.policy.types import Label, Memory
from apps.policy.vocabulary import Category, State
from tests.policy.facts import SPECIAL, memories, memory


def test_an_approved_ordinary_memory_is_shown_by_its_own_label() -> None:
    kitchen = memory()
    assert labels_for_scope([kitchen]) == (
        Label(kitchen.memory_id, "kitchen.equipment", "Kitchen equipment", Category.ORDINARY, False),
    )


@pytest.mark.parametrize("state", [state for state in State if state is not State.APPROVED])
@pytest.mark.parametrize("neutral", [False, True])
def test_any_other_state_is_shown_to_nobody(state: State, neutral: bool) -> None:
    assert labels_for_scope([memory(state=state)], neutral=neutral) == ()


def test_a_state_nobody_has_named_yet_is_hidden() -> None:
    assert labels_for_scope([memory(state="embargoed")], neutral=True) == ()


@pytest.mark.parametrize("category", SPECIAL)
def test_a_special_category_is_absent_or_neutral(category: Category) -> None:
    secret = memory(category=category, subject="clinic.hiv", label="HIV", neutral_label="Set apart")
    assert labels_for_scope([secret]) == ()
    (label,) = labels_for_scope([secret], neutral=True)
    assert (label.subject, label.label) == (category.value, "Set apart")


@given(st.lists(memories()), st.booleans())
def test_a_private_word_of_a_special_memory_is_never_in_a_label(found: list[Memory], neutral: bool) -> None:
    for label in labels_for_scope(found, neutral=neutral):
        (of,) = [each for each in found if each.memory_id == label.memory_id]
        assert of.state is State.APPROVED
        if of.category.special:
            assert neutral
            assert (label.subject, label.label) == (of.category.value, of.neutral_label)


@given(st.lists(memories(state=State.APPROVED)))
def test_labels_keep_the_order_of_the_memories(found: list[Memory]) -> None:
    assert [label.memory_id for label in labels_for_scope(found, neutral=True)] == [each.memory_id for each in found]


def test_nothing_gives_nothing() -> None:
    assert labels_for_scope([]) == ()
    assert labels_for_scope([memory(memory_id=uuid4(), state=State.ERASED)]) == ()
