"""Between the plan and the stamp the world may move: the rules are asked once more, and their answer is stamped."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pytest
from django.db import connections

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.vocabulary import Category, Refusal
from tests.cast import Assistant, Vault, canary, give, read_ids
from tests.threads import at_once
from vault.clock import utc_now


@contextmanager
def just_before_stamping(change: Callable[[], Any], times: int = 1) -> Iterator[None]:
    """Changes the world when the product is about to stamp a plan it has made."""
    left = [times]

    def watch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if "gate.stamp" in sql and left[0]:
            left[0] -= 1
            (done,) = at_once([change])
            assert not isinstance(done, Exception), done
        return execute(sql, params, many, context)

    with connections["gate"].execute_wrapper(watch):
        yield


def corrected(vault: Vault, value: str) -> object:
    """The memory that is read, with another value."""
    return memories.correct(vault.holder, vault.ids["kitchen"], value=value, now=utc_now())


def test_a_correction_is_handed_over_as_corrected(alice: Vault, cook: Assistant) -> None:
    give(cook, "kitchen", reads=2)
    new = canary()
    with just_before_stamping(lambda: corrected(alice, new)):
        result = cook.read("kitchen")
    assert [each.handed.value for each in result.released] == [new]
    assert [each.version for each in alice.receipts(kind="value.read")] == [2]
    (grant,) = access.grants(alice.holder)
    assert grant.reads_left == 1, "the plan that was stale spent nothing"


CHANGES: dict[str, tuple[Callable[[Vault, Assistant, Any], Any], Refusal]] = {
    "put away": (lambda v, c, g: memories.put_away(v.holder, v.ids["kitchen"], utc_now()), Refusal.NOT_FOUND),
    "revoked": (lambda v, c, g: access.revoke_grant(v.holder, g.grant_id, utc_now()), Refusal.GRANT_ENDED),
    "paused": (lambda v, c, g: access.pause(v.holder, c.client.client_id, True), Refusal.PAUSED),
    "made special": (
        lambda v, c, g: memories.correct(
            v.holder, v.ids["kitchen"], value="x", category=Category.HEALTH, now=utc_now()
        ),
        Refusal.NOT_FOUND,
    ),
    "spent elsewhere": (lambda v, c, g: c.read("kitchen"), Refusal.GRANT_SPENT),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_ended_is_refused_on_the_record_for_the_reason_that_holds_now(
    alice: Vault, cook: Assistant, change: str
) -> None:
    grant = give(cook, "kitchen", reads=1)
    deed, reason = CHANGES[change]
    with just_before_stamping(lambda: deed(alice, cook, grant)):
        result = cook.read("kitchen")
    assert result.released == []
    assert [each.reason for each in result.withheld] == [reason]
    assert alice.refusals() == [reason.value]


def test_what_keeps_moving_is_refused_as_stale(alice: Vault, cook: Assistant) -> None:
    give(cook, "kitchen", reads=1)
    with just_before_stamping(lambda: corrected(alice, canary()), times=2):
        result = cook.read("kitchen")
    assert [each.reason for each in result.withheld] == [Refusal.STALE]
    assert alice.refusals() == ["stale"]
    (grant,) = access.grants(alice.holder)
    assert grant.reads_left == 1
    assert cook.read("kitchen").released, "and once it stands still it is served"


def test_nothing_that_was_asked_is_forgotten_on_the_way(alice: Vault, cook: Assistant) -> None:
    """The unknown id and the refused one were in the stale plan too."""
    give(cook, "kitchen")
    nowhere = uuid4()
    with just_before_stamping(lambda: corrected(alice, "new")):
        result = read_ids(cook, [nowhere, alice.ids["kitchen"], alice.ids["time"], alice.ids["pills"]])
    assert [each.handed.value for each in result.released] == ["new"]
    assert {each.memory_id: each.reason for each in result.withheld} == {
        nowhere: Refusal.NOT_FOUND,
        alice.ids["pills"]: Refusal.NOT_FOUND,
        alice.ids["time"]: Refusal.GRANT_REQUIRED,
    }
    named = [each.memory_id for each in alice.receipts(kind="value.refused")]
    assert sorted(named, key=str) == sorted([None, None, alice.ids["time"]], key=str)


def test_a_stale_refusal_does_not_name_what_was_never_shown(alice: Vault, cook: Assistant) -> None:
    give(cook, "kitchen")
    with just_before_stamping(lambda: corrected(alice, canary()), times=2):
        read_ids(cook, [alice.ids["kitchen"], alice.ids["pills"]])
    assert alice.ids["pills"] not in [each.memory_id for each in alice.receipts(kind="value.refused")]


def test_of_two_grants_one_may_end_and_the_other_still_serves(alice: Vault, cook: Assistant) -> None:
    give(cook, "kitchen")
    other = give(cook, "time")
    with just_before_stamping(lambda: access.revoke_grant(alice.holder, other.grant_id, utc_now())):
        result = cook.read("kitchen", "time")
    assert [each.handed.memory_id for each in result.released] == [alice.ids["kitchen"]]
    assert [(each.memory_id, each.reason) for each in result.withheld] == [(alice.ids["time"], Refusal.GRANT_ENDED)]


def test_sent_again_it_is_one_hand_over_although_its_first_plan_was_stale(alice: Vault, cook: Assistant) -> None:
    give(cook, "kitchen", reads=5)
    with just_before_stamping(lambda: corrected(alice, "new")):
        first = cook.read("kitchen", key="the-same-key")
    again = cook.read("kitchen", key="the-same-key")
    assert again.replayed
    assert (again.first, again.last) == (first.first, first.last)
    assert len(alice.handed()) == 1
