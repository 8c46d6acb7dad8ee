"""What ends by the clock ends once, on the record: a grant past its time, and one that nobody used."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.test.utils import CaptureQueriesContext

from apps.access import services as access
from apps.access.tasks import expire_grants, lapse_grants
from apps.policy.types import Grant
from apps.policy.vocabulary import GrantState, Refusal
from apps.turns import services as turns
from tests.cast import QUESTION, Assistant, Vault, give
from tests.holders.people import settle
from tests.threads import at_once
from vault.clock import utc_now

LONG = timedelta(days=300)


def aged(admin: Any, grant: Grant, days: int) -> None:
    """Make it `days` older than it is."""
    admin.execute(
        "UPDATE access_grant SET made_at = made_at - %s * interval '1 day', last_used_at = last_used_at"
        " - %s * interval '1 day' WHERE grant_id = %s",
        [days, days, grant.grant_id],
    )


def state(alice: Vault, grant: Grant) -> GrantState:
    found = access.grant(alice.holder, grant.grant_id)
    assert found
    return access.state_of(found, utc_now())


def test_unused_for_ninety_days_it_lapses_once_whoever_asks_how_often(
    alice: Vault, cook: Assistant, admin: Any
) -> None:
    grant = give(cook, "kitchen", until=utc_now() + LONG)
    aged(admin, grant, 90)
    at_once([lapse_grants] * 4)
    lapse_grants()
    (receipt,) = alice.receipts(kind="grant.lapsed")
    assert (receipt.actor, receipt.object) == ("sys_clock", f"gra_{grant.grant_id.hex}")
    assert state(alice, grant) is GrantState.LAPSED
    assert [each.grant_id for each in access.lapsed(alice.holder, utc_now())] == [grant.grant_id]
    assert cook.read("kitchen").withheld[0].reason is Refusal.GRANT_ENDED
    aged(admin, grant, 300)
    expire_grants()
    assert alice.receipts(kind="grant.expired") == (), "it ended once"


def test_a_day_less_or_a_read_since_keeps_it(alice: Vault, cook: Assistant, admin: Any) -> None:
    unused, used = (give(cook, name, until=utc_now() + LONG) for name in ("kitchen", "time"))
    aged(admin, unused, 89)
    aged(admin, used, 200)
    cook.read("time")
    lapse_grants()
    assert alice.receipts(kind="grant.lapsed") == ()
    assert state(alice, used) is GrantState.LIVE


def test_what_is_paused_lapses_and_what_ended_otherwise_does_not(
    alice: Vault, cook: Assistant, clinic: Assistant, admin: Any
) -> None:
    spent = give(cook, "kitchen", until=utc_now() + LONG, reads=1)
    cook.read("kitchen")
    revoked = give(cook, "time", until=utc_now() + LONG)
    access.revoke_grant(alice.holder, revoked.grant_id, utc_now())
    paused = give(clinic, "kitchen", until=utc_now() + LONG)
    access.pause(alice.holder, clinic.client.client_id, True)
    for each in (spent, revoked, paused):
        aged(admin, each, 91)
    lapse_grants()
    assert [each.object for each in alice.receipts(kind="grant.lapsed")] == [f"gra_{paused.grant_id.hex}"]
    assert state(alice, spent) is GrantState.SPENT
    assert state(alice, revoked) is GrantState.REVOKED


def test_the_days_are_those_it_was_given_under(alice: Vault, cook: Assistant, admin: Any) -> None:
    settle(alice.holder, lapse_days=7)
    short = give(cook, "kitchen", until=utc_now() + LONG)
    settle(alice.holder, lapse_days=90)
    long = give(cook, "time", until=utc_now() + LONG)
    for each in (short, long):
        aged(admin, each, 8)
    lapse_grants()
    assert (state(alice, short), state(alice, long)) == (GrantState.LAPSED, GrantState.LIVE)


def test_the_end_of_its_time_is_written_down_once(alice: Vault, cook: Assistant, admin: Any) -> None:
    grant = give(cook, "kitchen")
    expire_grants()
    assert alice.receipts(kind="grant.expired") == ()
    admin.execute("UPDATE access_grant SET expires_at = now() WHERE grant_id = %s", [grant.grant_id])
    at_once([expire_grants] * 4)
    expire_grants()
    (receipt,) = alice.receipts(kind="grant.expired")
    assert (receipt.actor, receipt.object) == ("sys_clock", f"gra_{grant.grant_id.hex}")
    assert state(alice, grant) is GrantState.EXPIRED


def test_the_chat_s_own_grants_leave_no_such_lines(alice: Vault, admin: Any) -> None:
    turn = turns.ask(alice.holder, QUESTION, utc_now())
    turns.decide(alice.holder, turn.turn_id, ordinary=frozenset({alice.ids["kitchen"]}), now=utc_now())
    admin.execute(
        "UPDATE access_grant SET expires_at = now(), made_at = now() - interval '1 year' WHERE vault_id = %s",
        [alice.id],
    )
    assert alice.receipts(kind="grant.made"), "the control"
    expire_grants()
    lapse_grants()
    assert alice.receipts(kind="grant.expired") + alice.receipts(kind="grant.lapsed") == ()


@pytest.mark.parametrize("deed", ["revoke", "narrow", "read"])
def test_a_worker_and_the_holder_at_once_end_it_once(alice: Vault, cook: Assistant, admin: Any, deed: str) -> None:
    """Whoever is first: at most one end on the record, and nothing is served after it."""
    grant = give(cook, "kitchen", until=utc_now() + LONG, reads=9)
    aged(admin, grant, 91)
    deeds = {
        "revoke": lambda: access.revoke_grant(alice.holder, grant.grant_id, utc_now()),
        "narrow": lambda: access.narrow(alice.holder, grant.grant_id, access.Narrower(reads=1), utc_now()),
        "read": lambda: cook.read("kitchen"),
    }
    done = at_once([lapse_grants, deeds[deed]])
    assert not [each for each in done if isinstance(each, Exception)], done
    ends = alice.receipts(kind="grant.lapsed") + alice.receipts(kind="grant.revoked")
    assert len(ends) == (0 if deed == "read" and alice.handed() else 1)
    assert bool(cook.read("kitchen").released) is not bool(ends)


def test_ending_a_client_is_one_statement_and_one_receipt_however_much_it_has(alice: Vault, cook: Assistant) -> None:
    for _ in range(3):
        give(cook, "kitchen")
    cook.ask("time")
    before = len(alice.receipts())
    with CaptureQueriesContext(connections["default"]) as seen:
        assert access.revoke(alice.holder, cook.client.client_id, utc_now())
    touching = [each["sql"] for each in seen.captured_queries if "access_grant" in each["sql"]]
    assert len([each for each in touching if not each.startswith("SELECT")]) == 1
    assert len(touching) == 2  # and one that counts, for the letter
    assert [each.kind for each in alice.receipts()[before:]] == ["client.revoked"]
    assert {access.state_of(each, utc_now()) for each in access.grants(alice.holder)} == {GrantState.REVOKED}
    assert access.waiting(alice.holder, utc_now()) == ()
