"""What is settled is opened for the holder to look at again by two sources that contradict it alike, by no fewer."""

from apps.memories import services as memories
from tests.cast import Assistant, Vault
from tests.memories.test_proposals_decided import add, correct, says
from vault.clock import utc_now


def test_two_sources_alike_open_what_is_settled_and_one_does_not(
    alice: Vault, cook: Assistant, clinic: Assistant
) -> None:
    kitchen = alice.ids["kitchen"]
    correct(cook, kitchen, "A wood stove")
    add(cook, "A wood stove", "cooking.kitchen")
    assert memories.reopened(alice.holder) == ()
    correct(clinic, kitchen, "a WOOD stove")
    assert [each.memory_id for each in memories.reopened(alice.holder)] == [kitchen]
    assert len(alice.receipts(kind="memory.reopened")) == 1
    memories.resolve(alice.holder, kitchen, utc_now())
    assert memories.reopened(alice.holder) == ()
    assert says(alice, kitchen) == alice.values["kitchen"]


def test_what_was_settled_is_opened_by_two_sources_that_say_so_afterwards_alone(
    alice: Vault, cook: Assistant, clinic: Assistant
) -> None:
    kitchen = alice.ids["kitchen"]
    correct(cook, kitchen, "A wood stove")
    correct(clinic, kitchen, "A wood stove")
    memories.resolve(alice.holder, memories.reopened(alice.holder)[0].memory_id, utc_now())
    add(cook, "a wood  STOVE", "cooking.kitchen", rationale="Said again")
    correct(cook, kitchen, "A WOOD stove", changed=True)
    assert memories.reopened(alice.holder) == ()
    correct(clinic, kitchen, "A wood stove.", changed=True)
    assert [each.memory_id for each in memories.reopened(alice.holder)] == [kitchen]


def test_what_was_said_before_the_holder_settled_it_opens_nothing_when_it_is_compared_later(
    alice: Vault, cook: Assistant, clinic: Assistant
) -> None:
    kitchen = alice.ids["kitchen"]
    correct(cook, kitchen, "A wood stove")
    correct(clinic, kitchen, "A wood stove")
    memories.correct(alice.holder, kitchen, value="An induction hob", now=utc_now())
    assert memories.reopened(alice.holder) == ()
