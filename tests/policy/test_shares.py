"""Shares: what may be in one, what it carries now, who is let in, and that neither ever becomes more."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.roles import policy_for
from apps.policy.settling import NUMBERS
from apps.policy.shares import (
    MOST_MEMORIES,
    MOST_TRIES,
    MOST_VIEWS,
    TRIES,
    VIEWING,
    WAIT,
    Code,
    Link,
    Opening,
    Share,
    ShareItem,
    ShareState,
    admit_opening,
    admit_view,
    authorize_share,
    check_terms,
    may_be_seen,
    opening_plan,
    shown,
    state_of,
    waits_until,
)
from apps.policy.text import TextProblem
from apps.policy.types import Memory, Refused
from apps.policy.vocabulary import Category, Form, ReceiptKind, Refusal, State
from tests.policy.facts import HOUR, NOW, SPECIAL, memories, memory

GONE = Refused(Refusal.SHARE_GONE)
HERE = policy_for("household")
LONGEST = NUMBERS["share_hours_most"][1]  # hours


def share_of(*held: Memory, **changes: Any) -> Share:
    """A share of an hour over these memories, as they are, with one link."""
    share_id = uuid4()
    made = {
        "terms_version": 1,
        "made_at": NOW,
        "made_by": "hld_" + "a" * 32,
        "sender": "Ines",
        "note": "",
        "code": Code.NONE,
        "expires_at": NOW + HOUR,
        "opens_most": 3,
        "opens_left": 3,
        "tries_left": 5,
        "stopped_at": None,
        "locked_at": None,
        "ended_at": None,
        "items": tuple(ShareItem(each.memory_id, each.version) for each in held),
        "links": (Link(uuid4(), share_id, "", ""),),
    }
    return Share(share_id, **made | changes)


# ---------------------------------------------------------------- what may be shared
@given(st.lists(memories(), min_size=1, max_size=6))
def test_whatever_there_is_only_ordinary_living_memories_that_may_leave_are_shared(held: list[Memory]) -> None:
    known = {each.memory_id: each for each in held}
    refused = authorize_share(known, list(known), HERE)
    fit = [
        each.category is Category.ORDINARY and each.state is State.APPROVED and each.holds and not each.local_only
        for each in known.values()
    ]
    assert (refused is None) == all(fit)
    if refused is not None:
        assert refused.pointer == f"/memories/{fit.index(False)}", "the first line that is not"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"category": SPECIAL[0]}, Refusal.NEVER_SHARED),
        ({"category": SPECIAL[0], "attested": True}, Refusal.NEVER_SHARED),
        ({"local_only": True}, Refusal.LOCAL_ONLY),
        ({"state": State.WITHDRAWN}, Refusal.NOT_FOUND),
        ({"state": State.SEALED}, Refusal.NOT_FOUND),
        ({"state": State.MERGED}, Refusal.NOT_FOUND),
        ({"state": State.ERASED}, Refusal.NOT_FOUND),
        ({"holds": False}, Refusal.NOT_FOUND),
        ({"state": State.SEALED, "category": SPECIAL[0]}, Refusal.NOT_FOUND),
    ],
    ids=str,
)
def test_why_one_is_not_is_said_by_its_place(changes: dict[str, Any], reason: Refusal) -> None:
    fit, unfit = memory(), memory(**changes)
    known = {each.memory_id: each for each in (fit, unfit)}
    assert authorize_share(known, [fit.memory_id, unfit.memory_id], HERE) == Refused(reason, "/memories/1")
    assert authorize_share({}, [fit.memory_id], HERE) == Refused(Refusal.NOT_FOUND, "/memories/0"), "nor unknown"


def test_where_nobody_shares_nothing_is_looked_at() -> None:
    assert authorize_share({}, [], replace(HERE, share_hours_most=0)) == Refused(Refusal.NO_SHARES)


@pytest.mark.parametrize("many", [0, MOST_MEMORIES + 1])
def test_none_or_too_many_are_no_share(many: int) -> None:
    with pytest.raises(TextProblem) as problem:
        authorize_share({}, [uuid4() for _ in range(many)], HERE)
    assert problem.value.field == "memories"


@given(st.integers(0, 720), st.integers(1, 50), st.integers(-60, 60 * 721), st.integers(-1, 60))
def test_no_share_lasts_longer_or_opens_more_often_than_is_settled(
    hours: int, most: int, minutes: int, opens: int
) -> None:
    settled = replace(HERE, share_hours_most=hours, share_opens_most=most)
    fits = 1 <= minutes <= 60 * hours and 1 <= opens <= most
    try:
        check_terms(timedelta(minutes=minutes), opens, settled)
    except TextProblem as problem:
        assert not fits
        assert problem.field in ("lasts", "opens")
    else:
        assert fits


# ---------------------------------------------------------------- what it carries
@given(st.lists(memories(), max_size=6), st.data())
def test_it_carries_no_more_than_it_was_given_as_it_was_then(before: list[Memory], data: st.DataObject) -> None:
    share = share_of(*before)
    now = [
        replace(
            each,
            version=each.version + data.draw(st.sampled_from([0, 0, 1])),
            state=data.draw(st.sampled_from(State)),
            local_only=data.draw(st.booleans()),
        )
        for each in before
    ] + data.draw(st.lists(memories(), max_size=3))
    given_then = {(each.memory_id, each.version) for each in share.items}
    for each in shown(share, now):
        assert (each.memory_id, each.version) in given_then
        assert each.state is State.APPROVED and each.holds
        assert each.category is Category.ORDINARY and not each.local_only


def test_it_carries_them_in_the_order_chosen() -> None:
    first, second, third = memory(subject="c"), memory(subject="a"), memory(subject="b")
    assert shown(share_of(first, second, third), [second, third, first]) == (first, second, third)


def test_a_plan_says_exactly_what_it_carries_an_attested_one_by_its_proof() -> None:
    plain, proven = memory(), memory(attested=True)
    share, opening = share_of(plain, proven), UUID(int=5)
    plan = opening_plan(share, [plain, proven], opening, ReceiptKind.VALUE_OPENED, "Firefox")
    assert (plan.authority.kind, plan.authority.object_id, plan.authority.terms) == ("shr", share.share_id, 1)
    assert [(each.memory_id, each.form) for each in plan.items] == [
        (plain.memory_id, Form.VALUE),
        (proven.memory_id, Form.ATTESTED),
    ]
    assert (plan.request, plan.client) == (f"opn_{opening.hex}", "Firefox")


# ---------------------------------------------------------------- who is let in
ENDS: list[tuple[dict[str, Any], ShareState]] = [
    ({"stopped_at": NOW}, ShareState.STOPPED),
    ({"locked_at": NOW}, ShareState.LOCKED),
    ({"expires_at": NOW}, ShareState.EXPIRED),
    ({"opens_left": 0}, ShareState.USED_UP),
    ({"stopped_at": NOW, "expires_at": NOW, "opens_left": 0}, ShareState.STOPPED),
    ({"expires_at": NOW, "opens_left": 0}, ShareState.EXPIRED),
]


@pytest.mark.parametrize(("changes", "state"), ENDS, ids=str)
def test_however_it_ended_every_no_is_the_same(changes: dict[str, Any], state: ShareState) -> None:
    share = share_of(memory(), **changes)
    assert state_of(share, NOW) is state
    assert admit_opening(share, share.links[0], NOW) == GONE
    assert admit_opening(None, None, NOW) == GONE


def test_one_that_stands_is_let_in_until_its_last_second() -> None:
    share = share_of(memory())
    assert admit_opening(share, share.links[0], NOW) is None
    assert admit_opening(share, share.links[0], NOW + HOUR - timedelta(microseconds=1)) is None
    assert admit_opening(share, share.links[0], NOW + HOUR) == GONE
    assert admit_opening(share, replace(share.links[0], stopped_at=NOW), NOW) == GONE


def opened(share: Share, at: datetime = NOW, views: int = 0) -> Opening:
    return Opening(uuid4(), share.share_id, share.links[0].link_id, at, views, None, "")


@pytest.mark.parametrize(("changes", "state"), ENDS, ids=str)
def test_a_look_goes_on_only_where_the_last_opening_was_used(changes: dict[str, Any], state: ShareState) -> None:
    share = share_of(memory(), **changes)
    allowed = admit_view(share, share.links[0], opened(share), NOW)
    assert allowed == (None if state is ShareState.USED_UP else GONE)


def test_a_look_is_for_its_own_link_its_minutes_and_so_many_times() -> None:
    share = share_of(memory(), expires_at=NOW + 9 * HOUR)
    link = share.links[0]
    assert admit_view(share, link, opened(share), NOW + VIEWING - timedelta(microseconds=1)) is None
    assert admit_view(share, link, opened(share), NOW + VIEWING) == GONE
    assert admit_view(share, link, opened(share, views=MOST_VIEWS), NOW) == GONE
    assert admit_view(share, replace(link, link_id=uuid4()), opened(share), NOW) == GONE
    assert admit_view(share, link, None, NOW) == GONE


def test_it_can_be_stopped_while_anybody_may_be_handed_anything() -> None:
    kept = memory()
    spent = share_of(kept, opens_left=0)
    opening = Opening(uuid4(), spent.share_id, spent.links[0].link_id, NOW, 0, None, "")
    last = NOW + VIEWING - timedelta(seconds=1)
    assert may_be_seen(share_of(kept), (), NOW)
    assert may_be_seen(spent, [opening], last)
    assert not may_be_seen(spent, [opening], NOW + VIEWING)
    assert not may_be_seen(spent, (), NOW)
    assert not may_be_seen(replace(spent, stopped_at=NOW), [opening], last)
    assert not may_be_seen(replace(spent, tries_left=0), [opening], last), "its last try locked it"


# ---------------------------------------------------------------- wrong codes
@pytest.mark.parametrize(("wrong", "waits"), [(0, 0), (TRIES - 1, 0), (TRIES, 1), (TRIES + 1, 2), (TRIES + 4, 16)])
def test_after_five_wrong_codes_a_link_waits_twice_as_long_each_time(wrong: int, waits: int) -> None:
    link = Link(uuid4(), uuid4(), "", "", wrong=wrong, wrong_at=NOW if wrong else None)
    assert waits_until(link, NOW) == (NOW + waits * WAIT if waits else None)
    assert waits_until(link, NOW + waits * WAIT) is None, "from that moment on it takes one"


def test_whoever_guesses_by_one_link_for_as_long_as_any_share_lasts_does_not_end_it() -> None:
    link, now, tries = Link(uuid4(), uuid4(), "", ""), NOW, 0
    while now <= NOW + LONGEST * HOUR:
        tries += 1
        link = replace(link, wrong=link.wrong + 1, wrong_at=now)
        now = waits_until(link, now) or now
    assert TRIES < tries < MOST_TRIES
