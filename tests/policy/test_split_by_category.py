"""The parts that are decided apart: the ordinary lines together, every special category by itself."""

from hypothesis import given
from hypothesis import strategies as st

from apps.policy.rules import split_by_category
from apps.policy.types import Asked, Memory, Part
from apps.policy.vocabulary import Category
from tests.policy.facts import asked_of, memories, memory, shown

KITCHEN, TIME = memory(), memory(label="Weeknight time")
PILLS, FRIDAY = memory(category=Category.HEALTH), memory(category=Category.BELIEF)


def test_ordinary_lines_stay_together_and_special_ones_part() -> None:
    asked = [Asked(each.memory_id) for each in (PILLS, KITCHEN, FRIDAY, TIME)]
    assert split_by_category(asked, shown(KITCHEN, TIME, PILLS, FRIDAY)) == (
        Part(Category.ORDINARY, (KITCHEN.memory_id, TIME.memory_id)),
        Part(Category.BELIEF, (FRIDAY.memory_id,)),
        Part(Category.HEALTH, (PILLS.memory_id,)),
    )


def test_a_category_by_name_is_the_whole_of_it_and_names_no_memory() -> None:
    assert split_by_category([Asked(category=Category.HEALTH)], {}) == (Part(Category.HEALTH, (), True),)


def test_asking_twice_is_asking_once() -> None:
    assert split_by_category([Asked(KITCHEN.memory_id)] * 3, shown(KITCHEN)) == (
        Part(Category.ORDINARY, (KITCHEN.memory_id,)),
    )


def test_a_part_says_its_name() -> None:
    assert Part(Category.ORDINARY).name == "ordinary"
    assert Part(Category.HEALTH).name == "special:health"


@given(st.data(), st.lists(memories(), min_size=1))
def test_nothing_is_lost_nothing_is_added_and_no_part_mixes(data: st.DataObject, found: list[Memory]) -> None:
    lines = data.draw(asked_of(found))
    category_of = {each.memory_id: each.category for each in found}
    parts = split_by_category(lines, shown(*found))
    assert len({part.category for part in parts}) == len(parts)
    assert {memory_id for part in parts for memory_id in part.memory_ids} == {
        line.memory_id for line in lines if line.memory_id
    }
    assert {part.category for part in parts if part.whole_category} == {
        line.category for line in lines if line.category
    }
    for part in parts:
        assert {category_of[memory_id] for memory_id in part.memory_ids} <= {part.category}
