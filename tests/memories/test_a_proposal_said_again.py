"""The same proposal is known again, however it is written: a no is not asked around with a blank."""

from typing import Any
from uuid import UUID

import pytest

from apps.memories import services as memories
from apps.policy.types import Proposal, Refused
from apps.policy.vocabulary import Directive, Refusal
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
    for words in ({"label": kept.label}, {"label": f" {kept.label} "}, {"valid_from": "2020-05-01"}):
        assert correct(cook, target, **words) == Refused(Refusal.ALREADY_REJECTED), words
    assert isinstance(correct(cook, target, valid_from="2021-05-01"), Proposal)
