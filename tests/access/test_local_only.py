"""What is local only goes to a client that the holder marked as running at home, and to a model endpoint marked so."""

from typing import Any

import pytest

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.text import TextProblem
from apps.policy.types import AccessRequest, Asked, Client, Refused
from apps.policy.vocabulary import Category, ItemState, Refusal
from apps.turns import services as turns
from tests.cast import PURPOSE, QUESTION, Assistant, Vault, give, read_ids
from tests.peers import openai
from tests.properties.conftest import model  # noqa: F401  (a fixture)
from vault.clock import utc_now


def keep_local(vault: Vault, name: str, local: bool = True) -> None:
    """Mark a memory as local only, or not."""
    done = memories.mark(vault.holder, vault.ids[name], utc_now(), local_only=local)
    assert not isinstance(done, Refused) and done.local_only is local


def at_home(by: Assistant, local: bool = True) -> None:
    """Mark a client as running at home, or not."""
    done = access.mark_local(by.vault.holder, by.client.client_id, local)
    assert isinstance(done, Client) and done.local is local


def listed(by: Assistant) -> set[Any]:
    return {each.memory_id for each in access.subjects(by.caller)}


def test_a_client_elsewhere_is_not_told_that_it_exists(alice: Vault, cook: Assistant) -> None:
    keep_local(alice, "kitchen")
    assert alice.ids["kitchen"] not in listed(cook)
    no = access.ask(cook.caller, [Asked(alice.ids["kitchen"])], purpose=PURPOSE, now=utc_now())
    assert no == Refused(Refusal.NOT_FOUND, "/items/0")
    assert [each.reason for each in cook.read("kitchen").withheld] == [Refusal.NOT_FOUND]
    (receipt,) = alice.receipts(kind="value.refused")
    assert receipt.memory_id is None


def test_one_that_was_given_it_is_told_why(alice: Vault, cook: Assistant) -> None:
    give(cook, "kitchen", "time")
    keep_local(alice, "kitchen")
    read = cook.read("kitchen", "time")
    assert [each.memory.memory_id for each in read.released] == [alice.ids["time"]]
    assert [(each.memory_id, each.reason) for each in read.withheld] == [(alice.ids["kitchen"], Refusal.LOCAL_ONLY)]


def test_one_at_home_may_have_it(alice: Vault, cook: Assistant) -> None:
    keep_local(alice, "kitchen")
    at_home(cook)
    assert alice.ids["kitchen"] in listed(cook)
    give(cook, "kitchen")
    assert [each.handed.value for each in cook.read("kitchen").released] == [alice.values["kitchen"]]
    at_home(cook, local=False)
    assert [each.reason for each in cook.read("kitchen").withheld] == [Refusal.LOCAL_ONLY]
    assert alice.ids["kitchen"] not in listed(cook)


def test_marked_within_the_minute_the_same_read_again_gives_nothing(alice: Vault, cook: Assistant) -> None:
    give(cook, "kitchen")
    first = cook.read("kitchen", key="again")
    assert first.released
    keep_local(alice, "kitchen")
    again = cook.read("kitchen", key="again")
    assert (again.released, [each.reason for each in again.withheld]) == ([], [Refusal.LOCAL_ONLY])


def test_a_whole_category_does_not_bring_it(alice: Vault, clinic: Assistant) -> None:
    keep_local(alice, "pills")
    wish = access.ask(clinic.caller, [Asked(category=Category.HEALTH)], purpose=PURPOSE, now=utc_now())
    assert isinstance(wish, AccessRequest)
    (choices,) = access.choices(alice.holder, wish)
    assert choices.memories == (), "it is not there to choose"
    chosen = access.Decision(frozenset({alice.ids["pills"]}))
    with pytest.raises(TextProblem):
        access.decide(alice.holder, wish.request_id, {Category.HEALTH: chosen}, utc_now())
    assert access.granted(clinic.caller, wish) == (), "nor given if it is sent all the same"
    assert [each.reason for each in read_ids(clinic, [alice.ids["pills"]]).withheld] == [Refusal.NOT_FOUND]


def test_the_marks_of_a_client_have_their_receipts(alice: Vault, cook: Assistant) -> None:
    at_home(cook)
    at_home(cook)
    at_home(cook, local=False)
    kinds = [each.kind for each in alice.receipts() if each.kind in ("client.local", "client.hosted")]
    assert kinds == ["client.local", "client.hosted"]


def test_one_that_is_marked_and_runs_elsewhere_is_believed(alice: Vault) -> None:
    """A limit: nobody can tell from here where a program runs. The mark is the holder's word."""
    client, key = access.register(alice.holder, name="Planner", domain="planner.example", now=utc_now())
    planner = Assistant(alice, client, key)
    keep_local(alice, "kitchen")
    at_home(planner)
    give(planner, "kitchen")
    assert [each.handed.value for each in planner.read("kitchen").released] == [alice.values["kitchen"]]


# ---------------------------------------------------------------- the chat
def answered(vault: Vault, *names: str) -> tuple[Any, list[ItemState]]:
    """A question, decided for these, and what became of them."""
    asked = turns.ask(vault.holder, QUESTION, utc_now())
    ids = frozenset(vault.ids[name] for name in names)
    turns.decide(vault.holder, asked.turn_id, ordinary=ids, now=utc_now())
    *_, last = turns.answer(vault.holder, asked.turn_id, utc_now())
    assert isinstance(last, turns.Finished)
    return asked, [each.state for each in last.turn.items if each.memory_id in ids]


def test_a_hosted_model_is_never_shown_its_label(alice: Vault, model: openai.Model) -> None:  # noqa: F811
    keep_local(alice, "kitchen")
    asked, _ = answered(alice, "time")
    assert alice.ids["kitchen"] not in [each.memory_id for each in asked.items]
    assert model.scopes and not [each for each in model.prompts if alice.labels["kitchen"] in each]
    assert not [each for each in model.prompts if alice.values["kitchen"] in each]


def test_marked_after_the_decision_it_stays(alice: Vault, model: openai.Model) -> None:  # noqa: F811
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    ids = frozenset({alice.ids["kitchen"], alice.ids["time"]})
    turns.decide(alice.holder, asked.turn_id, ordinary=ids, now=utc_now())
    keep_local(alice, "kitchen")
    *_, last = turns.answer(alice.holder, asked.turn_id, utc_now())
    assert isinstance(last, turns.Finished)
    states = {each.memory_id: each.state for each in last.turn.items}
    assert states[alice.ids["kitchen"]] is ItemState.REFUSED
    assert not [each for each in model.prompts if alice.values["kitchen"] in each]
    assert alice.refusals() == ["local-only"]


def test_a_model_at_home_is(alice: Vault, model: openai.Model, settings: Any) -> None:  # noqa: F811
    settings.LLM_LOCAL = True
    keep_local(alice, "kitchen")
    _, states = answered(alice, "kitchen")
    assert states == [ItemState.HANDED_OVER]
    (receipt,) = alice.receipts(kind="value.read")
    assert receipt.recipient == f"mdl_local/{model.url.split('/')[2]}", "and is named as that"


def test_what_was_given_to_a_model_at_home_is_not_given_to_another(
    alice: Vault,
    model: openai.Model,  # noqa: F811
    settings: Any,
) -> None:
    settings.LLM_LOCAL = True
    keep_local(alice, "kitchen")
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    turns.decide(alice.holder, asked.turn_id, ordinary=frozenset({alice.ids["kitchen"]}), now=utc_now())
    settings.LLM_LOCAL = False
    list(turns.answer(alice.holder, asked.turn_id, utc_now()))
    assert alice.handed() == []
    assert not [each for each in model.prompts if alice.values["kitchen"] in each]


def test_the_stand_in_is_at_home(alice: Vault) -> None:
    keep_local(alice, "kitchen")
    assert answered(alice, "kitchen")[1] == [ItemState.HANDED_OVER]


@pytest.mark.parametrize("local", [True, False])
def test_the_holder_looks_at_it_as_ever(alice: Vault, local: bool) -> None:
    keep_local(alice, "kitchen", local=True)
    if not local:
        keep_local(alice, "kitchen", local=False)
    shown = memories.show(alice.holder, [alice.ids["kitchen"]])
    assert [each.value for each in shown.values] == [alice.values["kitchen"]]
