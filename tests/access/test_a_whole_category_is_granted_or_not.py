"""Asked for a whole special category, a client learns whether it was given something, never whether there was more."""

from collections.abc import Callable

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.types import AccessRequest, Asked
from apps.policy.vocabulary import Category, PartStatus, Purpose
from tests.fixtures import Household
from vault.clock import utc_now


def asked_and_given_one(home: Household) -> AccessRequest:
    caller = access.authenticate(home.key, utc_now())
    assert caller is not None
    wish = access.ask(caller, [Asked(category=Category.HEALTH)], purpose=Purpose.CARE, now=utc_now())
    assert isinstance(wish, AccessRequest)
    (choice,) = access.choices(home.holder, wish)
    decision = access.Decision(frozenset([choice.memories[0].memory_id]))
    decided = access.decide(home.holder, wish.request_id, {Category.HEALTH: decision}, utc_now())
    assert isinstance(decided, AccessRequest)
    return decided


def test_one_of_one_and_one_of_two_are_answered_alike(settle: Callable[[], Household]) -> None:
    one, two = settle(), settle()
    memories.add(two.holder, label="Another", value="Second", category=Category.HEALTH, now=utc_now())
    assert asked_and_given_one(one).status is asked_and_given_one(two).status is PartStatus.GRANTED
