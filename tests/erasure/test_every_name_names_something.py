"""What an order names one by one is there, all of it: a name of nothing beside others is refused, and not repeated."""

from uuid import UUID, uuid4

import pytest

from apps.erasure import services as erasure
from apps.memories import services as memories
from apps.memories.services import linking, naming
from apps.policy.erasing import Plan, Where
from apps.policy.links import EdgeKind, EntityKind
from apps.policy.types import Memory, Refused
from apps.policy.vocabulary import Category, Refusal
from tests.cast import Assistant, Vault
from vault.clock import utc_now


@pytest.fixture
def dog(alice: Vault) -> Memory:
    """A memory with a source of its own."""
    made = memories.add(
        alice.holder, label="Her dog", value="Rex", subject="friends.dog", source="a diary", now=utc_now()
    )
    assert not isinstance(made, Refused)
    return made


@pytest.fixture
def anna(alice: Vault, dog: Memory) -> UUID:
    """Whom it is about."""
    known = naming.name(alice.holder, EntityKind.PERSON, "Anna", utc_now())
    assert not isinstance(known, Refused)
    linking.draw(alice.holder, EdgeKind.ABOUT, dog.memory_id, known.entity_id, utc_now())
    return known.entity_id


def named(vault: Vault, where: Where) -> frozenset[UUID] | Refused:
    """What an order would name."""
    plan = erasure.preview(vault.holder, where)
    return frozenset(each.memory_id for each in plan.named) if isinstance(plan, Plan) else plan


def test_each_kind_of_name_is_refused_where_one_of_them_names_nothing(
    alice: Vault, cook: Assistant, dog: Memory, anna: UUID
) -> None:
    only = frozenset({dog.memory_id})
    there = {
        "/memories": Where(ids=only),
        "/subjects": Where(subjects=frozenset({"friends.dog"})),
        "/sources": Where(sources=frozenset({"a diary"})),
        "/entities": Where(entities=frozenset({anna})),
    }
    beside = {
        "/memories": Where(ids=only | {uuid4()}),
        "/subjects": Where(subjects=frozenset({"friends.dog", "friends.cat"})),
        "/sources": Where(sources=frozenset({"a diary", "a letter"})),
        "/entities": Where(entities=frozenset({anna, uuid4()})),
        "/clients": Where(ids=only, clients=frozenset({cook.client.client_id})),
    }
    assert {pointer: named(alice, where) for pointer, where in there.items()} == dict.fromkeys(there, only)
    refused = {pointer: Refused(Refusal.NOT_FOUND, pointer) for pointer in beside}
    assert {pointer: named(alice, where) for pointer, where in beside.items()} == refused


def test_what_is_there_and_narrowed_by_something_else_is_no_unknown_name(alice: Vault, dog: Memory, anna: UUID) -> None:
    other = next(each for each in memories.memories(alice.holder) if each.memory_id == alice.ids["time"])
    where = Where(subjects=frozenset({"friends.dog", other.subject}), entities=frozenset({anna}))
    assert named(alice, where) == {dog.memory_id}
    where = Where(ids=frozenset({dog.memory_id, other.memory_id}), sources=frozenset({"a diary"}))
    assert named(alice, where) == {dog.memory_id}


def test_of_a_category_there_may_be_none(alice: Vault, dog: Memory) -> None:
    where = Where(ids=frozenset({dog.memory_id}), categories=frozenset({Category.ORDINARY, Category.HEALTH}))
    assert named(alice, where) == {dog.memory_id}
