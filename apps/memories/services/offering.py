"""Memories as facts: what the rooms above decide on. Labels only."""

from collections.abc import Sequence
from uuid import UUID

from apps.ledger.log import Act, reading
from apps.memories import store
from apps.memories.services.arriving import arrived
from apps.policy.types import Memory
from apps.policy.vocabulary import Category


def facts(
    vault_id: UUID, actor: str, ids: Sequence[UUID] | None = None, categories: Sequence[Category] = ()
) -> tuple[Memory, ...]:
    """Memories as facts for the rules to decide on: all, or these and those of whole categories. Labels only."""
    found = _facts(vault_id, actor, ids, categories)
    return _facts(vault_id, actor, ids, categories) if arrived(vault_id, found) else found


def _facts(
    vault_id: UUID, actor: str, ids: Sequence[UUID] | None, categories: Sequence[Category]
) -> tuple[Memory, ...]:
    with reading(vault_id, actor):
        return store.memories(vault_id, ids, categories)


def facts_within(within: Act, ids: Sequence[UUID], categories: Sequence[Category]) -> tuple[Memory, ...]:
    """These memories, and those of whole categories, as they stand inside an act, whose lock keeps them so."""
    return store.memories(within.vault_id, ids, categories)


def facts_query(vault_id: UUID, ids: Sequence[UUID]) -> tuple[str, list[object]]:
    """The query behind `facts`, for a caller that sends several in one round trip; `fact` reads its rows."""
    return store.facts_query(vault_id, ids)


def facts_of_query(vault_id: UUID, which: str, parameters: Sequence[object]) -> tuple[str, list[object]]:
    """As `facts_query`, for the memories whose ids the query `which` finds."""
    return store.facts_query(vault_id, parameters, f"ARRAY({which})")


def fact(row: Sequence[object]) -> Memory:
    """A memory from a row of `facts_query`."""
    return store.memory_fact(row)
