"""What a reviewer may make of a person's yes: as much, or less; and of nobody's own."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.consent import NOT_SHOWN
from apps.policy.people import SpacePolicy
from apps.policy.review import (
    Review,
    Ruling,
    check_within,
    judge_review,
    longest,
    needs_review,
    open_for,
    review_due,
    seen_by_client,
)
from apps.policy.roles import policy_for
from apps.policy.text import TextProblem
from apps.policy.types import AccessPart, AccessRequest, Part, Refused
from apps.policy.vocabulary import Category, PartStatus, Purpose, Refusal, ReviewOutcome
from tests.policy.facts import HOUR, NOW

RITA, LEO = uuid4(), uuid4()
CLINIC, HOME = policy_for("clinic"), policy_for("household")
DAY = timedelta(days=1)


def review(**changes: Any) -> Review:
    """Leo's yes of an hour ago to one health memory: for a week, five reads."""
    made = Review(
        uuid4(),
        uuid4(),
        Category.HEALTH,
        frozenset({uuid4()}),
        False,
        NOW + 7 * DAY - HOUR,
        5,
        f"hld_{LEO.hex}",
        NOW - HOUR,
        NOW + DAY,
        NOT_SHOWN,
        None,
        "",
        PartStatus.IN_REVIEW,
        NOW + 6 * DAY,
    )
    return replace(made, **changes)


AS_IT_IS = Ruling()


def judged(found: Review | None, wish: Ruling = AS_IT_IS, policy: SpacePolicy = CLINIC, **who: Any) -> Review | Refused:
    """As Rita decides it, or `who`."""
    by, acts_there = who.get("by", RITA), who.get("acts_there", False)
    return judge_review(found, by, wish, policy, NOW, holder=LEO, acts_there=acts_there)


def test_as_it_is_and_as_less() -> None:
    found = review()
    assert judged(found) == replace(found, outcome=ReviewOutcome.APPROVED)
    less = judged(found, Ruling(until=NOW + HOUR, reads=1))
    assert less == replace(found, outcome=ReviewOutcome.NARROWED, until=NOW + HOUR, reads=1)
    same = judged(found, Ruling(until=found.until, reads=5))
    assert isinstance(same, Review)
    assert same.outcome is ReviewOutcome.APPROVED, "the same again is no narrowing"


@given(st.timedeltas(-30 * DAY, 30 * DAY) | st.none(), st.integers(-3, 9) | st.none(), st.integers(1, 9) | st.none())
def test_never_more_than_the_person_gave(off: timedelta | None, reads: int | None, given_reads: int | None) -> None:
    found = review(reads=given_reads)
    done = judged(found, Ruling(until=None if off is None else found.until + off, reads=reads))
    if isinstance(done, Refused):
        assert done.reason is Refusal.WIDER
        return
    assert NOW < done.until <= found.until
    assert given_reads is None or (done.reads is not None and 1 <= done.reads <= given_reads)
    assert (done.memory_ids, done.category) == (found.memory_ids, found.category)


@pytest.mark.parametrize(
    "own",
    [{"by": LEO}, {"acts_there": True}, {"decided_by": f"gdn_{RITA.hex}"}, {"decided_by": f"dlg_{RITA.hex}"}],
    ids=["the holder", "one who acts there", "the guardian who said yes", "the delegate who said yes"],
)
@pytest.mark.parametrize("outcome", ReviewOutcome)
def test_nobody_s_own(own: dict[str, Any], outcome: ReviewOutcome) -> None:
    found = review(**{name: value for name, value in own.items() if name == "decided_by"})
    assert judged(found, Ruling(outcome), **own) == Refused(Refusal.NOT_YOURS)


CLOSED = [
    *({"part": each} for each in PartStatus if each is not PartStatus.IN_REVIEW),
    *({"outcome": each} for each in ReviewOutcome),
    {"expires_at": NOW},
    {"until": NOW},
]


@pytest.mark.parametrize("closed", CLOSED, ids=str)
@pytest.mark.parametrize("outcome", ReviewOutcome)
def test_what_is_closed_stays_so(closed: dict[str, Any], outcome: ReviewOutcome) -> None:
    assert judged(review(**closed), Ruling(outcome)) == Refused(Refusal.ALREADY_DECIDED)


def test_nothing_is_not_found() -> None:
    assert judged(None) == Refused(Refusal.NOT_FOUND)


def test_what_the_space_allows_no_more_is_narrowed_or_not_approved() -> None:
    tight = replace(CLINIC, most_ttl_seconds=86400, most_reads=2)
    assert judged(review(), policy=tight) == Refused(Refusal.WIDER, "/until")
    assert judged(review(), Ruling(until=NOW + HOUR), tight) == Refused(Refusal.WIDER, "/reads")
    assert isinstance(judged(review(), Ruling(until=NOW + HOUR, reads=2), tight), Review)
    assert judged(review(reads=None), Ruling(until=NOW + HOUR), tight) == Refused(Refusal.WIDER, "/reads")
    for outcome in (ReviewOutcome.RETURNED, ReviewOutcome.DECLINED):
        assert isinstance(judged(review(), Ruling(outcome), tight), Review), "a no needs no room"


@pytest.mark.parametrize("category", Category)
def test_a_clinic_reviews_what_is_special_and_no_household_anything(category: Category) -> None:
    assert needs_review(CLINIC, category) is category.special
    assert not needs_review(HOME, category)
    assert not needs_review(CLINIC, category, own_chat=True)


def test_the_space_caps_what_a_person_gives() -> None:
    tight = replace(HOME, most_ttl_seconds=7200, most_reads=3)
    check_within(tight, timedelta(hours=2), 3, ("until", "reads"))
    for lasts, reads, field in (
        (2 * HOUR + timedelta(seconds=1), 1, "until"),
        (HOUR, 4, "reads"),
        (HOUR, None, "reads"),
    ):
        with pytest.raises(TextProblem) as problem:
            check_within(tight, lasts, reads, ("until", "reads"))
        assert problem.value.field == field
    assert "2 hours" in _said(tight)
    assert longest(tight) == timedelta(hours=2)
    assert longest(HOME) > timedelta(days=300)


def _said(policy: SpacePolicy) -> str:
    with pytest.raises(TextProblem) as problem:
        check_within(policy, 9 * HOUR, 1, ("until", "reads"))
    return problem.value.detail


def test_two_have_longer_and_the_second_a_day_of_it() -> None:
    assert open_for(HOME) == DAY
    assert open_for(CLINIC) == 7 * DAY
    assert review_due(NOW, NOW + 3 * DAY) == NOW + DAY
    assert review_due(NOW, NOW + HOUR) == NOW + HOUR


@pytest.mark.parametrize("status", PartStatus)
def test_a_client_sees_what_is_in_review_as_pending_and_all_else_as_it_is(status: PartStatus) -> None:
    part = AccessPart(Part(Category.HEALTH, (), True), status, NOW, None)
    found = AccessRequest(
        uuid4(), uuid4(), Purpose.CARE, "", 3600, None, NOW - HOUR, NOW + DAY, None, (part,), interval_seconds=5
    )
    seen = seen_by_client(found)
    if status is PartStatus.IN_REVIEW:
        waits = replace(found, parts=(replace(part, status=PartStatus.PENDING, decided_at=None),))
        assert seen == waits
    else:
        assert seen == found
