"""A special category never rides along: it is asked for, decided on and handed over by itself, or it stays.

Protects a person with a diagnosis, a faith or a past from its going with the groceries.
"""

from datetime import timedelta

import pytest

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.types import AccessRequest, Asked, Proposal, Refused
from apps.policy.vocabulary import Category, PartStatus, Refusal
from apps.turns import services as turns
from tests.cast import PURPOSE, QUESTION, Assistant, Vault, canary, give, new_vault, register
from tests.peers import openai
from tests.properties.conftest import Surface
from vault.clock import utc_now


def test_with_anything_else_it_stays_behind_and_alone_it_goes(alice: Vault, cook: Assistant, surface: Surface) -> None:
    give(cook, "kitchen")
    give(cook, "pills")
    client = surface.client(cook)
    together = client.read([alice.mem("kitchen"), alice.mem("pills")])
    assert together
    assert together.values == {alice.mem("kitchen"): alice.values["kitchen"]}
    assert together.withheld == {alice.mem("pills"): "special-category-alone"}
    alone = client.read([alice.mem("pills")])
    assert alone and alone.values == {alice.mem("pills"): alice.values["pills"]}


def test_two_special_categories_do_not_travel_together(alice: Vault, cook: Assistant, surface: Surface) -> None:
    give(cook, "pills")
    give(cook, "friday")
    got = surface.client(cook).read([alice.mem("pills"), alice.mem("friday")])
    assert got and got.handed == ()
    assert set(got.withheld.values()) == {"special-category-alone"}


def test_the_ordinary_card_alone_sends_nothing_special(alice: Vault, near: Surface, model: openai.Model) -> None:
    holder = near.holder(alice.holder)
    asked = holder.ask_turn(QUESTION)
    assert asked and {alice.mem("pills"), alice.mem("kitchen")} <= set(asked.offered)
    everything = [*asked.offered, alice.mem("pills"), alice.mem("friday")]
    assert not holder.decide_turn(asked.turn, everything), "what is special is not on the ordinary card"
    assert not model.answers
    specials = {alice.mem("pills"), alice.mem("friday")}
    assert holder.decide_turn(asked.turn, [each for each in asked.offered if each not in specials])
    (sent,) = model.answers
    assert alice.values["kitchen"] in sent
    for name in ("pills", "friday"):
        assert alice.values[name] not in sent and alice.labels[name] not in sent
        assert (alice.ids[name], "value") not in alice.handed()


def test_one_special_card_does_not_open_another(alice: Vault, model: openai.Model) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    chosen = {Category.HEALTH: frozenset({alice.ids["pills"], alice.ids["friday"], alice.ids["kitchen"]})}
    refused = turns.decide(alice.holder, asked.turn_id, special=chosen, ordinary=frozenset(), now=utc_now())
    assert refused == Refused(Refusal.NOT_FOUND)
    pills = {Category.HEALTH: frozenset({alice.ids["pills"]})}
    assert turns.decide(alice.holder, asked.turn_id, special=pills, ordinary=frozenset(), now=utc_now())
    list(turns.answer(alice.holder, asked.turn_id, utc_now()))
    (sent,) = model.answers
    assert [name for name, value in alice.values.items() if value in sent] == ["pills"]


def test_in_a_request_it_is_a_part_of_its_own(alice: Vault, cook: Assistant, surface: Surface) -> None:
    wish = surface.client(cook).ask([alice.mem("kitchen")], ["health", "belief"])
    assert wish
    assert wish.parts == {"ordinary": "pending", "special:health": "pending", "special:belief": "pending"}
    assert surface.holder(alice.holder).decide(wish.request, {"ordinary": [alice.mem("kitchen")]})
    (found,) = access.waiting(alice.holder, utc_now())
    waiting = {each.part.category for each in found.parts if each.status is PartStatus.PENDING}
    assert waiting == {Category.HEALTH, Category.BELIEF}, "a yes to the ordinary part decides nothing else"
    got = surface.client(cook).read([alice.mem("pills")])
    assert not got or not got.handed


def test_a_yes_to_the_ordinary_part_cannot_be_stretched_over_it(
    alice: Vault, cook: Assistant, surface: Surface
) -> None:
    wish = surface.client(cook).ask([alice.mem("kitchen")])
    assert wish
    surface.holder(alice.holder).decide(wish.request, {"ordinary": [alice.mem("kitchen"), alice.mem("pills")]})
    assert [each.memory_ids for each in access.grants(alice.holder)] in (
        [frozenset({alice.ids["kitchen"]})],
        [],  # a surface may also refuse the whole form
    )
    got = surface.client(cook).read([alice.mem("pills")])
    assert not got or not got.handed


def test_asking_tells_nobody_whether_there_is_any(alice: Vault, cook: Assistant, surface: Surface) -> None:
    client = surface.client(cook)
    for category in ("health", "genetic"):  # Alice has a health memory, and nothing genetic
        wish = client.ask(categories=[category])
        assert wish and wish.parts == {f"special:{category}": "pending"}
        surface.holder(alice.holder).decide(wish.request, {f"special:{category}": []})
        seen = client.check(wish.request)
        assert seen and (seen.status, seen.parts) == ("denied", {f"special:{category}": "denied"})


def test_it_is_on_no_list_before_a_grant_and_neutral_after(alice: Vault, cook: Assistant, surface: Surface) -> None:
    client = surface.client(cook)
    before = client.subjects()
    assert before and alice.mem("pills") not in [each.memory for each in before]
    give(cook, "pills")
    after = client.subjects()
    assert after
    (listed,) = [each for each in after if each.memory == alice.mem("pills")]
    assert (listed.label, listed.category) == ("A health memory", "health")
    assert not [secret for secret in alice.secrets if secret in repr(after)]


def test_handed_over_it_goes_by_its_neutral_label(alice: Vault, cook: Assistant, surface: Surface) -> None:
    give(cook, "pills")
    got = surface.client(cook).read([alice.mem("pills")])
    assert got and [each.label for each in got.handed] == ["A health memory"]
    assert alice.labels["pills"] not in repr(got)


def test_search_does_not_know_it(alice: Vault) -> None:
    for name in ("pills", "friday"):
        assert memories.search(alice.id, alice.holder.actor, f"{alice.values[name]} {alice.labels[name]}", 50) == ()
    assert memories.search(alice.id, alice.holder.actor, alice.values["kitchen"], 50)


def test_a_memory_that_becomes_special_leaves_every_ordinary_grant_and_list(
    alice: Vault, cook: Assistant, surface: Surface
) -> None:
    give(cook, "kitchen", "time")
    client = surface.client(cook)
    assert client.read([alice.mem("kitchen")])
    value = alice.values["kitchen"]
    memories.correct(
        alice.holder, alice.ids["kitchen"], value=value, label=canary(), category=Category.HEALTH, now=utc_now()
    )
    got = client.read([alice.mem("kitchen")])
    assert not got or not got.handed
    assert alice.refusals() == ["not-found"]
    listed = client.subjects()
    assert listed and alice.mem("kitchen") not in [each.memory for each in listed]
    assert memories.search(alice.id, alice.holder.actor, value, 50) == ()


def test_given_once_it_is_one_read_and_one_refusal(alice: Vault, cook: Assistant, surface: Surface) -> None:
    give(cook, "pills", reads=1)
    client = surface.client(cook)
    assert client.read([alice.mem("pills")])
    second = client.read([alice.mem("pills")])
    assert not second or second.withheld == {alice.mem("pills"): "grant-spent"}
    assert alice.handed() == [(alice.ids["pills"], "value")]
    assert alice.refusals() == ["grant-spent"]


def test_what_nobody_decided_counts_as_denied(alice: Vault, cook: Assistant) -> None:
    wish = cook.ask(categories=(Category.HEALTH,))
    assert access.expire(alice.id, wish.request_id, utc_now() + timedelta(days=2))
    found = access.request(alice.holder, wish.request_id)
    assert found and [each.status for each in found.parts] == [PartStatus.DENIED]


@pytest.mark.parametrize("category", [category for category in Category if category.special])
def test_all_nine_are_kept_apart(live: None, category: Category) -> None:
    vault = new_vault("Nine")
    other = register(vault, "Other")
    vault.keep("secret", label=canary(), category=category)
    wish = access.ask(
        other.caller, [Asked(vault.ids["kitchen"]), Asked(category=category)], purpose=PURPOSE, now=utc_now()
    )
    assert isinstance(wish, AccessRequest)
    assert [each.part.category for each in wish.parts] == [Category.ORDINARY, category]
    give(other, "secret")
    give(other, "time")
    result = other.read("time", "secret")
    assert [each.handed.memory_id for each in result.released] == [vault.ids["time"]]


@pytest.mark.parametrize("copied", [True, False])
def test_no_suggestion_brings_it_back_as_ordinary_among_many(alice: Vault, cook: Assistant, copied: bool) -> None:
    """Whoever was handed it suggests it, or what it made of it, under a harmless subject."""
    give(cook, "pills")
    cook.read("pills")
    made = access.propose(
        cook.caller,
        label="A note",
        value=alice.values["pills"] if copied else "Blue towels and a green door",
        subject="notes.one",
        derived_from=() if copied else [alice.ids["pills"]],
        now=utc_now(),
    )
    assert isinstance(made, Proposal)
    done = memories.approve_many(alice.holder, [(made.proposal_id, 1)], utc_now())
    assert done.count(memories.Done.APPLIED) == 0
    assert memories.approve(alice.holder, made.proposal_id, now=utc_now()) == Refused(Refusal.SAY_CATEGORY, "/category")
    kept = memories.approve(alice.holder, made.proposal_id, now=utc_now(), category=Category.HEALTH)
    assert isinstance(kept, memories.Approved) and kept.memory is not None
    assert kept.memory.memory_id not in [each.memory_id for each in access.subjects(register(alice, "Other").caller)]
