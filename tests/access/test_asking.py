"""A request on its way: filed once, in parts, looked at in patience, taken back, expired; and what each leaves."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from apps.access import services as access
from apps.access.tasks import expire_requests
from apps.memories import services as memories
from apps.policy.text import TextProblem
from apps.policy.types import AccessRequest, Asked, Refused
from apps.policy.vocabulary import Category, PartStatus, Purpose, Refusal
from tests.cast import PURPOSE, Assistant, Vault, give
from tests.threads import at_once
from vault.clock import utc_now

NO = access.NO


def test_it_waits_with_the_holder_in_its_parts(alice: Vault, cook: Assistant) -> None:
    wish = cook.ask("kitchen", "time", categories=(Category.HEALTH,), purpose_note="Dinner plans")
    assert access.waiting(alice.holder, utc_now()) == (wish,)
    choices = {each.part.part.category: each for each in access.choices(alice.holder, wish)}
    assert {each.memory_id for each in choices[Category.ORDINARY].memories} == {alice.ids["kitchen"], alice.ids["time"]}
    assert [each.label for each in choices[Category.HEALTH].memories] == [alice.labels["pills"]], (
        "the holder's own page"
    )
    made = alice.receipts(kind="request.made")
    assert {each.category for each in made} == {"ordinary", "health"}
    assert "Dinner plans" not in repr(made)


def test_the_same_open_request_is_found_and_not_doubled(alice: Vault, cook: Assistant) -> None:
    assert cook.ask("kitchen") == cook.ask("kitchen")
    assert len(alice.receipts(kind="request.made")) == 1
    assert cook.ask("kitchen", purpose=Purpose.TRAVEL) != cook.ask("kitchen")


def test_twelve_at_once_are_one(alice: Vault, cook: Assistant) -> None:
    found = at_once([lambda: cook.ask("kitchen")] * 6)
    assert len({each.request_id for each in found if isinstance(each, AccessRequest)}) == 1, found
    assert len(access.waiting(alice.holder, utc_now())) == 1


def test_another_client_s_request_is_its_own(alice: Vault, cook: Assistant, clinic: Assistant) -> None:
    wish = cook.ask("kitchen")
    assert clinic.ask("kitchen").request_id != wish.request_id
    assert access.check(clinic.caller, wish.request_id, utc_now()) == Refused(Refusal.NOT_FOUND)
    assert access.cancel(clinic.caller, wish.request_id, utc_now()) == Refused(Refusal.NOT_FOUND)
    assert access.check(cook.caller, uuid4(), utc_now()) == Refused(Refusal.NOT_FOUND)


@pytest.mark.parametrize(
    ("lines", "field"), [({"purpose_note": "x" * 141}, "purpose_note"), ({"purpose_note": "a\nb"}, "purpose_note")]
)
def test_a_note_that_cannot_be_kept_is_refused_by_name(
    alice: Vault, cook: Assistant, lines: dict[str, Any], field: str
) -> None:
    with pytest.raises(TextProblem) as refused:
        cook.ask("kitchen", **lines)
    assert refused.value.field == field


def test_more_than_fifty_lines_are_refused_whole(alice: Vault, cook: Assistant) -> None:
    with pytest.raises(TextProblem) as refused:
        access.ask(cook.caller, [Asked(alice.ids["kitchen"])] * 51, purpose=PURPOSE, now=utc_now())
    assert refused.value.field == "items"


def test_a_decision_is_made_once_and_part_by_part(alice: Vault, cook: Assistant) -> None:
    wish = cook.ask("kitchen", categories=(Category.HEALTH,))
    kitchen = access.Decision(frozenset({alice.ids["kitchen"]}))
    first = access.decide(alice.holder, wish.request_id, {Category.ORDINARY: kitchen}, utc_now())
    assert isinstance(first, AccessRequest) and first.status is PartStatus.PENDING
    again = access.decide(alice.holder, wish.request_id, {Category.ORDINARY: NO, Category.HEALTH: NO}, utc_now())
    assert again == Refused(Refusal.ALREADY_DECIDED), "nothing of it is decided"
    second = access.decide(alice.holder, wish.request_id, {Category.HEALTH: NO}, utc_now())
    assert isinstance(second, AccessRequest) and second.status is PartStatus.PARTLY_GRANTED
    assert len(access.grants(alice.holder)) == 1


@pytest.mark.parametrize("decisions", [{}, {Category.BELIEF: NO}])
def test_a_part_that_was_not_asked_for_is_not_there(alice: Vault, cook: Assistant, decisions: dict[Any, Any]) -> None:
    wish = cook.ask("kitchen")
    assert access.decide(alice.holder, wish.request_id, decisions, utc_now()) == Refused(Refusal.NOT_FOUND)


def test_two_presses_at_once_decide_once(alice: Vault, cook: Assistant) -> None:
    wish = cook.ask("kitchen")
    kitchen = access.Decision(frozenset({alice.ids["kitchen"]}))
    decisions = [{Category.ORDINARY: kitchen}, {Category.ORDINARY: NO}] * 2
    results = at_once([lambda it=it: access.decide(alice.holder, wish.request_id, it, utc_now()) for it in decisions])
    assert sum(isinstance(each, AccessRequest) for each in results) == 1, results
    assert len(access.grants(alice.holder)) <= 1


def test_what_was_put_away_meanwhile_cannot_be_granted(alice: Vault, cook: Assistant) -> None:
    wish = cook.ask("kitchen", "time")
    memories.put_away(alice.holder, alice.ids["kitchen"], utc_now())
    both = access.Decision(frozenset({alice.ids["kitchen"], alice.ids["time"]}))
    access.decide(alice.holder, wish.request_id, {Category.ORDINARY: both}, utc_now())
    (grant,) = access.grants(alice.holder)
    assert grant.memory_ids == {alice.ids["time"]}


# ---------------------------------------------------------------- looking
def test_polling_in_patience_is_answered_and_in_haste_slowed_down(cook: Assistant) -> None:
    wish, now = cook.ask("kitchen"), utc_now()
    caller = cook.caller
    assert access.check(caller, wish.request_id, now) == wish
    hasty = access.check(caller, wish.request_id, now + timedelta(seconds=1))
    assert hasty == Refused(Refusal.RATE_LIMITED, until=now + timedelta(seconds=11)), "five more than before"
    assert not access.check(caller, wish.request_id, now + timedelta(seconds=8))
    patient = access.check(caller, wish.request_id, now + timedelta(seconds=60))
    assert patient == replace(wish, interval_seconds=15), "it is told how long to wait from now on"


def test_the_interval_grows_to_a_minute_and_no_further(cook: Assistant) -> None:
    wish, now, caller = cook.ask("kitchen"), utc_now(), cook.caller
    for _ in range(20):
        last = access.check(caller, wish.request_id, now)
    assert isinstance(last, Refused) and last.until == now + timedelta(seconds=60)


def test_a_decided_one_may_be_looked_at_at_any_time(alice: Vault, cook: Assistant) -> None:
    wish, now = cook.ask("kitchen"), utc_now()
    access.decide(alice.holder, wish.request_id, {Category.ORDINARY: NO}, now)
    for _ in range(3):
        found = access.check(cook.caller, wish.request_id, now)
        assert isinstance(found, AccessRequest) and found.status is PartStatus.DENIED


def test_looking_leaves_no_receipt(alice: Vault, cook: Assistant) -> None:
    wish = cook.ask("kitchen")
    before = alice.receipts()
    access.check(cook.caller, wish.request_id, utc_now())
    access.outcome(cook.caller, wish.request_id)
    access.subjects(cook.caller)
    assert alice.receipts() == before


# ---------------------------------------------------------------- ending
def test_it_is_taken_back_once(alice: Vault, cook: Assistant) -> None:
    wish = cook.ask("kitchen", categories=(Category.HEALTH,))
    gone = access.cancel(cook.caller, wish.request_id, utc_now())
    assert isinstance(gone, AccessRequest) and gone.status is PartStatus.CANCELLED
    assert access.cancel(cook.caller, wish.request_id, utc_now()) == Refused(Refusal.ALREADY_DECIDED)
    late = access.decide(alice.holder, wish.request_id, {Category.ORDINARY: NO}, utc_now())
    assert late == Refused(Refusal.ALREADY_DECIDED)
    assert access.waiting(alice.holder, utc_now()) == ()
    assert cook.ask("kitchen").request_id != wish.request_id, "and no cool-down follows"


def test_it_expires_after_a_day_and_the_special_part_counts_as_denied(alice: Vault, cook: Assistant) -> None:
    wish, now = cook.ask("kitchen", categories=(Category.HEALTH,)), utc_now()
    assert not access.expire(alice.id, wish.request_id, now)
    assert access.expire(alice.id, wish.request_id, now + timedelta(days=1))
    assert not access.expire(alice.id, wish.request_id, now + timedelta(days=1)), "once"
    found = access.request(alice.holder, wish.request_id)
    assert found
    assert {each.part.category: each.status for each in found.parts} == {
        Category.ORDINARY: PartStatus.EXPIRED,
        Category.HEALTH: PartStatus.DENIED,
    }
    assert len(alice.receipts(kind="request.expired")) == 1


def test_too_late_is_too_late_even_before_the_clock_comes_round(alice: Vault, cook: Assistant) -> None:
    wish = cook.ask("kitchen")
    late = utc_now() + timedelta(days=1, seconds=1)
    assert access.waiting(alice.holder, late) == ()
    kitchen = access.Decision(frozenset({alice.ids["kitchen"]}))
    assert access.decide(alice.holder, wish.request_id, {Category.ORDINARY: kitchen}, late) == Refused(
        Refusal.ALREADY_DECIDED
    )


def test_the_clock_s_task_expires_what_is_due_and_twice_is_once(alice: Vault, cook: Assistant, admin: Any) -> None:
    wish = cook.ask("kitchen")
    admin.execute("UPDATE access_request SET expires_at = now() WHERE request_id = %s", [wish.request_id])
    at_once([expire_requests, expire_requests])
    assert len(alice.receipts(kind="request.expired")) == 1
    (receipt,) = alice.receipts(kind="request.expired")
    assert receipt.actor == "sys_clock"


# ---------------------------------------------------------------- cooling down
def test_a_no_cools_that_client_and_category_down(alice: Vault, cook: Assistant, clinic: Assistant) -> None:
    now = utc_now()
    wish = cook.ask("kitchen")
    access.decide(alice.holder, wish.request_id, {Category.ORDINARY: NO}, now)
    again = access.ask(cook.caller, [Asked(alice.ids["time"])], purpose=PURPOSE, now=now)
    assert again == Refused(Refusal.COOL_DOWN, until=now + timedelta(hours=24))
    assert cook.ask(categories=(Category.HEALTH,)), "another category"
    assert clinic.ask("kitchen"), "another client"
    later = access.ask(cook.caller, [Asked(alice.ids["time"])], purpose=PURPOSE, now=now + timedelta(hours=24))
    assert isinstance(later, AccessRequest)


def test_of_a_mixed_request_only_the_cooling_part_is_denied_as_it_is_filed(alice: Vault, cook: Assistant) -> None:
    first = cook.ask(categories=(Category.HEALTH,))
    access.decide(alice.holder, first.request_id, {Category.HEALTH: NO}, utc_now())
    wish = cook.ask("kitchen", categories=(Category.HEALTH,))
    assert {each.part.name: each.status for each in wish.parts} == {
        "ordinary": PartStatus.PENDING,
        "special:health": PartStatus.DENIED,
    }


def test_cooling_down_leaves_what_was_granted_before(alice: Vault, cook: Assistant) -> None:
    give(cook, "kitchen")
    wish = cook.ask("time")
    access.decide(alice.holder, wish.request_id, {Category.ORDINARY: NO}, utc_now())
    result = cook.read("kitchen", "time")
    assert [each.handed.memory_id for each in result.released] == [alice.ids["kitchen"]]
    assert [each.reason for each in result.withheld] == [Refusal.GRANT_DENIED]
