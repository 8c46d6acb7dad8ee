"""A table of ages by which a guardian may do more waits for thirty days; one by which they may do less does not."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from apps.policy.people import SpacePolicy, Tier
from apps.policy.roles import TIERS, policy_for
from apps.policy.settling import ages, settled
from apps.policy.tiers import (
    NOTICE,
    Told,
    Upbringing,
    allowed,
    grown_up,
    narrower,
    steps,
    tiers_until,
    turns,
    widens,
    wider,
)
from apps.policy.types import Refused
from apps.policy.vocabulary import Level

VIEW, DECIDE = Level.VIEW, Level.DECIDE
NOON = datetime(2026, 5, 9, 12, tzinfo=UTC)
LATER = NOON + NOTICE
A_SECOND = timedelta(seconds=1)
HOME = policy_for("household")  # decides until 13, looks until 18


def settle(now: SpacePolicy, decides: int, looks: int, *, youngest: int | None = 9, at: datetime = NOON) -> SpacePolicy:
    done = settled(replace(now, tiers=tiers_until(decides, looks)), now, (), at, youngest)
    assert not isinstance(done, Refused)
    return done


def child(policy: SpacePolicy, born_on: date) -> Upbringing:
    return Upbringing(born_on, UTC, policy.tiers, policy.tiers_before, policy.tiers_from)


@pytest.mark.parametrize(("decides", "looks"), [(14, 18), (13, 19), (21, 21), (10, 21), (16, 16)])
def test_more_than_before_at_any_age_to_come_holds_in_thirty_days_and_until_then_what_both_allow(
    decides: int, looks: int
) -> None:
    new = settle(HOME, decides, looks)
    assert (new.tiers, new.tiers_from) == (tiers_until(decides, looks), LATER)
    assert new.tiers_before == tiers_until(min(13, decides), min(18, looks))
    assert ages(new, LATER - A_SECOND).held == new.tiers_before
    assert (ages(new, LATER).held, ages(new, LATER).since) == (new.tiers, None)


@pytest.mark.parametrize(("decides", "looks"), [(12, 18), (13, 17), (0, 0), (0, 18)])
def test_less_than_before_holds_at_once(decides: int, looks: int) -> None:
    new = settle(HOME, decides, looks)
    assert (new.tiers_before, new.tiers_from) == ((), None)


def test_what_concerns_no_child_who_lives_there_waits_for_nobody() -> None:
    assert settle(HOME, 16, 18, youngest=None).tiers_from is None
    assert settle(HOME, 16, 18, youngest=16).tiers_from is None, "whoever is sixteen is past what changed"
    assert settle(HOME, 16, 18, youngest=15).tiers_from == LATER


def test_another_change_neither_hastens_nor_delays_it_and_a_wish_sets_neither_of_the_two() -> None:
    new = settle(HOME, 16, 18)
    on = replace(new, lapse_days=30, tiers_before=(), tiers_from=None)
    done = settled(on, new, (), NOON + timedelta(days=3), 9)
    assert done == replace(new, lapse_days=30, version=3)


def test_to_settle_it_again_is_judged_by_what_holds_then() -> None:
    waits = settle(HOME, 16, 18)
    day = NOON + timedelta(days=10)
    again = settle(waits, 17, 18, at=day)
    assert (again.tiers_before, again.tiers_from) == (TIERS, day + NOTICE), "more than what holds waits anew"
    back = settle(waits, 13, 18, at=day)
    assert (back.tiers, back.tiers_from) == (TIERS, None), "taken back: nothing changes"
    held = settle(waits, 15, 18, at=LATER)
    assert held.tiers_from is None, "it held already: less holds at once"


def test_the_narrower_table_allows_what_both_do_at_every_age() -> None:
    tables = [tiers_until(decides, looks) for decides in (0, 5, 13) for looks in (0, 5, 14, 21)]
    order = [None, VIEW, DECIDE]
    for one in tables:
        for other in tables:
            both = narrower(one, other)
            for age in range(22):
                levels = [allowed(Upbringing(date(2026 - age, 1, 1), UTC, each), NOON) for each in (one, other, both)]
                assert order.index(levels[2]) == min(order.index(each) for each in levels[:2])
            assert not wider(both, one, 0) and not wider(both, other, 0)


# ---------------------------------------------------------------- at one child
def test_a_guardian_does_not_more_with_a_teen_before_the_day_and_does_then() -> None:
    teen = child(settle(HOME, 21, 21, youngest=17), date(2009, 1, 1))
    assert [allowed(teen, at) for at in (NOON, LATER - A_SECOND, LATER)] == [VIEW, VIEW, DECIDE]
    assert [turns(teen, at) for at in (NOON, LATER - A_SECOND, LATER)] == [Told.BEFORE, Told.BEFORE, Told.ON]
    assert turns(teen, LATER + NOTICE) is None


def test_whoever_was_grown_up_by_the_table_before_stays_so() -> None:
    new = settle(HOME, 21, 21, youngest=17)
    grown = child(new, date(2008, 5, 20))  # eighteen eleven days on, while the table waits
    assert [allowed(grown, at) for at in (NOON, datetime(2026, 5, 21, tzinfo=UTC), LATER, LATER + NOTICE)] == [
        VIEW,
        None,
        None,
        None,
    ]
    assert grown_up(grown, LATER) and not widens(grown)
    assert [each.after for each in steps(grown)] == [VIEW, None], "and is told of that birthday, and of no other"


def test_birthdays_are_told_of_by_the_table_that_holds_on_them() -> None:
    new = settle(HOME, 16, 18, youngest=12)
    near, far = child(new, date(2013, 5, 20)), child(new, date(2013, 7, 20))
    assert [(each.years, each.after) for each in steps(near)] == [(13, VIEW), (16, VIEW), (18, None)]
    assert [(each.years, each.after) for each in steps(far)] == [(16, VIEW), (18, None)]


def test_a_child_who_is_past_what_changed_is_told_nothing() -> None:
    new = settle(HOME, 16, 18, youngest=9)
    assert not widens(child(new, date(2010, 5, 1)))
    assert not widens(child(new, date(2010, 5, 20))), "sixteen before the day"
    assert widens(child(new, date(2010, 7, 20)))


def test_a_table_that_nobody_may_do_anything_by_is_told_of_as_less() -> None:
    assert not wider((Tier(0, None),), TIERS, 0)
