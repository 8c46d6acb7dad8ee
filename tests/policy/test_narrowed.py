"""A grant's life: narrowed is never wider, over is over, and a chosen set is what was there."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.grants import Narrower, check_terms, chosen_of, due_to_lapse, narrowed, over, state_of
from apps.policy.text import TextProblem
from apps.policy.types import Grant, Memory, Refused
from apps.policy.vocabulary import GrantState, Refusal
from tests.policy.facts import HOUR, NOW, grant, grants, memories, memory

KITCHEN, TIME = memory(subject="cooking.kitchen"), memory(subject="cooking.time")
DAY = timedelta(days=1)


@given(st.data())
def test_whatever_is_wished_it_becomes_less_or_stays(data: st.DataObject) -> None:
    among: list[Memory] = data.draw(st.lists(memories(), min_size=1, max_size=4))
    before: Grant = data.draw(grants(among))
    ids = st.frozensets(st.sampled_from([each.memory_id for each in among]))
    wish = Narrower(
        data.draw(st.none() | st.integers(-7200, 7200).map(lambda seconds: NOW + timedelta(seconds=seconds))),
        data.draw(st.none() | st.integers(-1, 9)),
        data.draw(st.none() | ids),
    )
    after = narrowed(before, wish, NOW)
    if isinstance(after, Refused):
        return
    assert after.memory_ids <= before.memory_ids
    assert after.memory_ids or not before.memory_ids, "one that covers nothing goes on to cover nothing"
    assert NOW < after.expires_at <= before.expires_at
    assert before.reads_left is None or (after.reads_left is not None and 1 <= after.reads_left <= before.reads_left)
    same = ("client_id", "recipient", "purpose", "category", "paused", "turn_id", "made_at")
    assert all(getattr(after, name) == getattr(before, name) for name in same)
    assert after == before or after.terms_version == before.terms_version + 1


@pytest.mark.parametrize(
    ("wish", "pointer"),
    [
        (Narrower(until=NOW), "/until"),
        (Narrower(until=NOW + HOUR + timedelta(microseconds=1)), "/until"),
        (Narrower(reads=0), "/reads"),
        (Narrower(reads=6), "/reads"),
        (Narrower(memory_ids=frozenset()), "/memories"),
        (Narrower(memory_ids=frozenset({TIME.memory_id})), "/memories"),
    ],
    ids=["ends now", "ends later", "no reads", "more reads", "nothing", "another memory"],
)
def test_what_is_not_less_is_refused_by_its_name(wish: Narrower, pointer: str) -> None:
    assert narrowed(grant(KITCHEN, reads_left=5), wish, NOW) == Refused(Refusal.WIDER, pointer)


def test_any_number_of_reads_becomes_some_number() -> None:
    less = narrowed(grant(KITCHEN), Narrower(reads=3), NOW)
    assert isinstance(less, Grant)
    assert less.reads_left == 3


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({}, GrantState.LIVE),
        ({"paused": True}, GrantState.PAUSED),
        ({"reads_left": 0, "paused": True}, GrantState.SPENT),
        ({"expires_at": NOW, "reads_left": 0}, GrantState.EXPIRED),
        ({"lapsed_at": NOW, "expires_at": NOW}, GrantState.LAPSED),
        ({"revoked_at": NOW, "lapsed_at": NOW}, GrantState.REVOKED),
    ],
    ids=str,
)
def test_how_it_stands(changes: dict[str, Any], state: GrantState) -> None:
    found = grant(KITCHEN, **changes)
    assert state_of(found, NOW) is state
    assert over(found, NOW) is (state in (GrantState.EXPIRED, GrantState.LAPSED, GrantState.REVOKED))
    ended = state not in (GrantState.LIVE, GrantState.PAUSED)
    assert (narrowed(found, Narrower(reads=1), NOW) == Refused(Refusal.GRANT_ENDED)) is ended


def test_it_lapses_after_its_days_unused_and_not_a_moment_earlier() -> None:
    made = grant(KITCHEN, made_at=NOW - 90 * DAY)
    assert due_to_lapse(made, NOW)
    assert not due_to_lapse(replace(made, made_at=made.made_at + timedelta(microseconds=1)), NOW)
    assert not due_to_lapse(replace(made, last_used_at=NOW - DAY), NOW)
    assert due_to_lapse(replace(made, last_used_at=NOW - DAY, lapse_days=1), NOW)
    assert not due_to_lapse(replace(made, revoked_at=NOW), NOW)
    assert not due_to_lapse(replace(made, reads_left=0), NOW)


def test_a_subject_is_what_stands_under_it_and_empty_is_nothing() -> None:
    near = memory(subject="cookingclub.address")
    offered = [KITCHEN, TIME, near]
    assert chosen_of(offered, (), ()) == frozenset()
    assert chosen_of(offered, (), ["cooking"]) == {KITCHEN.memory_id, TIME.memory_id}
    assert chosen_of(offered, [near.memory_id], ["cooking.time"]) == {near.memory_id, TIME.memory_id}
    assert chosen_of(offered, [memory().memory_id], ["", "cook", "astronomy"]) == frozenset()


@pytest.mark.parametrize(
    ("lasts", "reads", "field"),
    [
        (timedelta(0), 1, "until"),
        (-HOUR, 1, "until"),
        (timedelta(seconds=59), 1, "until"),
        (timedelta(days=366, seconds=1), 1, "until"),
        (HOUR, 0, "reads"),
        (HOUR, -1, "reads"),
        (HOUR, 100_001, "reads"),
    ],
)
def test_terms_that_no_grant_has_are_refused_by_name(lasts: timedelta, reads: int, field: str) -> None:
    with pytest.raises(TextProblem) as refused:
        check_terms(lasts, reads, fields=("until", "reads"))
    assert refused.value.field == field
    check_terms(timedelta(minutes=1), 1, fields=("until", "reads"))
    check_terms(timedelta(days=366), None, fields=("until", "reads"))
