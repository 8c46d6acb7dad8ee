"""Whatever a model says or fails to say: offered is what the vault has, handed over is what the holder chose."""

from typing import Any

import pytest

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.types import Proposal, Refused, Turn
from apps.policy.vocabulary import Category, ItemState, State, TurnStatus
from apps.turns import provider, standin
from apps.turns import services as turns
from apps.turns.scoping import MOST_OFFERED
from tests.cast import QUESTION, Vault
from tests.peers import openai
from vault.clock import utc_now

STAND_IN = [
    openai.SLOW,
    openai.MALFORMED,
    openai.DIES,
    openai.ERROR,
    openai.NESTED,
    openai.CUT,
]  # where the stand-in answers in its place


@pytest.fixture(params=openai.BAD_MODES)
def bad(request: Any, model: openai.Model, settings: Any) -> openai.Model:
    """A model that misbehaves from the first word."""
    settings.LLM_TIMEOUT_SECONDS = 1
    model.mode = request.param
    return model


def answered(vault: Vault, asked: Turn, *names: str) -> tuple[Turn, list[str]]:
    """The turn after these were handed over, and the pieces that were streamed."""
    chosen = frozenset(vault.ids[name] for name in names)
    if asked.status is TurnStatus.OFFERED:
        assert not isinstance(turns.decide(vault.holder, asked.turn_id, ordinary=chosen, now=utc_now()), Refused)
    *pieces, last = turns.answer(vault.holder, asked.turn_id, utc_now())
    assert isinstance(last, turns.Finished)
    return last.turn, [piece.text for piece in pieces if isinstance(piece, turns.Delta)]


def test_it_is_offered_nothing_that_is_not_approved(alice: Vault, bad: openai.Model) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    mine = {each.memory_id: each for each in memories.memories(alice.holder)}
    assert {mine[item.memory_id].state for item in asked.items} <= {State.APPROVED}
    assert {item.state for item in asked.items} <= {ItemState.OFFERED}
    assert len([item for item in asked.items if not item.category.special]) <= MOST_OFFERED
    assert alice.handed() == [], "and nothing was read for it"


def test_what_is_handed_over_is_what_was_chosen(alice: Vault, bad: openai.Model) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    turn, _ = answered(alice, asked, "kitchen")
    handed = [item.memory_id for item in turn.items if item.state is ItemState.HANDED_OVER]
    assert handed == [alice.ids["kitchen"]]
    assert alice.handed() == [(alice.ids["kitchen"], "value")]
    for prompt in bad.prompts:
        assert not [name for name, value in alice.values.items() if value in prompt and name != "kitchen"]


def test_it_decides_approves_and_keeps_nothing(alice: Vault, cook: Any, bad: openai.Model) -> None:
    made = memories.propose(cook.caller, label="City", value="Porto", now=utc_now())
    assert isinstance(made, Proposal)
    before = memories.memories(alice.holder)
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    answered(alice, asked, "kitchen")
    assert memories.memories(alice.holder) == before
    assert [each.proposal_id for each in memories.proposals(alice.holder)] == [made.proposal_id]
    assert access.grants(alice.holder) == ()


def test_where_it_fails_the_stand_in_answers_and_says_so(alice: Vault, bad: openai.Model) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    turn, _ = answered(alice, asked, "kitchen", "time")
    assert turn.status is TurnStatus.ANSWERED
    if bad.mode in STAND_IN:
        assert (turn.stand_in, turn.model) == (True, standin.NAME)
        assert "You said" not in turn.answer
        assert alice.values["kitchen"] in turn.answer, "the ledger and the mechanics are real"
    else:
        assert not turn.stand_in and turn.answer.endswith(".")


def test_one_that_only_keeps_the_line_busy_is_waited_for_no_longer(
    alice: Vault, model: openai.Model, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.LLM_TIMEOUT_SECONDS = 1
    monkeypatch.setattr(provider, "PATIENCE", 1)
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    model.mode = openai.TRICKLES
    turn, _ = answered(alice, asked, "kitchen")
    assert turn.stand_in


def test_a_half_answer_is_not_kept(alice: Vault, model: openai.Model) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    model.mode = openai.DIES
    turn, pieces = answered(alice, asked, "kitchen")
    assert "".join(pieces).startswith("You said"), "it was seen as it came"
    assert "You said" not in turn.answer
    assert turn.stand_in


def test_half_a_character_is_replaced_and_not_a_crash(alice: Vault, model: openai.Model) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    model.mode = openai.HALVES
    turn, _ = answered(alice, asked, "kitchen")
    assert "half \ufffd of a face" in turn.answer


def test_a_model_that_asks_for_everything_gets_a_card_of_eight(alice: Vault, model: openai.Model) -> None:
    for number in range(20):
        alice.keep(f"more{number}", label=f"Note {number}")
    model.mode = openai.OVER_EAGER
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    assert len(asked.items) == MOST_OFFERED


def test_a_model_that_wants_nothing_is_given_nothing(alice: Vault, model: openai.Model) -> None:
    model.choose = lambda labels: []
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    assert (asked.status, asked.items) == (TurnStatus.DECIDED, ())
    turn, _ = answered(alice, asked)
    assert alice.handed() == []
    assert not [value for value in alice.values.values() if value in turn.answer]


def test_the_special_one_it_names_is_still_a_card_of_its_own(alice: Vault, model: openai.Model) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    card = turns.card(alice.holder, asked)
    assert {each.category for each in card.special} == {Category.HEALTH, Category.BELIEF}
    assert not [each for each in card.ordinary if each.category.special]


def test_a_very_long_answer_is_cut(alice: Vault, model: openai.Model) -> None:
    alice.keep("long", "x" * 60_000, label="Cooking book")
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    turn, _ = answered(alice, asked, "long")
    assert len(turn.answer) == 20_000


def test_without_a_model_the_stand_in_is_named_from_the_start(alice: Vault) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    turn, pieces = answered(alice, asked, "kitchen")
    assert (turn.model, turn.stand_in) == (standin.NAME, True)
    assert "".join(pieces) == turn.answer
    assert {each.recipient for each in alice.receipts(kind="value.read")} == {"mdl_stand-in"}
