"""What somebody writes down for the holder comes from them, by their role; the holder's own from the holder."""

import pytest

from apps.memories import services as memories
from apps.policy.types import Memory
from apps.policy.vocabulary import Role
from tests.cast import Assistant, Vault, give
from tests.holders.people import acting, newcomer
from vault.clock import utc_now


@pytest.mark.parametrize("role", [Role.GUARDIAN, Role.DELEGATE])
def test_it_says_so_wherever_it_goes(alice: Vault, cook: Assistant, role: Role) -> None:
    rosa = acting(alice.holder, newcomer("Rosa"), role)
    made = memories.add(rosa, label="Bedtime", value="Half past eight", now=utc_now())
    assert isinstance(made, Memory) and made.source == role.value
    alice.ids["bedtime"] = made.memory_id
    fixed = memories.correct(rosa, alice.ids["kitchen"], value="A pan", now=utc_now())
    assert isinstance(fixed, Memory) and fixed.source == role.value
    give(cook, "bedtime", "kitchen", "time")
    read = cook.read("bedtime", "kitchen", "time")
    assert [each.memory.source for each in read.released] == [role.value, role.value, "holder"]
    own = memories.correct(alice.holder, alice.ids["kitchen"], value="Two pans", now=utc_now())
    assert isinstance(own, Memory) and own.source == "holder"
    assert {each.source for each in memories.history(rosa, alice.ids["kitchen"])} == {"holder", role.value}


def test_the_same_words_from_either_are_the_same_memory(alice: Vault) -> None:
    rosa = acting(alice.holder, newcomer("Rosa"), Role.GUARDIAN)
    first = memories.add(rosa, label="Bedtime", subject="bed.time", value="Half past eight", now=utc_now())
    again = memories.add(alice.holder, label="Bedtime", subject="bed.time", value="Half past eight", now=utc_now())
    assert isinstance(first, Memory) and isinstance(again, Memory)
    assert again.memory_id == first.memory_id
