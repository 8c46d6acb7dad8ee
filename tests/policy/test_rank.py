"""A memory's rank is its weight, halved with each half-life of its kind; it fills a list of suggestions and no more."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.life import HALF_LIVES, Kind, Look, Standing, Why, check_weight, rank, worth_another_look
from apps.policy.text import TextProblem

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
KINDS = st.sampled_from(Kind)
WEIGHTS = st.integers(1, 100)
AGES = st.timedeltas(timedelta(0), timedelta(days=36500))
STANDINGS = st.lists(
    st.builds(
        Standing,
        st.uuids(),
        KINDS,
        WEIGHTS,
        AGES.map(lambda age: NOW - age),
        st.none() | st.timedeltas(timedelta(days=-900), timedelta(days=900)).map(lambda off: NOW + off),
    ),
    max_size=12,
    unique_by=lambda each: each.memory_id,
)


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_has_a_half_life_and_the_rank_halves_with_it(kind: Kind) -> None:
    life = HALF_LIVES[kind]
    assert [rank(80, kind, NOW - n * life, NOW) for n in range(4)] == [80, 40, 20, 10]


def test_what_happened_fades_before_how_it_is_done_and_that_before_what_is_so() -> None:
    since = NOW - 100 * DAY
    ranks = [rank(50, kind, since, NOW) for kind in (Kind.EPISODIC, Kind.PROCEDURAL, Kind.SEMANTIC)]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) == 3


@given(WEIGHTS, KINDS, AGES, AGES)
def test_a_rank_never_grows_by_waiting(weight: int, kind: Kind, age: timedelta, more: timedelta) -> None:
    assert weight >= rank(weight, kind, NOW - age, NOW) >= rank(weight, kind, NOW - age - more, NOW) >= 0


@given(WEIGHTS, KINDS, AGES)
def test_what_is_dated_ahead_weighs_no_more_than_its_weight(weight: int, kind: Kind, ahead: timedelta) -> None:
    assert rank(weight, kind, NOW + ahead, NOW) == weight


@pytest.mark.parametrize("weight", [0, -1, 101, 10**9])
def test_a_weight_is_1_to_100(weight: int) -> None:
    with pytest.raises(TextProblem, match="weight"):
        check_weight(weight)
    assert [check_weight(1), check_weight(100)] == [1, 100]


def named(number: int, kind: Kind, weight: int, days: int, until: int | None = None) -> Standing:
    """A memory by a number, so many days after it was confirmed, that was true until so many days ago."""
    true_until = None if until is None else NOW - until * DAY
    return Standing(UUID(int=number), kind, weight, NOW - days * DAY, true_until)


def test_first_what_is_over_then_what_has_lost_most() -> None:
    found = worth_another_look(
        [
            named(1, Kind.SEMANTIC, 100, 10),  # fresh
            named(2, Kind.EPISODIC, 1, 3000),  # never mattered
            named(3, Kind.SEMANTIC, 80, 730),
            named(4, Kind.SEMANTIC, 50, 10, until=0),  # its end is now
            named(5, Kind.PROCEDURAL, 90, 365),
            named(6, Kind.SEMANTIC, 50, 10, until=-1),  # ends tomorrow
            named(7, Kind.EPISODIC, 100, 89),
        ],
        NOW,
    )
    assert [(look.memory_id.int, look.why) for look in found] == [
        (4, Why.OVER),
        (5, Why.FADED),
        (3, Why.FADED),
        (2, Why.FADED),
    ]
    assert found[1] == Look(UUID(int=5), Why.FADED, 45.0)


@given(STANDINGS, st.integers(0, 15))
def test_the_list_is_the_same_whatever_order_rows_come_in(standings: list[Standing], most: int) -> None:
    found = worth_another_look(standings, NOW, most)
    assert found == worth_another_look(standings[::-1], NOW, most)
    assert len(found) == min(most, len(worth_another_look(standings, NOW, 99)))


@given(STANDINGS)
def test_what_was_just_confirmed_and_is_not_over_is_left_in_peace(standings: list[Standing]) -> None:
    looks = {look.memory_id: look.why for look in worth_another_look(standings, NOW, 99)}
    for each in standings:
        over = each.true_until is not None and each.true_until <= NOW
        assert (looks.get(each.memory_id) is Why.OVER) is over
        if not over and NOW - each.since < HALF_LIVES[each.kind]:
            assert each.memory_id not in looks
