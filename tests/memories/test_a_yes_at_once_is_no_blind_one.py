"""A yes that nobody compared anything for yet meets all that comparing would have found, and is as quick where that is
nothing.
"""

from collections.abc import Callable

import pytest

from apps.ledger.log import act
from apps.memories import services as memories
from apps.memories import store
from apps.policy.types import Memory, Proposal, Refused
from apps.policy.vocabulary import ReceiptKind, State
from tests.cast import Assistant, Vault, new_vault, register
from tests.memories.test_what_comes_from_what_is_kept_apart import add, alone
from vault.clock import utc_now

SAID, OTHERWISE = "The flat rent is 900 euros", "The flat rent is 950 euros"
Scene = Callable[[Vault, Assistant], Proposal]


def one_under_its_subject(alice: Vault, cook: Assistant) -> Proposal:
    alice.keep("rent", "Something else entirely", subject="notes.one")
    return add(cook, SAID)


def one_that_was_put_away(alice: Vault, cook: Assistant) -> Proposal:
    gone = alice.keep("rent", SAID, subject="home.rent")
    with act(alice.id, alice.holder.actor) as doing:
        store.set_state(doing, gone, State.WITHDRAWN, utc_now())
        doing.record(ReceiptKind.MEMORY_WITHDRAWN, memory=gone)
    return add(cook, SAID)


def one_that_says_nearly_the_same(alice: Vault, cook: Assistant) -> Proposal:
    alice.keep("rent", OTHERWISE, subject="home.rent")
    return add(cook, SAID)


def one_that_says_the_same(alice: Vault, cook: Assistant) -> Proposal:
    alice.keep("rent", SAID, subject="home.rent")
    return add(cook, SAID)


def one_that_said_so_before_it_was_corrected(alice: Vault, cook: Assistant) -> Proposal:
    memories.correct(alice.holder, alice.keep("rent", SAID, subject="home.rent"), value="Free of rent", now=utc_now())
    return add(cook, SAID)


def one_of_which_every_word_is_in_it(alice: Vault, cook: Assistant) -> Proposal:
    rent = alice.keep("rent", "Flat rent", subject="home.rent")
    memories.correct(alice.holder, rent, value="Owns a house by now", now=utc_now())
    return add(cook, "Pays flat rent monthly")


def one_that_waits_and_says_otherwise(alice: Vault, cook: Assistant) -> Proposal:
    add(register(alice, "Another"), OTHERWISE)
    return add(cook, SAID)


def one_that_waits_and_was_compared(alice: Vault, cook: Assistant) -> Proposal:
    add(register(alice, "Another"), OTHERWISE, subject="home.rent")
    memories.catch_up(alice.id)
    return add(cook, SAID)


def one_that_was_written_since(alice: Vault, cook: Assistant) -> Proposal:
    made = add(cook, SAID)
    alice.keep("rent", OTHERWISE, subject="home.rent")
    return made


SCENES = [
    one_under_its_subject,
    one_that_was_put_away,
    one_that_says_nearly_the_same,
    one_that_says_the_same,
    one_that_said_so_before_it_was_corrected,
    one_of_which_every_word_is_in_it,
    one_that_waits_and_says_otherwise,
    one_that_waits_and_was_compared,
    one_that_was_written_since,
]


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_it_answers_as_one_that_was_compared_before(alice: Vault, cook: Assistant, scene: Scene) -> None:
    at_once = alone(alice, scene(alice, cook))
    bob = new_vault("Bob")
    made = scene(bob, register(bob, "Cook"))
    memories.catch_up(bob.id)
    compared = alone(bob, made)
    assert isinstance(compared, Refused) and at_once == compared


def test_where_there_is_nothing_to_compare_it_is_kept_and_compared_with_nothing_more(
    alice: Vault, cook: Assistant
) -> None:
    made = add(cook, "Sails across the bay on Sundays")
    assert isinstance(alone(alice, made), Memory)
    assert memories.catch_up(alice.id) == 0
