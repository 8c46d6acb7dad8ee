"""Nothing leaves a vault without a receipt: the holder can see every value that anybody was ever handed.

Protects the holder from an assistant, or from us, reading on the quiet.
"""

from typing import Any

import pytest

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.vocabulary import Category
from apps.turns import services as turns
from tests.cast import QUESTION, Assistant, Vault, give
from tests.peers import openai
from tests.properties.conftest import Surface
from vault.clock import utc_now


def test_every_value_a_client_is_handed_has_its_receipt(alice: Vault, cook: Assistant, surface: Surface) -> None:
    give(cook, "kitchen", "time", "budget")
    got = surface.client(cook).read([alice.mem("kitchen"), alice.mem("time"), alice.mem("budget")])
    assert got
    assert got.values == {
        alice.mem("kitchen"): alice.values["kitchen"],
        alice.mem("time"): alice.values["time"],
        alice.mem("budget"): None,
    }
    assert alice.handed() == [
        (alice.ids["kitchen"], "value"),
        (alice.ids["time"], "value"),
        (alice.ids["budget"], "attested"),
    ]
    receipts = alice.receipts(kind="value.read")
    assert [each.receipt for each in got.handed] == [f"rcp_{each.seq}" for each in receipts]
    assert {(each.actor, each.recipient, each.purpose) for each in receipts} == {
        (cook.actor, cook.actor, "meal_planning")
    }


def test_every_value_in_an_answer_has_its_receipt(alice: Vault, near: Surface, model: openai.Model) -> None:
    holder = near.holder(alice.holder)
    asked = holder.ask_turn(QUESTION)
    assert asked
    assert alice.handed() == [], "asking reads nothing"
    chosen = [alice.mem("kitchen"), alice.mem("time")]
    answered = holder.decide_turn(asked.turn, chosen)
    assert answered
    assert alice.values["kitchen"] in answered.answer, "the model echoes what it was sent"
    assert {memory for memory, _ in alice.handed()} == {alice.ids["kitchen"], alice.ids["time"]}
    (sent,) = model.answers
    assert [name for name, value in alice.values.items() if value in sent] == ["kitchen", "time"]
    host = model.url.removeprefix("http://").removesuffix("/v1")
    assert {each.recipient for each in alice.receipts(kind="value.read")} == {f"mdl_{host}"}, "who got it is named"


def test_the_holder_s_own_look_is_on_the_record_too(alice: Vault, near: Surface) -> None:
    """So that an operator who signs in as the holder leaves a trace."""
    shown = near.holder(alice.holder).show([alice.mem("pills"), alice.mem("diary")])
    assert shown == {alice.mem("pills"): alice.values["pills"], alice.mem("diary"): alice.values["diary"]}
    assert {each.memory_id for each in alice.receipts(kind="value.shown")} == {alice.ids["pills"], alice.ids["diary"]}


def test_a_refusal_is_on_the_record_and_nothing_leaves(alice: Vault, cook: Assistant, surface: Surface) -> None:
    got = surface.client(cook).read([alice.mem("kitchen")])
    assert not got or not got.handed
    assert alice.handed() == []
    assert alice.refusals() == ["grant-required"]


def test_five_refused_reads_of_a_special_category_are_five_receipts(
    alice: Vault, cook: Assistant, surface: Surface
) -> None:
    client = surface.client(cook)
    for _ in range(5):
        client.read([alice.mem("pills")])
    assert alice.refusals() == ["not-found"] * 5
    assert {each.memory_id for each in alice.receipts(kind="value.refused")} == {None}, "not even the id is confirmed"


def test_what_search_reads_is_on_the_record(alice: Vault, admin: Any) -> None:
    """The indexer is a reader like any other."""
    admin.execute("DELETE FROM sealed.search_doc WHERE vault_id = %s", [alice.id])
    memories.rebuild_index(alice.id, [alice.ids["kitchen"]], utc_now())
    (looked,) = alice.receipts(kind="value.indexed")
    assert (looked.memory_id, looked.actor, looked.recipient) == (alice.ids["kitchen"], "sys_index", "sys_index")


def test_a_candidate_the_holder_looks_at_is_on_the_record(alice: Vault, cook: Assistant) -> None:
    made = memories.propose(cook.caller, label="City", value="Porto", now=utc_now())
    assert made
    memories.show_candidates(alice.holder, memories.proposals(alice.holder))
    assert [each.memory_id for each in alice.receipts(kind="value.shown")] == [made.memory_id]


def test_a_list_hands_nothing_over(alice: Vault, cook: Assistant, surface: Surface) -> None:
    give(cook, "kitchen")
    client = surface.client(cook)
    said = repr(client.subjects()) + repr(client.ask([alice.mem("time")]))
    assert not [value for value in alice.values.values() if value in said]
    assert alice.handed() == []


def test_the_same_send_again_is_the_same_hand_over(alice: Vault, cook: Assistant, surface: Surface) -> None:
    grant = give(cook, "kitchen", reads=3)
    client = surface.client(cook)
    first = client.read([alice.mem("kitchen")], key="again-and-again")
    again = client.read([alice.mem("kitchen")], key="again-and-again")
    assert first and again
    assert (again.values, again.receipt, again.replayed) == (first.values, first.receipt, True)
    assert len(alice.handed()) == 1
    left = access.grant(alice.holder, grant.grant_id)
    assert left and left.reads_left == 2


@pytest.mark.parametrize("category", [Category.HEALTH, Category.BELIEF])
def test_a_special_category_s_receipt_says_the_category_and_not_the_label(
    alice: Vault, cook: Assistant, surface: Surface, category: Category
) -> None:
    name = "pills" if category is Category.HEALTH else "friday"
    give(cook, name)
    got = surface.client(cook).read([alice.mem(name)])
    assert got and got.values == {alice.mem(name): alice.values[name]}
    (receipt,) = alice.receipts(kind="value.read")
    assert receipt.category == category.value
    assert not [secret for secret in alice.secrets if secret in repr(receipt)]


def test_an_answer_s_own_receipt_names_no_value(alice: Vault) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    ordinary = frozenset(each.memory_id for each in asked.items if not each.category.special)
    assert turns.decide(alice.holder, asked.turn_id, ordinary=ordinary, now=utc_now())
    list(turns.answer(alice.holder, asked.turn_id, utc_now()))
    (receipt,) = alice.receipts(kind="turn.answered")
    assert receipt.commitment
    assert not [secret for secret in alice.secrets if secret in repr(alice.receipts())]


def test_only_what_is_stamped_as_handed_over_is_released(alice: Vault, cook: Assistant, surface: Surface) -> None:
    give(cook, "kitchen")
    got = surface.client(cook).read([alice.mem("kitchen"), alice.mem("time")])
    assert got and got.values == {alice.mem("kitchen"): alice.values["kitchen"]}
    assert alice.values["time"] not in repr(got)
    assert alice.handed() == [(alice.ids["kitchen"], "value")]
    assert alice.refusals() == ["grant-required"]
