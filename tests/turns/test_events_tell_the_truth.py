"""What a turn's events tell is what happened: what was sent, who answered, what stayed, wherever it was decided."""

from datetime import timedelta
from typing import Any

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.types import Refused, Turn
from apps.policy.vocabulary import Category, ItemState
from apps.turns import services as turns
from apps.turns import standin
from tests.cast import QUESTION, Vault
from tests.peers import openai
from tests.turns.logs import events_of
from vault.clock import utc_now


def told(vault: Vault, turn: Turn, kind: str) -> list[Any]:
    return [each.body for each in events_of(vault, turn) if each.kind == kind]


def answered(vault: Vault, asked: Turn, *names: str) -> Turn:
    turns.decide(vault.holder, asked.turn_id, ordinary=frozenset(vault.ids[name] for name in names), now=utc_now())
    *_, last = turns.answer(vault.holder, asked.turn_id, utc_now())
    assert isinstance(last, turns.Finished)
    return last.turn


def test_prompts_are_what_the_model_received_byte_for_byte(alice: Vault, model: openai.Model) -> None:
    turn = answered(alice, turns.ask(alice.holder, 'What "should" I cook – 夕食?\n', utc_now()), "kitchen")
    assert [each["sent"].encode() for each in told(alice, turn, "prompt")] == model.raw
    assert [each["step"] for each in told(alice, turn, "prompt")] == ["scope", "answer"]
    host = f"mdl_{model.url.split('/')[2]}"
    assert {each["to"] for each in told(alice, turn, "prompt")} == {host}


def test_the_model_and_its_parameters_are_those_it_was_asked_with(alice: Vault, model: openai.Model) -> None:
    turn = answered(alice, turns.ask(alice.holder, QUESTION, utc_now()), "kitchen")
    (said,) = told(alice, turn, "answered")
    asked_with = {name: value for name, value in model.requests[-1].items() if name != "messages"}
    assert said["parameters"] == asked_with
    assert (said["model"], said["stand_in"], said["failed"], said["interrupted"]) == (turn.model, False, "-", False)


def test_a_model_that_fails_midway_is_told_and_so_is_who_answered_instead(alice: Vault, model: openai.Model) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    model.mode = openai.CUT
    turn = answered(alice, asked, "kitchen")
    (said,) = told(alice, turn, "answered")
    assert (said["model"], said["stand_in"], said["parameters"]) == (standin.NAME, True, {})
    assert said["failed"] == "cut off"
    assert told(alice, turn, "prompt")[-1]["sent"].encode() == model.raw[-1], "it was sent, whatever came of it"


def test_a_scoping_reply_that_is_none_is_told_as_chosen_by_words(alice: Vault, model: openai.Model) -> None:
    model.mode = openai.MALFORMED
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    assert told(alice, asked, "offered")[0]["by"] == "words"
    assert told(alice, asked, "prompt")[0]["sent"].encode() == model.raw[0]


def test_the_stand_in_s_prompt_is_what_it_was_given(alice: Vault) -> None:
    turn = answered(alice, turns.ask(alice.holder, QUESTION, utc_now()), "kitchen")
    (prompt,) = told(alice, turn, "prompt")
    assert prompt["to"] == "mdl_stand-in"
    assert alice.values["kitchen"] in prompt["sent"] and alice.values["time"] not in prompt["sent"]
    (said,) = told(alice, turn, "answered")
    assert (said["stand_in"], said["failed"], said["text"]) == (True, "-", turn.answer)


def test_what_was_put_away_after_the_decision_is_told_as_refused(alice: Vault) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    turns.decide(alice.holder, asked.turn_id, ordinary=frozenset({alice.ids["kitchen"]}), now=utc_now())
    memories.put_away(alice.holder, alice.ids["kitchen"], utc_now())
    *_, last = turns.answer(alice.holder, asked.turn_id, utc_now())
    assert isinstance(last, turns.Finished)
    assert ItemState.REFUSED in {item.state for item in last.turn.items}
    (refused,) = told(alice, last.turn, "refused")
    assert refused["memory"] == alice.mem("kitchen")
    assert told(alice, last.turn, "handed_over") == []


def test_a_decision_made_on_the_request_s_own_page_is_told_with_the_answer(alice: Vault) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    assert asked.request_id
    wish = access.request(alice.holder, asked.request_id)
    assert wish
    kitchen = access.Decision(frozenset({alice.ids["kitchen"]}))
    decisions = {
        each.part.category: kitchen if each.part.category is Category.ORDINARY else access.NO for each in wish.parts
    }
    access.decide(alice.holder, asked.request_id, decisions, utc_now())
    assert told(alice, asked, "decided") == []
    list(turns.answer(alice.holder, asked.turn_id, utc_now()))
    (decided,) = told(alice, asked, "decided")
    assert decided["elsewhere"] is True
    chosen = {part["category"]: part["memories"] for part in decided["parts"]}
    assert chosen["ordinary"] == [alice.mem("kitchen")]
    assert {category for category, ids in chosen.items() if not ids} == set(chosen) - {"ordinary"}


def test_leaving_out_is_told_and_neither_value_nor_answer_is_in_what_follows(alice: Vault, model: openai.Model) -> None:
    turn = answered(alice, turns.ask(alice.holder, QUESTION, utc_now()), "kitchen", "time")
    again = turns.without(alice.holder, turn.turn_id, alice.ids["kitchen"], utc_now())
    assert not isinstance(again, Refused)
    list(turns.answer(alice.holder, again.turn_id, utc_now()))
    assert [each["memory"] for each in told(alice, again, "left_out")] == [alice.mem("kitchen")]
    assert told(alice, again, "asked")[0]["without_of"] == f"trn_{turn.turn_id.hex}"
    assert told(alice, again, "offered")[0]["by"] == "earlier"
    (prompt,) = told(alice, again, "prompt")
    assert alice.values["kitchen"] not in prompt["sent"] and turn.answer not in prompt["sent"]
    assert alice.values["time"] in prompt["sent"]


def test_their_times_never_fall_though_the_clock_does(alice: Vault) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    earlier = utc_now() - timedelta(hours=1)
    turns.decide(alice.holder, asked.turn_id, ordinary=frozenset(), now=earlier)
    list(turns.answer(alice.holder, asked.turn_id, earlier))
    times = [each.at for each in events_of(alice, asked)]
    assert times == sorted(times)
