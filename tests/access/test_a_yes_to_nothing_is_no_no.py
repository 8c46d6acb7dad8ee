"""A no is only ever said: a yes that comes to nothing is refused, changes nothing, and starts no cool-down."""

from typing import Any
from uuid import uuid4

import pytest

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.text import TextProblem
from apps.policy.types import AccessRequest, Refused
from apps.policy.vocabulary import Category, PartStatus, Refusal
from tests.cast import Assistant, Vault
from vault.clock import utc_now


def decided(alice: Vault, wish: AccessRequest, **parts: access.Decision) -> Any:
    return access.decide(alice.holder, wish.request_id, {Category(name): it for name, it in parts.items()}, utc_now())


def untouched(alice: Vault, cook: Assistant, wish: AccessRequest) -> None:
    assert access.waiting(alice.holder, utc_now()) == (wish,)
    assert access.grants(alice.holder) == ()
    assert alice.receipts(kind="request.decided") == ()
    assert cook.ask("kitchen") == wish, "the same request is still open, and nothing cools down"


def test_nothing_chosen_is_refused_by_name(alice: Vault, cook: Assistant) -> None:
    wish = cook.ask("kitchen")
    with pytest.raises(TextProblem) as refused:
        decided(alice, wish, ordinary=access.Decision())
    assert (refused.value.field, refused.value.part) == ("memories", "ordinary")
    assert "Choose at least one" in refused.value.detail
    untouched(alice, cook, wish)


def test_what_was_put_away_meanwhile_makes_no_no_of_a_yes(alice: Vault, cook: Assistant) -> None:
    wish = cook.ask("kitchen")
    memories.put_away(alice.holder, alice.ids["kitchen"], utc_now())
    with pytest.raises(TextProblem) as refused:
        decided(alice, wish, ordinary=access.Decision(frozenset({alice.ids["kitchen"]})))
    assert "any more" in refused.value.detail
    memories.put_back(alice.holder, alice.ids["kitchen"], utc_now())
    untouched(alice, cook, wish)


def test_what_was_not_asked_for_is_not_found_own_or_made_up(alice: Vault, cook: Assistant) -> None:
    wish = cook.ask("kitchen")
    for stranger in (alice.ids["time"], alice.ids["pills"], uuid4()):
        for chosen in ({stranger}, {stranger, alice.ids["kitchen"]}):
            assert decided(alice, wish, ordinary=access.Decision(frozenset(chosen))) == Refused(Refusal.NOT_FOUND)
    untouched(alice, cook, wish)


def test_one_part_that_comes_to_nothing_leaves_the_other_undecided_too(alice: Vault, cook: Assistant) -> None:
    wish = cook.ask("kitchen", categories=(Category.HEALTH,))
    with pytest.raises(TextProblem) as refused:
        decided(alice, wish, ordinary=access.Decision(frozenset({alice.ids["kitchen"]})), health=access.Decision())
    assert refused.value.part == "health"
    assert access.grants(alice.holder) == ()
    assert {each.status for each in access.waiting(alice.holder, utc_now())[0].parts} == {PartStatus.PENDING}


def test_a_no_that_is_said_is_one(alice: Vault, cook: Assistant) -> None:
    wish = cook.ask("kitchen")
    no = decided(alice, wish, ordinary=access.NO)
    assert isinstance(no, AccessRequest) and no.status is PartStatus.DENIED
