"""A paused client is given nothing, also by a grant made meanwhile; an ended one waits for nothing, and stays ended."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest

from apps.access import services as access
from apps.ledger import services as ledger
from apps.memories import services as memories
from apps.policy.ids import typed, untyped
from apps.policy.types import AccessRequest, Asked, Caller, Refused
from apps.policy.vocabulary import Category, PartStatus, ProposalStatus, Purpose, Refusal
from tests.drivers import Http
from tests.fixtures import Household
from vault.clock import utc_now


def caller(home: Household) -> Caller:
    found = access.authenticate(home.key, utc_now())
    assert found is not None
    return found


def ask(home: Household) -> AccessRequest:
    wish = access.ask(caller(home), [Asked(_id(home.kitchen))], purpose=Purpose.ANSWER, now=utc_now())
    assert isinstance(wish, AccessRequest)
    return wish


def _id(text: str) -> UUID:
    found = untyped("mem", text)
    assert found is not None
    return found


def read(home: Household, key: str) -> access.ReadResult:
    found = access.read(
        caller(home), [_id(home.kitchen)], purpose=Purpose.ANSWER, idempotency_key=key, body_digest=key, now=utc_now()
    )
    assert isinstance(found, access.ReadResult)
    return found


def test_a_grant_made_while_its_client_is_paused_is_inert_until_it_is_resumed(home: Household) -> None:
    access.pause(home.holder, home.client.client_id, True)
    wish = ask(home)
    decision = access.Decision(frozenset([_id(home.kitchen)]), reads=5)
    access.decide(home.holder, wish.request_id, {Category.ORDINARY: decision}, utc_now())
    assert [each.reason for each in read(home, "while paused").withheld] == [Refusal.PAUSED]
    access.pause(home.holder, home.client.client_id, False)
    assert len(read(home, "resumed").released) == 1


def test_what_an_ended_client_asked_for_waits_no_longer(settle: Callable[[], Household]) -> None:
    home = settle()
    wish = ask(home)
    access.revoke(home.holder, home.client.client_id, utc_now())
    assert access.waiting(home.holder, utc_now()) == ()
    found = access.request(home.holder, wish.request_id)
    assert found is not None
    assert found.status is PartStatus.CANCELLED


def test_what_an_ended_client_proposed_is_taken_back_and_destroyed(home: Household) -> None:
    memories.propose(caller(home), label="Tea", value="Green tea", now=utc_now())
    access.revoke(home.holder, home.client.client_id, utc_now())
    assert memories.proposals(home.holder) == ()
    (gone,) = memories.proposals(home.holder, None)
    assert gone.status is ProposalStatus.WITHDRAWN
    assert memories.show_candidates(home.holder, (replace(gone, status=ProposalStatus.PENDING),)).values == ()


def test_a_client_may_not_fill_the_inbox(home: Household, settings: Any) -> None:
    settings.WISHES_PER_HOUR = 2
    wishes = [
        access.ask(caller(home), [Asked(_id(home.kitchen))], purpose=purpose, now=utc_now())
        for purpose in (Purpose.ANSWER, Purpose.CARE, Purpose.TRAVEL)
    ]
    offered = [memories.propose(caller(home), label=f"Tea {n}", value="Green", now=utc_now()) for n in range(3)]
    for third in (wishes[2], offered[2]):
        assert isinstance(third, Refused)
        assert third.reason is Refusal.RATE_LIMITED
    assert not any(isinstance(each, Refused) for each in (*wishes[:2], *offered[:2]))


@pytest.mark.parametrize("deed", ["pause", "resume", "local", "hosted", "keys"])
def test_a_client_that_was_stopped_stays_so(home: Household, deed: str) -> None:
    """Over the wire: a clear no, another one than for what there is not, and nothing on the record."""
    http, client = Http(holder=home.holder), typed("cli", home.client.client_id)
    http.call("POST", f"clients/{client}/pause")
    http.call("POST", f"clients/{client}/revoke")
    before = ledger.last_seq(home.holder.vault_id, home.holder.actor)
    told = http.send("POST", f"clients/{client}/{deed}").json()
    assert (told["status"], told["code"], told["title"]) == (409, "already-decided", "It was stopped")
    assert http.call("POST", f"clients/{typed('cli', uuid4())}/{deed}").code == "not-found"
    assert ledger.last_seq(home.holder.vault_id, home.holder.actor) == before
    assert http.call("POST", f"clients/{client}/revoke")["revoked_at"], "to stop it again changes nothing"
