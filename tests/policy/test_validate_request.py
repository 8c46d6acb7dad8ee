"""What may be asked at all: what the client was shown, and special categories by name. All else is not-found."""

from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.rules import validate_request
from apps.policy.types import Asked, Memory, Refused
from apps.policy.vocabulary import Category, Refusal
from tests.policy.facts import SPECIAL, asked_of, memories, memory, shown

KITCHEN = memory()
LABELS = shown(KITCHEN)


def test_what_was_shown_may_be_asked_for() -> None:
    assert validate_request([Asked(KITCHEN.memory_id)], LABELS) is None


@pytest.mark.parametrize("category", SPECIAL)
def test_a_special_category_may_be_asked_for_by_name_whatever_exists(category: Category) -> None:
    assert validate_request([Asked(category=category)], {}) is None


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (Asked(uuid4()), "never shown"),
        (Asked(category=Category.ORDINARY), "everything ordinary at once"),
        (Asked(), "neither a memory nor a category"),
        (Asked(KITCHEN.memory_id, Category.HEALTH), "both"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_anything_else_is_not_found_and_named_by_its_pointer(line: Asked, why: str) -> None:
    known = Asked(KITCHEN.memory_id)
    assert validate_request([known, line], LABELS) == Refused(Refusal.NOT_FOUND, "/items/1")


def test_an_empty_request_asks_for_nothing_and_not_for_everything() -> None:
    assert validate_request([], LABELS) == Refused(Refusal.NOT_FOUND, "/items")


@given(st.data(), st.lists(memories(), min_size=1))
def test_every_line_counts(data: st.DataObject, found: list[Memory]) -> None:
    lines = data.draw(asked_of(found))
    assert validate_request(lines, shown(*found)) is None
    position = data.draw(st.integers(0, len(lines)))
    lines.insert(position, Asked(uuid4()))
    assert validate_request(lines, shown(*found)) == Refused(Refusal.NOT_FOUND, f"/items/{position}")
