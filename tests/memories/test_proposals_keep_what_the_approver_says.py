"""Nothing that an approver says is dropped: it is done, or refused by its name and nothing changes."""

from typing import Any

import pytest

from apps.memories import services as memories
from apps.policy.text import TextProblem
from apps.policy.vocabulary import Category, Claim, Directive, ProposalStatus
from tests.cast import Assistant, Vault
from tests.memories.test_proposals_decided import add, approve, correct, propose, says
from vault.clock import utc_now


def refused_by_name(vault: Vault, made: Any, **words: Any) -> tuple[str, str]:
    with pytest.raises(TextProblem) as told:
        memories.approve(vault.holder, made.proposal_id, now=utc_now(), **words)
    found = memories.proposal(vault.holder, made.proposal_id)
    assert found is not None and found.status is ProposalStatus.PENDING
    return told.value.field, told.value.detail


@pytest.mark.parametrize("replaced", [True, False])
def test_a_correction_is_kept_local_where_its_approver_says_so(alice: Vault, cook: Assistant, replaced: bool) -> None:
    kitchen = alice.ids["kitchen"]
    made = add(cook, "A wood stove", "cooking.kitchen") if replaced else correct(cook, kitchen, "A wood stove")
    words = {"replaces": kitchen} if replaced else {}
    done = approve(alice, made, local_only=True, **words)
    assert done.memory is not None and done.memory.local_only
    kept = memories.memory(alice.holder, kitchen)
    assert kept is not None and kept.local_only
    kinds = [each.kind for each in alice.receipts()][-3:]
    assert kinds == ["memory.corrected", "memory.marked", "proposal.approved"]


def test_what_is_local_already_is_marked_no_second_time(alice: Vault, cook: Assistant) -> None:
    kitchen = alice.ids["kitchen"]
    memories.mark(alice.holder, kitchen, utc_now(), local_only=True)
    approve(alice, correct(cook, kitchen, "A wood stove"), local_only=True)
    assert len(alice.receipts(kind="memory.marked")) == 1


@pytest.mark.parametrize("replaced", [True, False])
def test_a_claim_on_a_correction_is_refused_by_name(alice: Vault, cook: Assistant, replaced: bool) -> None:
    kitchen = alice.ids["kitchen"]
    made = add(cook, "A wood stove", "cooking.kitchen") if replaced else correct(cook, kitchen, "A wood stove")
    words = {"replaces": kitchen} if replaced else {}
    field, _ = refused_by_name(alice, made, claim=next(iter(Claim)), **words)
    assert field == "claim"
    assert says(alice, kitchen) == alice.values["kitchen"]


def test_to_replace_under_another_subject_is_refused_and_both_ways_are_named(alice: Vault, cook: Assistant) -> None:
    kitchen = alice.ids["kitchen"]
    made = add(cook, "A camp stove", "cooking.kitchen")
    field, detail = refused_by_name(alice, made, replaces=kitchen, subject="camp.kitchen")
    assert field == "subject"
    assert "to correct yours" in detail and "to keep both" in detail
    assert says(alice, kitchen) == alice.values["kitchen"]
    approve(alice, made, replaces=kitchen, subject="cooking.kitchen")
    assert says(alice, kitchen) == "A camp stove"


@pytest.mark.parametrize(
    ("directive", "words", "field"),
    [
        (Directive.CORRECT, {"subject": "camp.kitchen"}, "subject"),
        (Directive.ERASE, {"local_only": True}, "local_only"),
        (Directive.ERASE, {"category": Category.HEALTH}, "category"),
        (Directive.REVERT, {"value": "Nothing"}, "value"),
    ],
)
def test_what_a_yes_cannot_do_is_refused_by_name(
    alice: Vault, cook: Assistant, directive: Directive, words: dict[str, Any], field: str
) -> None:
    value = {"value": "A wood stove"} if directive is Directive.CORRECT else {}
    memories.correct(alice.holder, alice.ids["kitchen"], value="A gas hob", now=utc_now())
    made = propose(cook, directive=directive, target=alice.ids["kitchen"], **value)
    assert refused_by_name(alice, made, **words)[0] == field


def label(vault: Vault, name: str) -> str:
    found = memories.memory(vault.holder, vault.ids[name])
    assert found is not None
    return found.label


def test_the_label_that_a_correction_proposes_is_kept(alice: Vault, cook: Assistant) -> None:
    approve(alice, correct(cook, alice.ids["kitchen"], label="What I cook on"))
    assert label(alice, "kitchen") == "What I cook on"
    made = correct(cook, alice.ids["time"], "Forty minutes", label="Patience")
    memories.approve_many(alice.holder, [(made.proposal_id, 1)], utc_now())
    assert label(alice, "time") == "Patience"


def test_a_correction_that_proposes_no_label_leaves_it(alice: Vault, cook: Assistant) -> None:
    kitchen = alice.ids["kitchen"]
    made = correct(cook, kitchen)
    memories.correct(alice.holder, kitchen, value="A gas hob", label="My hob", now=utc_now())
    memories.rebase(alice.holder, made.proposal_id, utc_now())
    approve(alice, made)
    assert label(alice, "kitchen") == "My hob"


@pytest.mark.parametrize("typed", ["", "My stove"])
def test_what_is_corrected_by_an_addition_keeps_its_label_unless_the_approver_says_one(
    alice: Vault, cook: Assistant, typed: str
) -> None:
    was = label(alice, "kitchen")
    made = add(cook, "A wood stove", "cooking.kitchen", label="Stove")
    approve(alice, made, replaces=alice.ids["kitchen"], **({"label": typed} if typed else {}))
    assert label(alice, "kitchen") == (typed or was)
    assert says(alice, alice.ids["kitchen"]) == "A wood stove"


def test_the_neutral_label_of_a_special_one_never_becomes_its_own(alice: Vault, cook: Assistant) -> None:
    special = alice.keep("pills", "Two a day", category=Category.HEALTH, label="Blood pressure")
    made = correct(cook, special, "Three a day")
    approve(alice, made)
    found = memories.memory(alice.holder, special)
    assert found is not None and found.label == "Blood pressure"
