"""How long things are kept: what may be settled, and when the time of a memory is over."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.retention import AHEAD, Keeping, Kept, Stage, check_keeping, ends_at, stage
from apps.policy.text import TextProblem
from apps.policy.vocabulary import Category

SAID = datetime(2026, 5, 9, 12, tzinfo=UTC)
DAY = timedelta(days=1)
ALL = Keeping(30, 400, 500, (Kept(Category.ORDINARY, 60), Kept(Category.HEALTH, 730)))


def test_at_first_no_memory_and_no_conversation_goes() -> None:
    assert (Keeping().turns_days, Keeping().memories) == (None, ())
    assert (Keeping().proposals_days, Keeping().notes_days) == (365, 365)


def test_what_is_settled_comes_back_as_it_was() -> None:
    assert Keeping.of(ALL.to_json()) == ALL
    assert Keeping.of({}) == Keeping()


def test_categories_are_put_in_order_and_stand_once() -> None:
    assert check_keeping(replace(ALL, memories=ALL.memories[::-1])) == ALL
    with pytest.raises(TextProblem, match="twice"):
        check_keeping(replace(ALL, memories=ALL.memories * 2))


@pytest.mark.parametrize(
    "wrong",
    [
        replace(ALL, turns_days=6),
        replace(ALL, proposals_days=29),
        replace(ALL, notes_days=3_651),
        replace(ALL, memories=(Kept(Category.HEALTH, 59),)),
        replace(ALL, memories=(Kept(Category.HEALTH, 36_501),)),
    ],
)
def test_days_have_bounds(wrong: Keeping) -> None:
    with pytest.raises(TextProblem, match="whole number of days") as caught:
        check_keeping(wrong)
    assert caught.value.field == "keeping"


@given(
    days=st.integers(60, 2_000),
    told=st.none() | st.integers(-100, 3_000),
    later=st.integers(0, 4_000),
)
def test_nothing_is_over_before_its_days_nor_within_thirty_days_of_being_told(
    days: int, told: int | None, later: int
) -> None:
    told_at, now = None if told is None else SAID + told * DAY, SAID + later * DAY
    found = stage(SAID, told_at, days, now)
    if found is Stage.OVER:
        assert told_at is not None and now >= told_at + AHEAD and now >= SAID + days * DAY
        assert told_at >= SAID
    if found is Stage.TOLD:
        assert now < ends_at(SAID, told_at, days)
