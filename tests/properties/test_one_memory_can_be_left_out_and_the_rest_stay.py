"""One memory can be left out and the rest stay: the next prompt holds neither its value nor the earlier answer.

Protects the holder's second thought.
"""

import pytest

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.types import Refused
from apps.policy.vocabulary import Category, ItemState
from apps.turns import services as turns
from tests.cast import QUESTION, Assistant, Vault, give
from tests.drivers import Asked
from tests.peers import openai
from tests.properties.conftest import Surface
from vault.clock import utc_now


@pytest.fixture
def first(alice: Vault, near: Surface, model: openai.Model) -> Asked:
    """An answer that used three memories; the model echoes them."""
    holder = near.holder(alice.holder)
    asked = holder.ask_turn(QUESTION)
    assert asked
    answered = holder.decide_turn(asked.turn, [alice.mem("kitchen"), alice.mem("time"), alice.mem("dislikes")])
    assert answered
    assert alice.values["kitchen"] in answered.answer
    return answered


def test_the_next_prompt_holds_neither_the_value_nor_the_earlier_answer(
    alice: Vault, near: Surface, model: openai.Model, first: Asked
) -> None:
    again = near.holder(alice.holder).without(first.turn, alice.mem("kitchen"))
    assert again
    _, sent = model.answers
    assert alice.values["kitchen"] not in sent and alice.labels["kitchen"] not in sent
    assert "You said:" not in sent, "the earlier answer may quote it"
    assert alice.values["time"] in sent and alice.values["dislikes"] in sent
    assert alice.values["kitchen"] not in again.answer
    assert alice.values["time"] in again.answer
    assert QUESTION in sent, "the same question"


def test_the_new_receipts_lack_it_and_name_the_rest(
    alice: Vault, near: Surface, model: openai.Model, first: Asked
) -> None:
    last = alice.receipts()[-1].seq
    assert near.holder(alice.holder).without(first.turn, alice.mem("kitchen"))
    new = [each for each in alice.receipts(kind="value.read") if each.seq > last]
    assert {each.memory_id for each in new} == {alice.ids["time"], alice.ids["dislikes"]}


def test_the_earlier_answer_stays_as_it_was(alice: Vault, near: Surface, model: openai.Model, first: Asked) -> None:
    (before,), receipts = turns.recent(alice.holder), alice.receipts()
    assert alice.values["kitchen"] in before.answer
    assert near.holder(alice.holder).without(first.turn, alice.mem("kitchen"))
    assert turns.recent(alice.holder)[-1] == before
    assert alice.receipts()[: len(receipts)] == receipts


def test_no_model_is_asked_again_what_it_needs(alice: Vault, near: Surface, model: openai.Model, first: Asked) -> None:
    """The choice was made; asking again could offer what was left out."""
    assert near.holder(alice.holder).without(first.turn, alice.mem("kitchen"))
    assert len(model.scopes) == 1


def test_what_was_never_handed_over_cannot_be_left_out(
    alice: Vault, near: Surface, model: openai.Model, first: Asked
) -> None:
    for name in ("budget", "pills", "diary"):
        assert not near.holder(alice.holder).without(first.turn, alice.mem(name))
    assert len(model.answers) == 1


def test_leaving_out_adds_up(alice: Vault, near: Surface, model: openai.Model, first: Asked) -> None:
    holder = near.holder(alice.holder)
    second = holder.without(first.turn, alice.mem("kitchen"))
    assert second
    third = holder.without(second.turn, alice.mem("time"))
    assert third
    sent = model.answers[-1]
    assert alice.values["dislikes"] in sent
    assert alice.values["kitchen"] not in sent and alice.values["time"] not in sent
    assert not holder.without(third.turn, alice.mem("kitchen")), "it is out already"


def test_the_last_one_can_go_too(alice: Vault, model: openai.Model) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    turns.decide(alice.holder, asked.turn_id, ordinary=frozenset({alice.ids["time"]}), now=utc_now())
    list(turns.answer(alice.holder, asked.turn_id, utc_now()))
    again = turns.without(alice.holder, asked.turn_id, alice.ids["time"], utc_now())
    assert not isinstance(again, Refused)
    list(turns.answer(alice.holder, again.turn_id, utc_now()))
    assert not [value for value in alice.values.values() if value in model.answers[-1]]
    done = turns.turn(alice.holder, again.turn_id)
    assert done and {(each.memory_id, each.state) for each in done.items} == {(alice.ids["time"], ItemState.LEFT_OUT)}


def test_a_special_one_can_go_and_the_ordinary_stay(alice: Vault, model: openai.Model) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    special = {Category.HEALTH: frozenset({alice.ids["pills"]})}
    ordinary = frozenset({alice.ids["time"]})
    turns.decide(alice.holder, asked.turn_id, special=special, ordinary=ordinary, now=utc_now())
    list(turns.answer(alice.holder, asked.turn_id, utc_now()))
    assert alice.values["pills"] in model.answers[0]
    again = turns.without(alice.holder, asked.turn_id, alice.ids["pills"], utc_now())
    assert not isinstance(again, Refused)
    list(turns.answer(alice.holder, again.turn_id, utc_now()))
    assert alice.values["pills"] not in model.answers[1] and "health" not in model.answers[1]
    assert alice.values["time"] in model.answers[1]


def test_the_memory_and_every_grant_stay(alice: Vault, cook: Assistant, surface: Surface, first: Asked) -> None:
    grant = give(cook, "kitchen", reads=2)
    assert surface.holder(alice.holder).without(first.turn, alice.mem("kitchen"))
    kept = memories.memory(alice.holder, alice.ids["kitchen"])
    assert kept and kept.version == 1
    assert access.grant(alice.holder, grant.grant_id) == grant
    got = surface.client(cook).read([alice.mem("kitchen")])
    assert got and got.values == {alice.mem("kitchen"): alice.values["kitchen"]}


def test_what_was_put_away_meanwhile_does_not_come_back(
    alice: Vault, near: Surface, model: openai.Model, first: Asked
) -> None:
    memories.put_away(alice.holder, alice.ids["dislikes"], utc_now())
    assert near.holder(alice.holder).without(first.turn, alice.mem("kitchen"))
    assert alice.values["dislikes"] not in model.answers[-1]
    assert alice.values["time"] in model.answers[-1]


def test_the_page_is_told_what_changed() -> None:
    later = turns.compare("Use the pan. It takes 25 minutes.", "Use the oven. It takes 25 minutes.")
    assert [(each.text, each.changed) for each in later] == [("Use the oven.", True), ("It takes 25 minutes.", False)]
