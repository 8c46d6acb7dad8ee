"""What restates a retired value is approved, or moved where it was retired, on purpose or not at all."""

from uuid import UUID

import pytest

from apps.memories import services as memories
from apps.policy.types import Memory, Refused
from apps.policy.vocabulary import Directive, MarkKind, Refusal
from tests.cast import Assistant, Vault
from tests.memories.proposing import made
from vault.clock import utc_now


def kept(vault: Vault, subject: str, value: str, *then: str) -> UUID:
    """A memory that says the last of these, and said the others."""
    new = memories.add(vault.holder, label=subject, subject=subject, value=value, now=utc_now())
    assert isinstance(new, Memory), new
    for each in then:
        memories.correct(vault.holder, new.memory_id, value=each, now=utc_now())
    return new.memory_id


def test_a_correction_to_what_another_memory_retired_is_approved_on_purpose_alone(
    alice: Vault, cook: Assistant
) -> None:
    old = kept(alice, "home.city", "Porto by the river", "Faro by the sea")
    wish = made(cook, directive=Directive.CORRECT, target=alice.ids["kitchen"], value="Porto by the river")
    assert [each.memory_id for each in alice.noticed(wish).marked(MarkKind.ECHO)] == [old]
    assert memories.approve(alice.holder, wish.proposal_id, now=utc_now()) == Refused(Refusal.ECHO, "/value")
    done = memories.approve(alice.holder, wish.proposal_id, now=utc_now(), on_purpose=True)
    assert isinstance(done, memories.Approved)


@pytest.mark.parametrize("put_away", [True, False])
def test_a_memory_is_moved_where_its_text_was_retired_on_purpose_alone(
    alice: Vault, cook: Assistant, put_away: bool
) -> None:
    said = ["Porto by the river"] if put_away else ["Porto by the river", "Faro by the sea"]
    old = kept(alice, "home.city", *said)
    memories.put_away(alice.holder, old, utc_now())
    moving = memories.add(
        alice.holder, label="x", subject="trip.city", value="Porto by the river", now=utc_now(), on_purpose=True
    )
    assert isinstance(moving, Memory)
    wish = made(cook, directive=Directive.RESCOPE, target=moving.memory_id, subject="home.city")
    assert [each.memory_id for each in alice.noticed(wish).marked(MarkKind.ECHO)] == [old]
    assert memories.approve(alice.holder, wish.proposal_id, now=utc_now()) == Refused(Refusal.ECHO, "/subject")
    moved = memories.rescope(alice.holder, moving.memory_id, "home.city", utc_now())
    assert moved == Refused(Refusal.ECHO, "/subject")
    done = memories.approve(alice.holder, wish.proposal_id, now=utc_now(), on_purpose=True)
    assert isinstance(done, memories.Approved) and done.memory is not None and done.memory.subject == "home.city"


def test_the_holder_moves_it_there_on_purpose_and_anything_else_at_once(alice: Vault) -> None:
    old = kept(alice, "home.city", "Porto by the river", "Faro by the sea")
    memories.put_away(alice.holder, old, utc_now())
    other = kept(alice, "work.city", "Braga in the hills")
    moved = memories.rescope(alice.holder, other, "home.city", utc_now())
    assert isinstance(moved, Memory)
    memories.rescope(alice.holder, other, "work.city", utc_now())
    again = memories.add(
        alice.holder, label="x", subject="trip.city", value="Porto by the river", now=utc_now(), on_purpose=True
    )
    assert isinstance(again, Memory)
    moved = memories.rescope(alice.holder, again.memory_id, "home.city", utc_now(), on_purpose=True)
    assert isinstance(moved, Memory) and moved.subject == "home.city"
