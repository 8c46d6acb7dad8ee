"""The same proposal is known again, however it is written: a no is not asked around with a blank."""

from typing import Any
from uuid import UUID

import psycopg
import pytest

from apps.memories import services as memories
from apps.policy.types import Proposal, Refused
from apps.policy.vocabulary import Directive, Refusal
from tests.cast import Assistant, Vault
from tests.memories.proposing import made, propose
from vault.clock import utc_now

ADDED = {"label": "Home town", "value": "Porto by the river", "subject": "home.city"}
AGAIN = [
    {},
    {"value": "Porto by the river "},
    {"value": "Porto  by the river"},
    {"value": "porto by the river."},
    {"label": " Home  town "},
]


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


@pytest.mark.parametrize("label", ["HOME TOWN", "Home town!", "Home t\u043ewn", "Home\u200b town", "Where you live"])
def test_a_no_is_to_what_would_be_kept_and_not_to_how_its_label_is_spelled(
    alice: Vault, cook: Assistant, label: str
) -> None:
    memories.reject(alice.holder, made(cook, **ADDED).proposal_id, utc_now())
    assert propose(cook, **{**ADDED, "label": label}) == Refused(Refusal.ALREADY_REJECTED)


@pytest.mark.parametrize("label", ["HOME TOWN", "Home town!", "Home t\u043ewn", "Home\u200b town"])
def test_a_label_read_alike_names_the_same_subject(alice: Vault, cook: Assistant, label: str) -> None:
    plain = {"label": "Home town", "value": "Porto by the river"}
    memories.reject(alice.holder, made(cook, **plain).proposal_id, utc_now())
    assert propose(cook, **{**plain, "label": label}) == Refused(Refusal.ALREADY_REJECTED)


@pytest.mark.parametrize(
    "words",
    [
        {"valid_from": "2020-05-01"},
        {"valid_from": "2021-05-01"},
        {"valid_to": "2030-01-01"},
        {"changed": True},
        {"label": "Cooking"},
        {"label": "Cooking", "changed": True, "valid_from": "2021-05-01"},
    ],
    ids=str,
)
def test_a_no_to_a_correction_is_to_what_would_be_kept_however_it_is_dated(
    alice: Vault, cook: Assistant, words: dict[str, Any]
) -> None:
    target = alice.ids["kitchen"]
    memories.correct(alice.holder, target, value="A gas hob, two rings", now=utc_now(), valid_from="2020-05-01")
    first = correct(cook, target)
    assert isinstance(first, Proposal)
    memories.reject(alice.holder, first.proposal_id, utc_now())
    assert correct(cook, target, **words) == Refused(Refusal.ALREADY_REJECTED)


def test_a_no_to_a_correction_is_none_to_be_asked_round_by_an_addition_nor_the_other_way(
    alice: Vault, cook: Assistant
) -> None:
    target, kept = alice.ids["kitchen"], memories.memory(alice.holder, alice.ids["kitchen"])
    assert kept is not None
    no = correct(cook, target)
    assert isinstance(no, Proposal)
    memories.reject(alice.holder, no.proposal_id, utc_now())
    added = {"label": "Cooking", "value": "An induction  HOB", "subject": kept.subject}
    assert propose(cook, **added) == Refused(Refusal.ALREADY_REJECTED)
    other = made(cook, **{**added, "value": "A camping stove"})
    memories.reject(alice.holder, other.proposal_id, utc_now())
    assert correct(cook, target, value="a camping stove.") == Refused(Refusal.ALREADY_REJECTED)


def test_a_no_holds_where_the_memory_was_moved(alice: Vault, cook: Assistant) -> None:
    no = correct(cook, alice.ids["kitchen"])
    assert isinstance(no, Proposal)
    memories.reject(alice.holder, no.proposal_id, utc_now())
    assert memories.rescope(alice.holder, alice.ids["kitchen"], "somewhere.else", utc_now())
    assert correct(cook, alice.ids["kitchen"], changed=True) == Refused(Refusal.ALREADY_REJECTED)


def test_a_no_about_one_memory_is_none_about_another(alice: Vault, cook: Assistant) -> None:
    no = correct(cook, alice.ids["kitchen"])
    assert isinstance(no, Proposal)
    memories.reject(alice.holder, no.proposal_id, utc_now())
    assert isinstance(correct(cook, alice.ids["time"]), Proposal)
    assert isinstance(correct(cook, alice.ids["pills"]), Proposal)


def test_a_second_one_that_was_taken_back_does_not_hide_the_no(alice: Vault, cook: Assistant) -> None:
    target = alice.ids["kitchen"]
    first, second = correct(cook, target), correct(cook, target, changed=True)
    assert isinstance(first, Proposal) and isinstance(second, Proposal)
    assert first.proposal_id != second.proposal_id, "while nobody said no, another date is another suggestion"
    memories.reject(alice.holder, first.proposal_id, utc_now())
    memories.withdraw(cook.caller, second.proposal_id, utc_now())
    assert correct(cook, target, changed=True) == Refused(Refusal.ALREADY_REJECTED)
    assert correct(cook, target, valid_from="2021-05-01") == Refused(Refusal.ALREADY_REJECTED)


def test_what_was_lifted_may_be_proposed_though_it_was_rejected_with_another_date_too(
    alice: Vault, cook: Assistant
) -> None:
    target = alice.ids["kitchen"]
    first, second = correct(cook, target), correct(cook, target, changed=True)
    assert isinstance(first, Proposal) and isinstance(second, Proposal)
    for each in (first, second):
        memories.reject(alice.holder, each.proposal_id, utc_now())
    memories.lift(alice.holder, first.proposal_id, utc_now())
    assert correct(cook, target, changed=True) == Refused(Refusal.ALREADY_REJECTED)
    assert isinstance(correct(cook, target), Proposal)


def test_a_no_from_before_gists_were_kept_is_known_by_all_that_it_says(
    alice: Vault, cook: Assistant, admin: psycopg.Connection
) -> None:
    for said in ({**ADDED}, {"directive": Directive.CORRECT, "target": alice.ids["kitchen"], "value": "A wok"}):
        old = made(cook, **said)
        memories.reject(alice.holder, old.proposal_id, utc_now())
        admin.execute(
            "UPDATE proposal SET fingerprint = decode(candidate->>'said', 'hex'), candidate = candidate - 'said'"
            " WHERE proposal_id = %s",
            [old.proposal_id],
        )
        assert propose(cook, **said) == Refused(Refusal.ALREADY_REJECTED)


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
