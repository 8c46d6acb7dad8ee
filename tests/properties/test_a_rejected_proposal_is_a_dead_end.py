"""A rejected proposal is a dead end: nothing brings it back, retries it or lets it be read, until the holder lifts it.

Protects the holder from being asked the same thing until they tire.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from apps.memories import services as memories
from apps.memories.tasks import expire_proposals
from apps.policy.types import Proposal, Refused
from apps.policy.vocabulary import ProposalStatus, Refusal
from tests.cast import Assistant, Vault, canary, register
from tests.properties.conftest import Surface
from vault.clock import utc_now


def rejected(alice: Vault, cook: Assistant, value: str) -> Proposal:
    made = memories.propose(cook.caller, label="Cooking city", value=value, now=utc_now())
    assert isinstance(made, Proposal)
    done = memories.reject(alice.holder, made.proposal_id, utc_now(), reason="Not so")
    assert isinstance(done, Proposal)
    return done


def test_said_again_on_any_surface_it_is_refused_and_asks_nobody(
    alice: Vault, cook: Assistant, surface: Surface
) -> None:
    value = canary()
    rejected(alice, cook, value)
    for _ in range(2):
        again = surface.client(cook).propose("Cooking city", value)
        assert not again and again.code == "already-rejected"
    assert memories.count_pending(alice.holder) == 0
    assert len(alice.receipts(kind="proposal.made")) == 1


SPELLED = ["COOKING CITY", "Cooking city!", "C\u043eoking city", "Cooking\u200b city"]


@pytest.mark.parametrize("label", SPELLED, ids=ascii)
def test_spelled_otherwise_it_is_the_same_on_any_surface(
    alice: Vault, cook: Assistant, surface: Surface, label: str
) -> None:
    value = canary()
    rejected(alice, cook, value)
    again = surface.client(cook).propose(label, value)
    assert not again and again.code == "already-rejected"
    assert memories.count_pending(alice.holder) == 0


DEEDS: dict[str, Callable[[Vault, Assistant, Proposal], Any]] = {
    "approve": lambda a, c, p: memories.approve(a.holder, p.proposal_id, now=utc_now()),
    "approve in other words": lambda a, c, p: memories.approve(a.holder, p.proposal_id, now=utc_now(), value="x"),
    "approve many": lambda a, c, p: memories.approve_many(a.holder, [(p.proposal_id, p.revision)], utc_now()),
    "rebase": lambda a, c, p: memories.rebase(a.holder, p.proposal_id, utc_now()),
    "undo": lambda a, c, p: memories.undo(a.holder, p.proposal_id, utc_now()),
    "withdraw": lambda a, c, p: memories.withdraw(c.caller, p.proposal_id, utc_now()),
    "the clock": lambda a, c, p: expire_proposals(),
    "thirty days": lambda a, c, p: memories.expire(a.id, [p.proposal_id], utc_now() + timedelta(days=31)),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_no_deed_brings_it_back(alice: Vault, cook: Assistant, deed: str) -> None:
    value = canary()
    no = rejected(alice, cook, value)
    before = alice.receipts()
    DEEDS[deed](alice, cook, no)
    assert alice.receipts() == before, "nothing was done"
    found = memories.proposal(alice.holder, no.proposal_id)
    assert found == no
    assert no.memory_id not in [each.memory_id for each in memories.memories(alice.holder)]
    assert memories.show_candidates(alice.holder, (no,)).values == (), "what it said is destroyed"
    assert memories.search(alice.id, alice.holder.actor, value, 50) == ()


def test_the_holder_alone_lifts_it_and_then_it_is_asked_again(alice: Vault, cook: Assistant, surface: Surface) -> None:
    value = canary()
    no = rejected(alice, cook, value)
    lifted = memories.lift(alice.holder, no.proposal_id, utc_now())
    assert isinstance(lifted, Proposal) and lifted.status is ProposalStatus.REJECTED
    again = surface.client(cook).propose("Cooking city", value)
    assert again and again.status == "pending"
    assert memories.count_pending(alice.holder) == 1


def test_what_one_client_was_refused_another_may_still_ask(alice: Vault, cook: Assistant) -> None:
    """A no to one is no word to all: the holder sees who asks."""
    value = canary()
    rejected(alice, cook, value)
    other = register(alice, "Planner")
    assert memories.propose(other.caller, label="Cooking city", value=value, now=utc_now())
    refused = memories.propose(cook.caller, label="Cooking city", value=value, now=utc_now())
    assert refused == Refused(Refusal.ALREADY_REJECTED)


def test_a_no_that_is_said_again_drops_nothing(alice: Vault, cook: Assistant) -> None:
    """The same again is the same answer; what it adds is done, with its receipt, or refused."""
    value = canary()
    done = rejected(alice, cook, value)
    for reason in ("", "Not so"):
        assert memories.reject(alice.holder, done.proposal_id, utc_now(), reason=reason) == done
    for more in ({}, {"again": True}):
        other = memories.reject(alice.holder, done.proposal_id, utc_now(), reason="For another reason", **more)
        assert other == Refused(Refusal.ALREADY_DECIDED)
    many = memories.reject_many(alice.holder, [(done.proposal_id, done.revision)], utc_now(), reason="Another")
    assert [(each.done.value, each.why) for each in many.items] == [("skipped", "already-decided")]
    again = memories.propose(cook.caller, label="Cooking city", value=value, now=utc_now())
    assert again == Refused(Refusal.ALREADY_REJECTED), "the control"

    for _ in range(2):
        lifted = memories.reject(alice.holder, done.proposal_id, utc_now(), reason="Not so", again=True)
        assert isinstance(lifted, Proposal) and lifted.lifted_at is not None and lifted.reason == "Not so"
    assert len(alice.receipts(kind="proposal.lifted")) == 1
    again = memories.propose(cook.caller, label="Cooking city", value=value, now=utc_now())
    assert isinstance(again, Proposal)
