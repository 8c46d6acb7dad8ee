"""A grant ends by time, by count and by revocation: the very next read is refused, and never one read too many.

Protects the holder who said "once", "until Friday" or "stop".
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from apps.access import services as access
from apps.access.services import ReadResult
from apps.access.tasks import lapse_grants
from apps.policy.text import TextProblem
from apps.policy.types import Grant, Refused
from apps.policy.vocabulary import Category, Refusal
from apps.turns import services as turns
from tests.cast import QUESTION, Assistant, Vault, give, register
from tests.properties.conftest import Surface
from tests.properties.test_a_receipt_is_committed_before_its_value_leaves import just_before_taking
from tests.threads import at_once
from vault.clock import utc_now


def by_time(admin: Any, alice: Vault, cook: Assistant, grant: Grant) -> None:
    admin.execute("UPDATE access_grant SET expires_at = now() WHERE grant_id = %s", [grant.grant_id])


def by_count(admin: Any, alice: Vault, cook: Assistant, grant: Grant) -> None:
    for _ in range(grant.reads_left or 0):
        assert cook.read("kitchen").released


def by_revocation(admin: Any, alice: Vault, cook: Assistant, grant: Grant) -> None:
    assert access.revoke_grant(alice.holder, grant.grant_id, utc_now())


def by_pause(admin: Any, alice: Vault, cook: Assistant, grant: Grant) -> None:
    assert access.pause(alice.holder, cook.client.client_id, True)


def by_lapsing(admin: Any, alice: Vault, cook: Assistant, grant: Grant) -> None:
    admin.execute(
        "UPDATE access_grant SET last_used_at = now() - interval '90 days', expires_at = now() + interval '90 days'"
        " WHERE grant_id = %s",
        [grant.grant_id],
    )
    lapse_grants()


WAYS = {
    by_time: "grant-ended",
    by_count: "grant-spent",
    by_revocation: "grant-ended",
    by_pause: "paused",
    by_lapsing: "grant-ended",
}


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_it_serves_until_it_ends_and_not_once_more(
    alice: Vault, cook: Assistant, admin: Any, surface: Surface, way: Callable[..., None]
) -> None:
    grant = give(cook, "kitchen", reads=2)
    client = surface.client(cook)
    assert client.read([alice.mem("kitchen")])
    grant = access.grant(alice.holder, grant.grant_id) or grant
    way(admin, alice, cook, grant)
    served = len(alice.handed())
    got = client.read([alice.mem("kitchen")])
    assert not got or (got.handed, got.withheld) == ((), {alice.mem("kitchen"): WAYS[way]})
    assert alice.refusals() == [WAYS[way]], "the no is on the record"
    assert len(alice.handed()) == served


def test_the_last_moment_counts_and_the_end_does_not(alice: Vault, cook: Assistant) -> None:
    now = utc_now()
    grant = give(cook, "kitchen", until=now + timedelta(minutes=10), now=now)
    assert grant.expires_at == now + timedelta(minutes=10)
    assert cook.read("kitchen", now=grant.expires_at - timedelta(microseconds=1)).released
    assert cook.read("kitchen", now=grant.expires_at).withheld[0].reason is Refusal.GRANT_ENDED


def test_the_database_s_clock_has_the_last_word(alice: Vault, cook: Assistant, admin: Any) -> None:
    """A web server whose clock runs late does not lengthen a grant."""
    grant = give(cook, "kitchen")
    by_time(admin, alice, cook, grant)
    result = cook.read("kitchen", now=utc_now() - timedelta(hours=1))
    assert not result.released
    assert alice.handed() == []


def test_a_year_is_the_longest(alice: Vault, cook: Assistant) -> None:
    now = utc_now()
    longest = now + timedelta(days=366)
    assert give(cook, "kitchen", until=longest, now=now).expires_at == longest
    with pytest.raises(TextProblem, match="366 days at most"):
        give(cook, "time", until=longest + timedelta(microseconds=1), now=now)
    assert len(access.grants(alice.holder)) == 1


@pytest.mark.parametrize("reads", [1, 3])
def test_many_at_once_get_no_more_than_was_given(alice: Vault, cook: Assistant, reads: int) -> None:
    grant = give(cook, "kitchen", reads=reads)
    caller = cook.caller
    assert caller
    results = at_once([lambda: cook.read("kitchen")] * 8)
    served = [each for each in results if isinstance(each, ReadResult) and each.released]
    assert all(isinstance(each, ReadResult) for each in results), results
    assert len(served) == reads == len(alice.handed())
    left = access.grant(alice.holder, grant.grant_id)
    assert left and left.reads_left == 0


def test_a_stamp_in_flight_is_not_released_after_a_revocation(alice: Vault, cook: Assistant) -> None:
    grant = give(cook, "kitchen")

    def revoke() -> None:
        at_once([lambda: access.revoke_grant(alice.holder, grant.grant_id, utc_now())])

    with just_before_taking(revoke):
        result = cook.read("kitchen")
    assert result.released == []
    assert [each.reason for each in result.withheld] == [Refusal.GRANT_ENDED]
    assert alice.refusals() == ["grant-ended"], "what was stamped and not released is refused on the record"


@pytest.mark.parametrize("less", [{"reads": 1}, {"until": timedelta(minutes=30)}, {"memory_ids": "time"}], ids=str)
def test_a_stamp_in_flight_is_not_released_after_a_narrowing(
    alice: Vault, cook: Assistant, less: dict[str, Any]
) -> None:
    """What was stamped under wider terms stays; the same read again is served under those that hold."""
    grant = give(cook, "kitchen", "time", reads=5)
    wish = access.Narrower(
        until=utc_now() + less["until"] if "until" in less else None,
        reads=less.get("reads"),
        memory_ids=frozenset({alice.ids["time"]}) if "memory_ids" in less else None,
    )
    with just_before_taking(lambda: at_once([lambda: access.narrow(alice.holder, grant.grant_id, wish, utc_now())])):
        assert cook.read("kitchen").released == []
    assert bool(cook.read("kitchen").released) is ("memory_ids" not in less)


def test_it_only_becomes_less_and_is_served_to_its_new_end_and_not_once_more(
    alice: Vault, cook: Assistant, surface: Surface
) -> None:
    grant = give(cook, "kitchen", "time", reads=5)
    client, now = surface.client(cook), utc_now()
    for wider in (
        access.Narrower(reads=6),
        access.Narrower(until=grant.expires_at + timedelta(seconds=1)),
        access.Narrower(memory_ids=frozenset()),
    ):
        assert not access.narrow(alice.holder, grant.grant_id, wider, now)
    kitchen = access.Narrower(reads=2, memory_ids=frozenset({alice.ids["kitchen"]}))
    assert access.narrow(alice.holder, grant.grant_id, kitchen, now)
    got = client.read([alice.mem("time")])
    assert not got or got.withheld == {alice.mem("time"): "grant-required"}
    assert [bool((got := client.read([alice.mem("kitchen")])) and got.handed) for _ in range(3)] == [True, True, False]
    assert len(alice.receipts(kind="grant.narrowed")) == 1


def test_a_repeated_send_is_no_way_around_a_revocation(alice: Vault, cook: Assistant, surface: Surface) -> None:
    grant = give(cook, "kitchen", reads=1)
    client = surface.client(cook)
    assert client.read([alice.mem("kitchen")], key="the-same-key")
    again = client.read([alice.mem("kitchen")], key="the-same-key")
    assert again and again.handed and again.replayed
    access.revoke_grant(alice.holder, grant.grant_id, utc_now())
    for _ in range(2):
        after = client.read([alice.mem("kitchen")], key="the-same-key")
        assert not after or after.handed == ()
    assert alice.refusals() == ["grant-ended"], "refused on the record, once"


def test_ending_a_client_ends_its_keys_and_grants(alice: Vault, cook: Assistant, surface: Surface) -> None:
    give(cook, "kitchen")
    client = surface.client(cook)
    assert client.read([alice.mem("kitchen")])
    assert access.revoke(alice.holder, cook.client.client_id, utc_now())
    for got in (client.read([alice.mem("kitchen")]), client.subjects(), client.ask([alice.mem("kitchen")])):
        assert not got and got.code == "unauthenticated"
    assert {each.revoked_at is None for each in access.grants(alice.holder)} == {False}


def test_one_key_ends_and_the_other_goes_on(alice: Vault, cook: Assistant, surface: Surface) -> None:
    give(cook, "kitchen")
    made = access.make_key(alice.holder, cook.client.client_id, utc_now())
    assert not isinstance(made, Refused)
    (old,) = [each for each in access.keys(alice.holder) if cook.key.startswith(each.prefix)]
    access.revoke_key(alice.holder, old.key_id, utc_now())
    assert not surface.client(cook).subjects()
    assert surface.client(replace(cook, key=made[1])).read([alice.mem("kitchen")])


def test_a_pause_is_lifted_and_a_revocation_is_not(alice: Vault, cook: Assistant, surface: Surface) -> None:
    client = surface.client(cook)
    grant = give(cook, "kitchen")
    access.pause(alice.holder, cook.client.client_id, True)
    access.pause(alice.holder, cook.client.client_id, False)
    assert client.read([alice.mem("kitchen")])
    access.revoke_grant(alice.holder, grant.grant_id, utc_now())
    access.pause(alice.holder, cook.client.client_id, True)
    access.pause(alice.holder, cook.client.client_id, False)
    got = client.read([alice.mem("kitchen")])
    assert not got or not got.handed


def test_it_is_one_client_s_for_one_purpose(alice: Vault, cook: Assistant, clinic: Assistant, surface: Surface) -> None:
    give(cook, "kitchen")
    theirs = surface.client(clinic).read([alice.mem("kitchen")])
    assert not theirs or theirs.withheld == {alice.mem("kitchen"): "grant-required"}
    other = surface.client(cook).read([alice.mem("kitchen")], purpose="travel")
    assert not other or other.withheld == {alice.mem("kitchen"): "purpose-mismatch"}
    assert alice.handed() == []


def test_it_is_a_chosen_set_and_does_not_grow(alice: Vault, cook: Assistant, surface: Surface) -> None:
    give(cook, "pills")
    alice.keep("allergy", label="Allergy", category=Category.HEALTH)
    got = surface.client(cook).read([alice.mem("allergy")])
    assert not got or not got.handed


def test_the_chat_s_grant_is_for_its_turn_alone(alice: Vault) -> None:
    """Asking the same again asks the holder again."""
    chosen = frozenset({alice.ids["kitchen"]})
    first = turns.ask(alice.holder, QUESTION, utc_now())
    second = turns.ask(alice.holder, QUESTION, utc_now())
    turns.decide(alice.holder, first.turn_id, ordinary=chosen, now=utc_now())
    assert list(turns.answer(alice.holder, second.turn_id, utc_now())) == []
    turns.decide(alice.holder, second.turn_id, ordinary=frozenset(), now=utc_now())
    list(turns.answer(alice.holder, second.turn_id, utc_now()))
    assert alice.handed() == []


def test_a_newly_registered_client_starts_with_nothing(alice: Vault, cook: Assistant, surface: Surface) -> None:
    give(cook, "kitchen")
    got = surface.client(register(alice, "Cook")).read([alice.mem("kitchen")])
    assert not got or not got.handed
