"""The same proposal is known again, however it is written: a no is not asked around with a blank."""

from typing import Any
from uuid import UUID

import pytest

from apps.memories import services as memories
from apps.policy.types import Proposal, Refused
from apps.policy.vocabulary import Directive, MarkKind, ProposalStatus, Refusal
from tests.cast import Assistant, Vault
from vault.clock import utc_now

ADDED = {"label": "Home town", "value": "Porto by the river", "subject": "home.city"}
AGAIN = [
    {},
    {"value": "Porto by the river "},
    {"value": "Porto  by the river"},
    {"value": "porto by the river."},
    {"label": " Home  town "},
]


def propose(by: Assistant, **words: Any) -> Proposal | Refused:
    named = [words[name] for name in ("target", "other") if name in words]
    return memories.propose(by.caller, now=utc_now(), known=named, **words)


def made(by: Assistant, **words: Any) -> Proposal:
    done = propose(by, **words)
    assert isinstance(done, Proposal), done
    return done


def correct(by: Assistant, target: UUID, **words: Any) -> Proposal | Refused:
    return propose(by, **{"directive": Directive.CORRECT, "target": target, "value": "An induction hob", **words})


@pytest.mark.parametrize("other", AGAIN)
def test_a_rejected_one_written_otherwise_is_refused(alice: Vault, cook: Assistant, other: dict[str, str]) -> None:
    memories.reject(alice.holder, made(cook, **ADDED).proposal_id, utc_now())
    assert propose(cook, **{**ADDED, **other}) == Refused(Refusal.ALREADY_REJECTED)


def test_a_pending_one_written_otherwise_is_the_same(alice: Vault, cook: Assistant) -> None:
    first = made(cook, **ADDED)
    assert {made(cook, **{**ADDED, **other}).proposal_id for other in AGAIN} == {first.proposal_id}


def test_another_value_is_another_proposal(alice: Vault, cook: Assistant) -> None:
    memories.reject(alice.holder, made(cook, **ADDED).proposal_id, utc_now())
    assert isinstance(propose(cook, **{**ADDED, "value": "Faro by the river"}), Proposal)


def test_a_correction_that_says_beside_it_what_holds_already_is_the_same(alice: Vault, cook: Assistant) -> None:
    target = alice.ids["kitchen"]
    memories.correct(alice.holder, target, value="A gas hob, two rings", now=utc_now(), valid_from="2020-05-01")
    kept = memories.memory(alice.holder, target)
    first = correct(cook, target)
    assert kept is not None and isinstance(first, Proposal)
    memories.reject(alice.holder, first.proposal_id, utc_now())
    for words in ({"label": kept.label}, {"label": f" {kept.label} "}):
        assert correct(cook, target, **words) == Refused(Refusal.ALREADY_REJECTED), words
    assert isinstance(correct(cook, target, valid_from="2021-05-01"), Proposal)


def test_what_a_client_was_not_shown_does_not_make_it_the_same_and_asks_nobody_again(
    alice: Vault, cook: Assistant
) -> None:
    target = alice.ids["kitchen"]
    memories.correct(alice.holder, target, value="A gas hob, two rings", now=utc_now(), valid_from="2020-05-01")
    first = correct(cook, target)
    assert isinstance(first, Proposal)
    memories.reject(alice.holder, first.proposal_id, utc_now())
    same, other = (correct(cook, target, valid_from=day) for day in ("2020-05-01", "2021-05-01"))
    assert isinstance(same, Proposal) and isinstance(other, Proposal)
    assert [each.proposal_id for each in memories.proposals(alice.holder)] == [other.proposal_id]
    assert [each.how for each in alice.noticed(same).marked(MarkKind.VOID)] == ["turned-down"]
    for each in (same, other):
        seen = memories.own_proposal(cook.caller, each.proposal_id)
        assert seen is not None and seen.status is ProposalStatus.PENDING


def test_a_label_that_is_not_shown_is_not_found_by_guessing_it(alice: Vault, cook: Assistant) -> None:
    pills = alice.ids["pills"]
    plain = correct(cook, pills)
    guessed, missed = (correct(cook, pills, label=label) for label in (alice.labels["pills"], "Something else"))
    assert isinstance(plain, Proposal) and isinstance(guessed, Proposal) and isinstance(missed, Proposal)
    assert len({plain.proposal_id, guessed.proposal_id, missed.proposal_id}) == 3


def test_one_that_stands_says_so_and_nothing_of_it_is_changed(alice: Vault, cook: Assistant) -> None:
    first = made(cook, **ADDED, rationale="You said so", evidence=["a letter"])
    again = made(cook, **ADDED, rationale="You said so twice", evidence=["another letter"])
    assert again.again and not first.again
    kept = alice.noticed(first)
    assert (kept.rationale, kept.evidence, kept.revision) == ("You said so", ("a letter",), first.revision)
    assert len(alice.receipts(kind="proposal.made")) == 1
