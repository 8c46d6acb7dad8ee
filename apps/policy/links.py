"""How the things of a file stand to each other: whom or what memories are about, edges between them, and merging two
that are one. Pure.

Whom a memory is about may be merged, and so may the memory: what was said of either is then said of the one that stays.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from apps.policy.rules import goes_there, living
from apps.policy.text import TextProblem
from apps.policy.types import Grant, Memory


class What(StrEnum):
    """What stands at the end of an edge, and what is merged."""

    MEMORY = "memory"
    ENTITY = "entity"


class EntityKind(StrEnum):
    PERSON = "person"
    PLACE = "place"
    ORGANISATION = "organisation"
    THING = "thing"


class EdgeKind(StrEnum):
    """How one stands to the other. The last two read the same both ways."""

    DERIVED_FROM = "derived_from"  # the memory was made from that one
    ABOUT = "about"
    CONTRADICTS = "contradicts"
    RELATES_TO = "relates_to"

    @property
    def both_ways(self) -> bool:
        return self in (EdgeKind.CONTRADICTS, EdgeKind.RELATES_TO)


@dataclass(frozen=True, slots=True)
class Entity:
    """A person, place, organisation or thing that memories are about."""

    entity_id: UUID
    kind: EntityKind
    name: str
    merged_into: UUID | None
    made_at: datetime
    made_by: str


@dataclass(frozen=True, slots=True)
class Edge:
    """From one thing to another. `valid_from` and `valid_to` are when it was so: a day, a moment in UTC, or "" for
    unsaid; `made_at` and `ended_at` when the vault was told.
    """

    edge_id: UUID
    kind: EdgeKind
    from_id: UUID
    to_id: UUID
    valid_from: str
    valid_to: str
    made_at: datetime
    made_by: str
    ended_at: datetime | None = None
    ended_by: str = ""
    proposal_id: UUID | None = None

    def beyond(self, ids: Iterable[UUID]) -> UUID | None:
        """The end that is none of these; None where both are, or neither is."""
        inside = set(ids)
        if (self.from_id in inside) == (self.to_id in inside):
            return None
        return self.to_id if self.from_id in inside else self.from_id


@dataclass(frozen=True, slots=True)
class Merge:
    """Two of a kind that are one, until it is undone."""

    merge_id: UUID
    what: What
    kept_id: UUID
    merged_id: UUID
    made_at: datetime
    undone_at: datetime | None = None


_JOINS: dict[EdgeKind, tuple[tuple[What, What], ...]] = {
    EdgeKind.DERIVED_FROM: ((What.MEMORY, What.MEMORY),),
    EdgeKind.ABOUT: ((What.MEMORY, What.ENTITY),),
    EdgeKind.CONTRADICTS: ((What.MEMORY, What.MEMORY),),
    EdgeKind.RELATES_TO: ((What.MEMORY, What.MEMORY), (What.ENTITY, What.ENTITY)),
}
_WANTED: dict[EdgeKind, str] = {
    EdgeKind.DERIVED_FROM: "It leads from a memory to the memory that it was made from.",
    EdgeKind.ABOUT: "It leads from a memory to a person, place, organisation or thing.",
    EdgeKind.CONTRADICTS: "It stands between two memories.",
    EdgeKind.RELATES_TO: "It stands between two memories, or between two of whom or what memories are about.",
}


def check_edge(kind: EdgeKind, from_id: UUID, to_id: UUID, ends: tuple[What, What], above: Iterable[UUID]) -> None:
    """Raises TextProblem for an edge that cannot be: of the wrong ends, to itself, or one by which a memory would be
    made from itself. `above` is what the one at `to_id` was made from, itself included.
    """
    if ends not in _JOINS[kind]:
        raise TextProblem("kind", _WANTED[kind])
    if from_id == to_id:
        raise TextProblem("to", "They are one and the same. Choose another one.")
    if kind is EdgeKind.DERIVED_FROM and from_id in set(above):
        raise TextProblem("to", "That one was made from this one, so this one can't be made from it.")


def told_beside(
    edges: Iterable[Edge],
    handed: Collection[UUID],
    things: Mapping[UUID, Memory | Entity],
    grants: Collection[Grant],
    *,
    local: bool,
) -> tuple[Edge, ...]:
    """Which of these edges go with memories that were handed over: those of one that was, whose every memory one of the
    `grants` covers together, as what it was given for, and might be handed over now. `things` are what stands there.
    """
    told = []
    for edge in edges:
        ends = [things.get(edge.from_id), things.get(edge.to_id)]
        mine = [each for each in ends if isinstance(each, Memory)]
        whole = None not in ends and any(each.memory_id in handed for each in mine)
        if whole and all(living(each) and goes_there(each, local=local) for each in mine):
            together = [all(_given(grant, each) for each in mine) for grant in grants]
            told += [edge] if any(together) else []
    return tuple(told)


def _given(grant: Grant, memory: Memory) -> bool:
    return memory.memory_id in grant.memory_ids and grant.category is memory.category
