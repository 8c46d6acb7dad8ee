"""Whether a grant covers a memory: this recipient, purpose and turn, live, unspent, of its category; else why not."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.rules import find_grant
from apps.policy.types import Allowed, DecidedPart, Grant, Memory, Part, Refused, Verdict
from apps.policy.vocabulary import Category, Form, PartStatus, Purpose, Refusal
from tests.policy.facts import CLINIC, COOK, HOUR, NOW, decided, grant, grants, memories, memory

TURN = UUID(int=7)
KITCHEN = memory()
PILLS = memory(category=Category.HEALTH)


def found(of: Memory, held: Sequence[Grant], parts: Sequence[DecidedPart] = (), **changes: Any) -> Verdict:
    """`find_grant` as Cook asks it, for answering, now."""
    asked: dict[str, Any] = {"recipient": COOK, "purpose": Purpose.ANSWER, "turn_id": None, "now": NOW}
    return find_grant(of, grants=held, decided=parts, **asked | changes)


def test_a_live_grant_covers() -> None:
    given_ = grant(KITCHEN)
    assert found(KITCHEN, [given_]) == Allowed(KITCHEN, Form.VALUE, given_)


def test_an_attested_memory_is_allowed_as_proof_only() -> None:
    budget = memory(attested=True)
    verdict = found(budget, [grant(budget)])
    assert isinstance(verdict, Allowed)
    assert verdict.form is Form.ATTESTED


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"recipient": CLINIC}, Refusal.GRANT_REQUIRED),
        ({"memory_ids": frozenset()}, Refusal.GRANT_REQUIRED),
        ({"category": Category.HEALTH}, Refusal.GRANT_REQUIRED),
        ({"turn_id": UUID(int=8)}, Refusal.GRANT_REQUIRED),
        ({"purpose": Purpose.TRAVEL}, Refusal.PURPOSE_MISMATCH),
        ({"expires_at": NOW}, Refusal.GRANT_ENDED),
        ({"expires_at": NOW - HOUR}, Refusal.GRANT_ENDED),
        ({"revoked_at": NOW - HOUR}, Refusal.GRANT_ENDED),
        ({"reads_left": 0}, Refusal.GRANT_SPENT),
        ({"paused": True}, Refusal.PAUSED),
    ],
    ids=lambda value: value if isinstance(value, Refusal) else "-".join(value),
)
def test_whatever_is_wrong_with_it_is_the_reason(changes: dict[str, Any], reason: Refusal) -> None:
    assert found(KITCHEN, [grant(KITCHEN)]), "the control: the same grant, unchanged, covers"
    assert found(KITCHEN, [grant(KITCHEN, **changes)]) == Refused(reason)


def test_the_last_moment_before_the_end_still_counts_and_the_end_does_not() -> None:
    assert found(KITCHEN, [grant(KITCHEN, expires_at=NOW + timedelta(microseconds=1))])
    assert not found(KITCHEN, [grant(KITCHEN, expires_at=NOW)])


def test_no_ordinary_grant_covers_a_special_category() -> None:
    """Not even one that names the memory: it was given when the memory was ordinary."""
    assert not found(PILLS, [grant(KITCHEN, memory_ids=frozenset({PILLS.memory_id}))])
    assert found(PILLS, [grant(PILLS)])


def test_a_grant_bound_to_a_turn_covers_that_turn_alone() -> None:
    bound = grant(KITCHEN, turn_id=TURN)
    assert found(KITCHEN, [bound], turn_id=TURN)
    assert not found(KITCHEN, [bound], turn_id=UUID(int=8))
    assert not found(KITCHEN, [bound])


def test_of_several_the_one_that_ends_first_is_used() -> None:
    late, early = grant(KITCHEN, expires_at=NOW + 3 * HOUR), grant(KITCHEN, expires_at=NOW + HOUR)
    verdict = found(KITCHEN, [late, early])
    assert isinstance(verdict, Allowed)
    assert verdict.grant == early


def test_a_paused_one_does_not_stand_before_a_live_one() -> None:
    assert found(KITCHEN, [grant(KITCHEN, paused=True, expires_at=NOW + timedelta(minutes=1)), grant(KITCHEN)])


# ---------------------------------------------------------------- why not
def test_a_pending_request_is_said_first() -> None:
    waiting = decided(KITCHEN, status=PartStatus.PENDING, decided_at=None)
    assert found(KITCHEN, [grant(KITCHEN, revoked_at=NOW)], [waiting, decided(KITCHEN)]) == Refused(
        Refusal.GRANT_PENDING
    )


def test_a_denial_is_said_with_the_end_of_its_cool_down() -> None:
    assert found(KITCHEN, [], [decided(KITCHEN)]) == Refused(Refusal.GRANT_DENIED, "", NOW + HOUR)


def test_a_denial_that_has_cooled_down_is_no_reason() -> None:
    assert found(KITCHEN, [], [decided(KITCHEN, cool_down_until=NOW)]) == Refused(Refusal.GRANT_REQUIRED)


def test_a_denial_of_something_else_is_no_reason() -> None:
    assert found(KITCHEN, [], [decided(memory()), decided(PILLS)]) == Refused(Refusal.GRANT_REQUIRED)


def test_a_denied_category_is_a_reason_for_each_of_its_memories() -> None:
    whole = decided(PILLS, part=Part(Category.HEALTH, (), True))
    assert found(PILLS, [], [whole]) == Refused(Refusal.GRANT_DENIED, "", NOW + HOUR)


def test_spent_is_more_useful_than_ended_and_ended_than_another_purpose() -> None:
    spent, ended = grant(KITCHEN, reads_left=0), grant(KITCHEN, revoked_at=NOW - HOUR)
    other = grant(KITCHEN, purpose=Purpose.TRAVEL)
    assert found(KITCHEN, [spent, ended, other]) == Refused(Refusal.GRANT_SPENT)
    assert found(KITCHEN, [ended, other]) == Refused(Refusal.GRANT_ENDED)
    assert found(KITCHEN, [other]) == Refused(Refusal.PURPOSE_MISMATCH)


# ---------------------------------------------------------------- whatever is drawn
@given(st.data(), memories(), st.sampled_from([None, TURN]), st.sampled_from(Purpose))
def test_a_yes_rests_on_one_grant_that_says_so_in_every_term(
    data: st.DataObject, drawn: Memory, turn: UUID | None, purpose: Purpose
) -> None:
    held = data.draw(st.lists(grants([drawn, memory()]), max_size=6))
    verdict = found(drawn, held, turn_id=turn, purpose=purpose)
    if isinstance(verdict, Refused):
        return
    used = verdict.grant
    assert used in held
    assert used is not None
    assert drawn.memory_id in used.memory_ids
    assert used.category is drawn.category
    assert (used.recipient, used.purpose) == (COOK, purpose)
    assert used.turn_id in (None, turn)
    assert used.expires_at > NOW
    assert used.revoked_at is None
    assert not used.paused
    assert used.reads_left is None or used.reads_left > 0


@given(st.data(), memories())
def test_another_grant_never_takes_a_yes_away(data: st.DataObject, drawn: Memory) -> None:
    held = data.draw(st.lists(grants([drawn]), max_size=4))
    more = held + data.draw(st.lists(grants([drawn]), max_size=4))
    assert not found(drawn, held) or found(drawn, more)


@given(st.data(), memories())
def test_time_gives_nothing_back(data: st.DataObject, drawn: Memory) -> None:
    held = data.draw(st.lists(grants([drawn]), max_size=4))
    later = NOW + timedelta(seconds=data.draw(st.integers(1, 100_000)))
    assert found(drawn, held) or not found(drawn, held, now=later)
