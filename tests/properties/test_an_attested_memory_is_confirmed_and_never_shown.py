"""An attested memory yields proof and never its value: a recipient learns that a claim is confirmed, and no number.

Protects the holder who must prove something without showing it.
"""

import pytest

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.vocabulary import Claim, Form
from apps.turns import services as turns
from tests.cast import QUESTION, Assistant, Vault, canary, give
from tests.peers import openai
from tests.properties.conftest import Surface
from vault.clock import utc_now


def test_attested_memory_yields_proof_and_never_its_value(alice: Vault, cook: Assistant, surface: Surface) -> None:
    give(cook, "budget", "kitchen")
    got = surface.client(cook).read([alice.mem("budget"), alice.mem("kitchen")])
    assert got
    handed = {each.memory: each for each in got.handed}
    assert (handed[alice.mem("budget")].value, handed[alice.mem("budget")].claim) == (None, "budget")
    assert handed[alice.mem("kitchen")].value == alice.values["kitchen"], "the control: a plain one is handed over"
    assert alice.values["budget"] not in repr(got)
    assert (alice.ids["budget"], "attested") in alice.handed()


def test_the_model_is_told_that_it_is_confirmed_and_no_number(alice: Vault, near: Surface, model: openai.Model) -> None:
    holder = near.holder(alice.holder)
    asked = holder.ask_turn(QUESTION)
    assert asked and alice.mem("budget") in asked.offered
    answered = holder.decide_turn(asked.turn, [alice.mem("budget"), alice.mem("kitchen")])
    assert answered
    assert alice.values["budget"] not in answered.answer
    assert not [prompt for prompt in model.prompts if alice.values["budget"] in prompt]
    assert "Grocery budget" in model.answers[0] and "confirmed" in model.answers[0]


def test_reading_it_again_is_no_way_around(alice: Vault, cook: Assistant, surface: Surface) -> None:
    give(cook, "budget", reads=5)
    client = surface.client(cook)
    for key in ("first-time", "first-time", "second-time"):
        got = client.read([alice.mem("budget")], key=key)
        assert got and [each.value for each in got.handed] == [None]


def test_a_word_of_the_value_finds_nothing(alice: Vault) -> None:
    value, plain = canary(), canary()
    alice.keep("age", value, label="Age", claim=Claim.OVER_18)
    alice.keep("pet", plain, label="Pet")
    assert memories.search(alice.id, alice.holder.actor, value, 10) == ()
    assert [each for each, _ in memories.search(alice.id, alice.holder.actor, plain, 10)] == [alice.ids["pet"]]


def test_a_correction_keeps_it_attested(alice: Vault, cook: Assistant, surface: Surface) -> None:
    give(cook, "budget")
    new = canary()
    assert memories.correct(alice.holder, alice.ids["budget"], value=new, now=utc_now())
    got = surface.client(cook).read([alice.mem("budget")])
    assert got and [(each.value, each.claim) for each in got.handed] == [(None, "budget")]
    assert new not in repr(got)


def test_a_proposal_that_is_approved_as_attested_is_sealed_anew(alice: Vault, cook: Assistant) -> None:
    """The candidate was not attested; its first seal must not be a way to the value."""
    value = canary()
    made = memories.propose(cook.caller, label="Rent", value=value, now=utc_now())
    assert made
    done = memories.approve(alice.holder, made.proposal_id, now=utc_now(), claim=Claim.BUDGET)
    assert done and done.memory.attested
    alice.ids["rent"] = done.memory.memory_id
    give(cook, "rent")
    result = cook.read("rent")
    assert [(each.handed.form, each.handed.value) for each in result.released] == [(Form.ATTESTED, None)]


def test_its_holder_may_look(alice: Vault, near: Surface) -> None:
    shown = near.holder(alice.holder).show([alice.mem("budget")])
    assert shown == {alice.mem("budget"): alice.values["budget"]}


@pytest.mark.parametrize("name", ["budget", "kitchen"])
def test_what_is_said_of_it_before_it_is_read_is_a_label(alice: Vault, cook: Assistant, name: str) -> None:
    (label,) = [each for each in access.subjects(cook.caller) if each.memory_id == alice.ids[name]]
    assert label.attested == (name == "budget")
    assert alice.values[name] not in repr(label)


def test_leaving_it_out_takes_the_confirmation_away_too(alice: Vault, model: openai.Model) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    chosen = frozenset({alice.ids["budget"], alice.ids["kitchen"]})
    turns.decide(alice.holder, asked.turn_id, ordinary=chosen, now=utc_now())
    list(turns.answer(alice.holder, asked.turn_id, utc_now()))
    again = turns.without(alice.holder, asked.turn_id, alice.ids["budget"], utc_now())
    assert again
    list(turns.answer(alice.holder, again.turn_id, utc_now()))
    assert "Grocery budget" in model.answers[0] and "Grocery budget" not in model.answers[1]
