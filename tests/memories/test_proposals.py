"""Proposals: the same one once, a rejected one never again, and what only the approver may say."""

from datetime import date
from typing import Any
from uuid import uuid4

import pytest

from apps.memories import services as memories
from apps.policy.text import TextProblem
from apps.policy.types import Proposal, Refused
from apps.policy.vocabulary import Category, Claim, ProposalStatus, Refusal
from tests.cast import Assistant, Vault
from vault.clock import utc_now


def propose(by: Assistant, value: str = "Porto", label: str = "City", **more: Any) -> Proposal | Refused:
    """A proposal by this client."""
    return memories.propose(by.caller, label=label, value=value, now=utc_now(), **more)


def test_it_is_listed_with_its_words_and_without_its_value(alice: Vault, cook: Assistant) -> None:
    made = propose(cook, "Zaubertrank", subject="home.city", rationale="You said so", as_of=date(2026, 11, 1))
    (waiting,) = memories.proposals(alice.holder)
    assert waiting == made
    assert (waiting.subject, waiting.rationale, waiting.as_of) == ("home.city", "You said so", date(2026, 11, 1))
    assert "Zaubertrank" not in repr(waiting)
    assert memories.count_pending(alice.holder) == 1
    assert memories.own_proposals(cook.caller) == (waiting,)


def test_the_same_words_again_are_the_same_proposal(alice: Vault, cook: Assistant) -> None:
    assert propose(cook) == propose(cook)
    assert len(alice.receipts(kind="proposal.made")) == 1


@pytest.mark.parametrize("changes", [{"value": "Faro"}, {"label": "Town"}, {"subject": "home.town"}], ids=str)
def test_other_words_are_another(alice: Vault, cook: Assistant, changes: dict[str, str]) -> None:
    propose(cook)
    propose(cook, **{"value": "Porto", **changes})
    assert memories.count_pending(alice.holder) == 2


def test_another_client_s_same_words_are_its_own(alice: Vault, cook: Assistant, clinic: Assistant) -> None:
    propose(cook)
    propose(clinic)
    assert memories.count_pending(alice.holder) == 2
    assert [each.client_id for each in memories.own_proposals(clinic.caller)] == [clinic.client.client_id]


def test_a_rejected_one_is_refused_and_its_candidate_is_gone(alice: Vault, cook: Assistant) -> None:
    made = propose(cook)
    assert isinstance(made, Proposal)
    assert memories.reject(alice.holder, made.proposal_id, utc_now())
    assert propose(cook) == Refused(Refusal.ALREADY_REJECTED)
    assert memories.approve(alice.holder, made.proposal_id, now=utc_now()) == Refused(Refusal.ALREADY_DECIDED)
    assert [each.status for each in memories.proposals(alice.holder, None)] == [ProposalStatus.REJECTED]


def test_an_approved_one_may_be_proposed_anew(alice: Vault, cook: Assistant) -> None:
    """The holder may have corrected it since; that they say it again is for the holder to see."""
    made = propose(cook)
    assert isinstance(made, Proposal)
    memories.approve(alice.holder, made.proposal_id, now=utc_now())
    again = propose(cook)
    assert isinstance(again, Proposal) and again.proposal_id != made.proposal_id


def test_approved_as_proposed_it_keeps_its_seal_and_says_where_it_came_from(alice: Vault, cook: Assistant) -> None:
    made = propose(cook)
    assert isinstance(made, Proposal)
    done = memories.approve(alice.holder, made.proposal_id, now=utc_now())
    assert not isinstance(done, Refused)
    assert (done.memory.version, done.memory.source) == (1, cook.actor)
    assert [each.value for each in memories.show(alice.holder, [done.memory.memory_id]).values] == ["Porto"]
    (receipt,) = alice.receipts(kind="proposal.approved")
    assert (receipt.memory_id, receipt.object) == (made.memory_id, f"prp_{made.proposal_id.hex}")


@pytest.mark.parametrize(
    "changes",
    [{"value": "Faro"}, {"category": Category.BELIEF}, {"claim": Claim.OVER_18}],
    ids=lambda it: next(iter(it)),
)
def test_approved_with_other_words_it_is_sealed_anew(alice: Vault, cook: Assistant, changes: dict[str, Any]) -> None:
    made = propose(cook)
    assert isinstance(made, Proposal)
    done = memories.approve(alice.holder, made.proposal_id, now=utc_now(), **changes)
    assert not isinstance(done, Refused)
    assert done.memory.version == 2
    (shown,) = memories.show(alice.holder, [done.memory.memory_id]).values
    assert shown.value == changes.get("value", "Porto")


def test_the_holder_s_own_label_and_subject_are_kept(alice: Vault, cook: Assistant) -> None:
    made = propose(cook)
    assert isinstance(made, Proposal)
    done = memories.approve(alice.holder, made.proposal_id, now=utc_now(), label="Home", subject="home.town")
    assert not isinstance(done, Refused)
    assert (done.memory.label, done.memory.subject) == ("Home", "home.town")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"label": ""}, "label"),
        ({"subject": "Not A Path"}, "subject"),
        ({"rationale": "x" * 501}, "rationale"),
        ({"rationale": "two\nlines"}, "rationale"),
        ({"value": " "}, "value"),
    ],
)
def test_a_text_that_cannot_be_kept_is_refused_by_name(
    alice: Vault, cook: Assistant, changes: dict[str, str], field: str
) -> None:
    with pytest.raises(TextProblem) as refused:
        propose(cook, **{"value": "Porto", **changes})
    assert refused.value.field == field
    assert memories.count_pending(alice.holder) == 0


def test_a_bad_word_at_approval_changes_nothing(alice: Vault, cook: Assistant) -> None:
    made = propose(cook)
    assert isinstance(made, Proposal)
    with pytest.raises(TextProblem):
        memories.approve(alice.holder, made.proposal_id, now=utc_now(), label="")
    assert memories.count_pending(alice.holder) == 1
    assert memories.approve(alice.holder, made.proposal_id, now=utc_now())


def test_an_unknown_one_is_not_found(alice: Vault) -> None:
    assert memories.approve(alice.holder, uuid4(), now=utc_now()) == Refused(Refusal.NOT_FOUND)
    assert memories.reject(alice.holder, uuid4(), utc_now()) == Refused(Refusal.NOT_FOUND)
