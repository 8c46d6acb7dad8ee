"""A question on its way: offered, decided once, answered; what is left undecided is denied, what is late is over."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from apps.access import services as access
from apps.policy.text import TextProblem
from apps.policy.types import Refused
from apps.policy.vocabulary import Category, ItemState, PartStatus, Refusal, TurnStatus
from apps.turns import services as turns
from tests.cast import QUESTION, Vault
from vault.clock import utc_now


@pytest.mark.parametrize("question", ["", "  \n", "a\0b", "\ud83d", "x" * 65_537], ids=range(5))
def test_a_question_that_cannot_be_kept_is_refused_by_name(alice: Vault, question: str) -> None:
    with pytest.raises(TextProblem) as refused:
        turns.ask(alice.holder, question, utc_now())
    assert refused.value.field == "question"
    assert turns.recent(alice.holder) == ()


@pytest.mark.parametrize(
    "question", ["x", 'What?\n\n{"memories": []}', "患者对青霉素过敏吗？", "\u202e?", "{{ 7|add:7 }}"]
)
def test_any_other_is_kept_word_for_word(alice: Vault, question: str) -> None:
    asked = turns.ask(alice.holder, question, utc_now())
    kept = turns.turn(alice.holder, asked.turn_id)
    assert kept and kept.question == question
    if kept.status is TurnStatus.OFFERED:
        turns.decide(alice.holder, asked.turn_id, ordinary=frozenset(), now=utc_now())
    *_, last = turns.answer(alice.holder, asked.turn_id, utc_now())
    assert isinstance(last, turns.Finished)


def test_nothing_is_answered_before_a_decision(alice: Vault) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    assert asked.status is TurnStatus.OFFERED
    assert list(turns.answer(alice.holder, asked.turn_id, utc_now())) == []
    assert alice.handed() == []


def test_answering_without_any_hands_nothing_over(alice: Vault) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    decided = turns.decide(alice.holder, asked.turn_id, ordinary=frozenset(), now=utc_now())
    assert not isinstance(decided, Refused)
    *_, last = turns.answer(alice.holder, asked.turn_id, utc_now())
    assert isinstance(last, turns.Finished)
    assert {item.state for item in last.turn.items} == {ItemState.DECLINED}
    assert alice.handed() == []


def test_the_ordinary_card_ends_the_asking_and_the_special_ones_count_as_denied(alice: Vault) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    turns.decide(alice.holder, asked.turn_id, ordinary=frozenset({alice.ids["kitchen"]}), now=utc_now())
    card = turns.card(alice.holder, asked)
    assert [(each.category, each.status) for each in card.special] == [(Category.HEALTH, PartStatus.DENIED)]


def test_a_special_card_alone_leaves_the_turn_open(alice: Vault) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    health = {Category.HEALTH: frozenset({alice.ids["pills"]})}
    decided = turns.decide(alice.holder, asked.turn_id, special=health, now=utc_now())
    assert not isinstance(decided, Refused) and decided.status is TurnStatus.OFFERED
    decided = turns.decide(alice.holder, asked.turn_id, ordinary=frozenset(), now=utc_now())
    assert not isinstance(decided, Refused) and decided.status is TurnStatus.DECIDED
    list(turns.answer(alice.holder, asked.turn_id, utc_now()))
    assert alice.handed() == [(alice.ids["pills"], "value")]


def test_it_is_decided_once(alice: Vault) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    turns.decide(alice.holder, asked.turn_id, ordinary=frozenset(), now=utc_now())
    again = turns.decide(alice.holder, asked.turn_id, ordinary=frozenset({alice.ids["kitchen"]}), now=utc_now())
    assert again == Refused(Refusal.ALREADY_DECIDED)
    assert turns.decide(alice.holder, uuid4(), ordinary=frozenset(), now=utc_now()) == Refused(Refusal.NOT_FOUND)


def test_a_no_in_the_chat_starts_no_cool_down(alice: Vault) -> None:
    """The holder asks themselves; the next question may need it after all."""
    first = turns.ask(alice.holder, QUESTION, utc_now())
    turns.decide(alice.holder, first.turn_id, ordinary=frozenset(), now=utc_now())
    second = turns.ask(alice.holder, QUESTION, utc_now())
    turns.decide(alice.holder, second.turn_id, ordinary=frozenset({alice.ids["kitchen"]}), now=utc_now())
    list(turns.answer(alice.holder, second.turn_id, utc_now()))
    assert alice.handed() == [(alice.ids["kitchen"], "value")]


def test_one_that_nobody_decided_is_abandoned(alice: Vault) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    assert asked.request_id
    assert access.expire(alice.id, asked.request_id, utc_now() + timedelta(days=2))
    found = turns.turn(alice.holder, asked.turn_id)
    assert found and found.status is TurnStatus.ABANDONED
    assert list(turns.answer(alice.holder, asked.turn_id, utc_now())) == []
    late = turns.decide(alice.holder, asked.turn_id, ordinary=frozenset({alice.ids["kitchen"]}), now=utc_now())
    assert late == Refused(Refusal.ALREADY_DECIDED)


def test_the_chat_s_requests_and_grants_are_not_among_the_assistants(alice: Vault) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    assert access.waiting(alice.holder, utc_now()) == ()
    turns.decide(alice.holder, asked.turn_id, ordinary=frozenset({alice.ids["kitchen"]}), now=utc_now())
    assert access.grants(alice.holder) == ()
    assert access.clients(alice.holder) == ()


def test_values_go_to_the_endpoint_that_was_asked_about_and_to_no_other(alice: Vault, settings: Any) -> None:
    """Decided for one recipient; the configuration changes; nothing is handed to the other."""
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    turns.decide(alice.holder, asked.turn_id, ordinary=frozenset({alice.ids["kitchen"]}), now=utc_now())
    settings.LLM_BASE_URL = "http://127.0.0.1:9/v1"
    *_, last = turns.answer(alice.holder, asked.turn_id, utc_now())
    assert isinstance(last, turns.Finished)
    assert alice.handed() == []
    assert alice.refusals() == ["grant-required"]
    assert alice.values["kitchen"] not in last.turn.answer
