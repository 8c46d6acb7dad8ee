"""What is left of a ledger, a request and a grant without what is sealed: numbered without gaps, and nothing of it."""

from dataclasses import replace
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.types import AccessPart, AccessRequest, Part
from apps.policy.veil import Veil, left_of_grant, left_of_request, without_reads
from apps.policy.vocabulary import Category, PartStatus, Purpose
from tests.policy.facts import NOW, grant

A, B, S = (UUID(int=n) for n in (1, 2, 3))


@given(st.integers(0, 60), st.sets(st.integers(1, 60)))
def test_lines_are_numbered_one_by_one_and_each_is_found_again(upto: int, hidden: set[int]) -> None:
    veil = Veil(upto, tuple(sorted(each for each in hidden if each <= upto)))
    left = [seq for seq in range(1, upto + 1) if seq not in hidden]
    assert [veil.place(seq) for seq in left] == list(range(1, len(left) + 1))
    assert [veil.seq(place) for place in range(1, len(left) + 1)] == left
    assert veil.seq(len(left) + 1) > upto
    assert veil.place(upto) == len(left)


def request(*parts: Part, turn_id: UUID | None = None) -> AccessRequest:
    found = tuple(AccessPart(each, PartStatus.PENDING, None, None) for each in parts)
    return AccessRequest(uuid4(), uuid4(), Purpose.CARE, "", 3600, None, NOW, NOW, turn_id, found)


def parts(found: AccessRequest | None) -> list[tuple[UUID, ...]] | None:
    return None if found is None else [each.part.memory_ids for each in found.parts]


ORDINARY, HEALTH = Category.ORDINARY, Category.HEALTH


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        ([Part(ORDINARY, (A, B))], [(A, B)]),
        ([Part(ORDINARY, (A, S, B))], [(A, B)]),
        ([Part(ORDINARY, (S,))], None),
        ([Part(ORDINARY, (A,)), Part(HEALTH, (S,))], [(A,)]),
        ([Part(HEALTH, (S,), whole_category=True)], [()]),  # a category is asked for whatever is in it
    ],
)
def test_a_request_is_left_as_though_it_had_not_been_asked_for(
    asked: list[Part], left: list[tuple[UUID, ...]] | None
) -> None:
    assert parts(left_of_request(request(*asked), {S})) == left


def test_of_a_turn_nothing_is_left_once_it_touched_it() -> None:
    assert left_of_request(request(Part(ORDINARY, (A, S)), turn_id=uuid4()), {S}) is None
    assert parts(left_of_request(request(Part(ORDINARY, (A,)), turn_id=uuid4()), {S})) == [(A,)]
    assert left_of_grant(grant(memory_ids=frozenset({A, S}), turn_id=uuid4()), {S}) is None


def test_a_grant_is_left_without_it_and_without_the_reads_of_it() -> None:
    given_ = grant(memory_ids=frozenset({A, S}), reads_left=2, reads_done=3, last_used_at=NOW)
    left = left_of_grant(given_, {S})
    assert left == replace(given_, memory_ids=frozenset({A}))
    assert left_of_grant(grant(memory_ids=frozenset({S})), {S}) is None
    once = without_reads(left, 1, None)
    assert (once.reads_done, once.reads_left, once.last_used_at) == (1, 4, None)
    assert without_reads(replace(left, reads_left=None), 1, NOW).reads_left is None
