"""A text that was proposed and approved in other words comes back marked, never in bulk, never as it was."""

from typing import Any
from uuid import UUID

import pytest

from apps.memories import services as memories
from apps.policy.types import Proposal, Refused
from apps.policy.vocabulary import Category, Directive, MarkKind, ProposalStatus, Refusal
from tests.cast import Assistant, Vault
from tests.memories.proposing import made
from vault.clock import utc_now

ADDED = {"label": "Home town", "value": "Porto by the river", "subject": "home.city"}
HELD: list[dict[str, Any]] = [{}, {"category": Category.HEALTH}]


def edited(vault: Vault, proposal: Proposal, value: str = "Faro by the sea", **words: Any) -> UUID:
    done = memories.approve(vault.holder, proposal.proposal_id, now=utc_now(), value=value, **words)
    assert isinstance(done, memories.Approved) and done.memory is not None, done
    return done.memory.memory_id


@pytest.mark.parametrize("words", HELD)
def test_the_same_again_asks_nobody_and_its_client_is_told_what_it_is_told_after_a_plain_yes(
    alice: Vault, cook: Assistant, words: dict[str, Any]
) -> None:
    """That the holder kept other words is theirs to know: to its client each waits, as one that was approved as it was
    waits when it is said again. The holder is not asked.
    """
    plain = {"label": "Work", "value": "Braga in the hills", "subject": "work.city"}
    memories.approve(alice.holder, made(cook, **plain).proposal_id, now=utc_now())
    edited(alice, made(cook, **ADDED), **words)
    for said in (plain, ADDED):
        again = made(cook, **said)
        assert (again.status, again.again) == (ProposalStatus.PENDING, False)
        assert made(cook, **said).again
    assert made(cook, **{**ADDED, "value": "porto  by the river."}).again
    asked = [each.label for each in memories.proposals(alice.holder)]
    assert asked == ["Work"], "the control, which says what holds"
    assert [each.how for each in alice.noticed(again).marked(MarkKind.VOID)] == ["turned-down"]
    held = memories.proposal(alice.holder, again.proposal_id)
    assert held is not None and held.status is ProposalStatus.WITHDRAWN


def test_it_may_be_proposed_again_once_the_holder_lifts_it_or_undoes_the_approval(
    alice: Vault, cook: Assistant
) -> None:
    first = made(cook, **ADDED)
    edited(alice, first)
    waits = made(cook, **ADDED)
    assert memories.proposals(alice.holder) == ()
    memories.lift(alice.holder, first.proposal_id, utc_now())
    assert made(cook, **ADDED).proposal_id == waits.proposal_id
    assert [each.proposal_id for each in memories.proposals(alice.holder)] == [waits.proposal_id]
    other = {**ADDED, "subject": "work.city", "value": "Braga in the hills"}
    second = made(cook, **other)
    edited(alice, second, "Evora in the plain")
    memories.undo(alice.holder, second.proposal_id, utc_now())
    asked = made(cook, **other)
    assert asked.proposal_id in [each.proposal_id for each in memories.proposals(alice.holder)]


def test_approved_under_another_label_it_is_no_text_edited_away(alice: Vault, cook: Assistant) -> None:
    first = made(cook, **ADDED)
    memories.approve(alice.holder, first.proposal_id, now=utc_now(), label="Town")
    again = made(cook, **ADDED)
    assert [each.kind for each in alice.noticed(again).marks] == [MarkKind.CONFIRMED]


@pytest.mark.parametrize("words", HELD)
@pytest.mark.parametrize("subject", ["home.city", "other.place"])
def test_under_another_label_or_subject_it_is_marked_and_not_approved_in_bulk(
    alice: Vault, cook: Assistant, words: dict[str, Any], subject: str
) -> None:
    memory_id = edited(alice, made(cook, **ADDED), **words)
    again = made(cook, **{**ADDED, "label": "Town", "subject": subject})
    assert [each.memory_id for each in alice.noticed(again).marked(MarkKind.ECHO)] == [memory_id]
    done = memories.approve_many(alice.holder, [(again.proposal_id, again.revision)], utc_now())
    assert [(each.done, each.why) for each in done.items] == [(memories.Done.NEEDS_ATTENTION, "echo")]
    assert memories.approve(alice.holder, again.proposal_id, now=utc_now()) == Refused(Refusal.ECHO, "/value")


def test_one_that_waited_meanwhile_is_not_approved_in_bulk(alice: Vault, cook: Assistant) -> None:
    first = made(cook, **ADDED)
    waits = made(cook, **{**ADDED, "subject": "other.place"})
    edited(alice, first)
    done = memories.approve_many(alice.holder, [(waits.proposal_id, waits.revision)], utc_now())
    assert [(each.done, each.why) for each in done.items] == [(memories.Done.NEEDS_ATTENTION, "echo")]


def test_a_correction_that_was_edited_away_is_marked_as_well(alice: Vault, cook: Assistant) -> None:
    wish: dict[str, Any] = {"directive": Directive.CORRECT, "target": alice.ids["kitchen"], "value": "An induction hob"}
    edited(alice, made(cook, **wish), "A gas hob with four rings")
    again = made(cook, **wish, changed=True)
    assert [each.memory_id for each in alice.noticed(again).marked(MarkKind.ECHO)] == [alice.ids["kitchen"]]
    assert memories.approve(alice.holder, again.proposal_id, now=utc_now()) == Refused(Refusal.ECHO, "/value")


def test_the_holder_writes_it_as_anything_new(alice: Vault, cook: Assistant) -> None:
    memory_id = edited(alice, made(cook, **ADDED))
    done = memories.correct(alice.holder, memory_id, value=ADDED["value"], now=utc_now())
    assert not isinstance(done, Refused)
