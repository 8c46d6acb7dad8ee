"""Rows of entities, edges and merges, as facts: a part of the store."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connections
from django.db.models import Q

from apps.ledger.log import Act
from apps.memories.models import EdgeRow, EntityRow, MemoryRow, MergeRow
from apps.policy.links import Edge, EdgeKind, Entity, EntityKind, Merge, What
from apps.policy.vocabulary import Category, State

_ENTITY = ("entity_id", "kind", "name", "merged_into", "made_at", "made_by")
EDGE_COLUMNS = (
    "edge_id",
    "kind",
    "from_id",
    "to_id",
    "valid_from",
    "valid_to",
    "made_at",
    "made_by",
    "ended_at",
    "ended_by",
    "proposal_id",
)
_MERGE = ("merge_id", "what", "kept_id", "merged_id", "made_at", "undone_at")

# All that is one with each of these: up to what stays, then down to everything that was merged into that.
_ONE_WITH = """
WITH RECURSIVE m(id, into_id) AS (
  SELECT memory_id, merged_into FROM memory WHERE vault_id = %(vault)s AND merged_into IS NOT NULL
  UNION ALL SELECT entity_id, merged_into FROM entity WHERE vault_id = %(vault)s AND merged_into IS NOT NULL
), up(of, id) AS (
  SELECT id, id FROM unnest(%(ids)s::uuid[]) AS asked(id)
  UNION SELECT up.of, m.into_id FROM up JOIN m ON m.id = up.id
), root(of, id) AS (
  SELECT of, id FROM up WHERE NOT EXISTS (SELECT FROM m WHERE m.id = up.id)
), down(of, id) AS (
  SELECT of, id FROM root
  UNION SELECT down.of, m.id FROM down JOIN m ON m.into_id = down.id
)
SELECT down.of, root.id, array_agg(down.id) FROM down JOIN root ON root.of = down.of GROUP BY 1, 2
"""

# What a memory was made from, however far back; itself too, and what is one with each.
_ABOVE = """
WITH RECURSIVE up(start, id) AS (
  SELECT each, each FROM unnest(%(ids)s::uuid[]) each
  UNION SELECT up.start, n.id FROM up CROSS JOIN LATERAL (
    SELECT e.to_id FROM edge e WHERE e.vault_id = %(vault)s AND e.from_id = up.id AND e.kind = 'derived_from'
      AND e.ended_at IS NULL
    UNION ALL SELECT w.merged_into FROM memory w
      WHERE w.vault_id = %(vault)s AND w.memory_id = up.id AND w.merged_into IS NOT NULL
    UNION ALL SELECT w.memory_id FROM memory w WHERE w.vault_id = %(vault)s AND w.merged_into = up.id
  ) n(id)
)
SELECT start, id FROM up
"""


# ---------------------------------------------------------------- entities
def entities(vault_id: UUID, ids: Collection[UUID] | None = None) -> tuple[Entity, ...]:
    """Entities by name, or those of `ids`; merged ones too. Of what was erased none is left."""
    rows = EntityRow.objects.filter(vault_id=vault_id).exclude(name="")
    if ids is not None:
        rows = rows.filter(entity_id__in=list(ids))
    return tuple(map(_entity, rows.order_by("name", "made_at", "entity_id").values_list(*_ENTITY)))


def name(act: Act, new: Entity) -> None:
    """A new entity."""
    EntityRow.objects.create(
        vault_id=act.vault_id,
        entity_id=new.entity_id,
        kind=new.kind.value,
        name=new.name,
        made_at=new.made_at,
        made_by=new.made_by,
    )


def rename(act: Act, entity: Entity) -> None:
    """Its kind and name as they are to be."""
    rows = EntityRow.objects.filter(vault_id=act.vault_id, entity_id=entity.entity_id)
    rows.update(kind=entity.kind.value, name=entity.name)


def _entity(row: Sequence[Any]) -> Entity:
    return Entity(row[0], EntityKind(row[1]), *row[2:])


# ---------------------------------------------------------------- edges
def edge(vault_id: UUID, edge_id: UUID) -> Edge | None:
    """One edge, ended ones too; None for an unknown id."""
    rows = EdgeRow.objects.filter(vault_id=vault_id, edge_id=edge_id).values_list(*EDGE_COLUMNS)
    return next(map(edge_fact, rows), None)


def edges_named(vault_id: UUID, ids: Collection[UUID]) -> tuple[Edge, ...]:
    """Those of these ids that are edges, ended ones too."""
    rows = EdgeRow.objects.filter(vault_id=vault_id, edge_id__in=list(ids)) if ids else EdgeRow.objects.none()
    return tuple(map(edge_fact, rows.order_by("made_at", "edge_id").values_list(*EDGE_COLUMNS)))


def edges(
    vault_id: UUID, touching: Collection[UUID] | None = None, *, kind: EdgeKind | None = None, ended: bool = True
) -> tuple[Edge, ...]:
    """Edges that begin or end at one of these (or all), oldest first; without `ended`, those alone that stand."""
    rows = EdgeRow.objects.filter(vault_id=vault_id)
    if touching is not None:
        chosen = list(touching)
        rows = rows.filter(Q(from_id__in=chosen) | Q(to_id__in=chosen))
    if kind is not None:
        rows = rows.filter(kind=kind.value)
    if not ended:
        rows = rows.filter(ended_at=None)
    return tuple(map(edge_fact, rows.order_by("made_at", "edge_id").values_list(*EDGE_COLUMNS)))


def standing(vault_id: UUID, kind: EdgeKind, from_id: UUID, to_id: UUID) -> Edge | None:
    """The edge of this kind that stands between these."""
    rows = EdgeRow.objects.filter(vault_id=vault_id, kind=kind.value, from_id=from_id, to_id=to_id, ended_at=None)
    return next(map(edge_fact, rows.values_list(*EDGE_COLUMNS)), None)


def above(vault_id: UUID, memory_id: UUID) -> frozenset[UUID]:
    """What a memory was made from, however far back, itself included; by the edges that stand."""
    return above_each(vault_id, [memory_id])[memory_id]


def above_each(vault_id: UUID, ids: Collection[UUID]) -> dict[UUID, frozenset[UUID]]:
    """`above`, for each of these."""
    found: dict[UUID, set[UUID]] = {each: set() for each in ids}
    with connections["default"].cursor() as cursor:
        cursor.execute(_ABOVE, {"vault": vault_id, "ids": list(ids)})
        for start, above in cursor.fetchall():
            found[start].add(above)
    return {start: frozenset(each) for start, each in found.items()}


def draw(act: Act, new: Edge) -> None:
    """A new edge."""
    EdgeRow.objects.create(
        vault_id=act.vault_id,
        edge_id=new.edge_id,
        kind=new.kind.value,
        from_id=new.from_id,
        to_id=new.to_id,
        valid_from=new.valid_from,
        valid_to=new.valid_to,
        made_at=new.made_at,
        made_by=new.made_by,
        proposal_id=new.proposal_id,
    )


def end(act: Act, found: Edge, now: datetime, valid_to: str = "") -> Edge:
    """It stands no more; that it did is kept, and until when it was so, where that is said."""
    done = replace(found, valid_to=valid_to or found.valid_to, ended_at=now, ended_by=act.actor)
    rows = EdgeRow.objects.filter(vault_id=act.vault_id, edge_id=found.edge_id, ended_at=None)
    rows.update(valid_to=done.valid_to, ended_at=now, ended_by=act.actor)
    return done


def edge_fact(row: Sequence[Any]) -> Edge:
    """An edge from a row's columns in the order of EDGE_COLUMNS."""
    return Edge(row[0], EdgeKind(row[1]), *row[2:])


# ---------------------------------------------------------------- merging
def one_with(vault_id: UUID, ids: Collection[UUID]) -> dict[UUID, tuple[UUID, frozenset[UUID]]]:
    """Of each of these: the one that stays, and all that is one with it, itself included. Memories and entities."""
    with connections["default"].cursor() as cursor:
        cursor.execute(_ONE_WITH, {"vault": vault_id, "ids": list(ids)})
        return {of: (root, frozenset(all_)) for of, root, all_ in cursor.fetchall()}


def merge(vault_id: UUID, merge_id: UUID) -> Merge | None:
    """One merge, undone ones too; None for an unknown id."""
    rows = MergeRow.objects.filter(vault_id=vault_id, merge_id=merge_id).values_list(*_MERGE)
    return next(map(_merge, rows), None)


def merges(vault_id: UUID, touching: UUID | None = None) -> tuple[Merge, ...]:
    """Every merge, or those of one thing, newest first."""
    rows = MergeRow.objects.filter(vault_id=vault_id)
    if touching is not None:
        rows = rows.filter(Q(kept_id=touching) | Q(merged_id=touching))
    return tuple(map(_merge, rows.order_by("-made_at", "merge_id").values_list(*_MERGE)))


def merge_into(act: Act, new: Merge, now: datetime) -> None:
    """The one is the other from now on."""
    MergeRow.objects.create(
        vault_id=act.vault_id,
        merge_id=new.merge_id,
        what=new.what.value,
        kept_id=new.kept_id,
        merged_id=new.merged_id,
        made_at=new.made_at,
    )
    if new.what is What.ENTITY:
        _set_entity(act, new.merged_id, new.kept_id)
    else:
        _set_memory(act, new.merged_id, State.MERGED, new.kept_id, now)


def part(act: Act, found: Merge, now: datetime) -> Merge:
    """They are two again."""
    MergeRow.objects.filter(vault_id=act.vault_id, merge_id=found.merge_id).update(undone_at=now)
    if found.what is What.ENTITY:
        _set_entity(act, found.merged_id, None)
    else:
        _set_memory(act, found.merged_id, State.APPROVED, None, now)
    return replace(found, undone_at=now)


def follow(act: Act, memory_id: UUID, was: State, becomes: State, now: datetime) -> None:
    """What was merged into a memory is out of sight, and in it again, with it."""
    _, all_ = one_with(act.vault_id, [memory_id])[memory_id]
    rows = MemoryRow.objects.filter(vault_id=act.vault_id, memory_id__in=list(all_ - {memory_id}), state=was.value)
    rows.update(state=becomes.value, updated_at=now)


def forget_names(act: Act, named: Collection[UUID], now: datetime) -> int:
    """Of these entities, those that no memory which is left ever was about have no name any more, nor what is one with
    them: it would tell what is gone. Their edges end. Returns how many.
    """
    if not named:
        return 0
    rows = EdgeRow.objects.filter(vault_id=act.vault_id)
    groups = {group for _, group in one_with(act.vault_id, set(named)).values()}
    everybody = frozenset().union(*groups)
    erased = MemoryRow.objects.filter(vault_id=act.vault_id, state=State.ERASED.value).values("memory_id")
    told = rows.filter(kind=EdgeKind.ABOUT.value, to_id__in=list(everybody)).exclude(from_id__in=erased)
    known = frozenset(told.values_list("to_id", flat=True))
    gone = frozenset().union(*(group for group in groups if not group & known))
    unname(act, gone, now)
    return len(gone)


def unname(act: Act, entities: Collection[UUID], now: datetime) -> int:
    """These have no name any more, and their edges end. Returns how many had one."""
    named = EntityRow.objects.filter(vault_id=act.vault_id, entity_id__in=list(entities)).exclude(name="")
    ends = EdgeRow.objects.filter(Q(from_id__in=list(entities)) | Q(to_id__in=list(entities)))
    ends.filter(vault_id=act.vault_id, ended_at=None).update(ended_at=now, ended_by=act.actor)
    return named.update(name="")


def unseen(vault_id: UUID, states: Collection[State], categories: Collection[Category]) -> frozenset[UUID]:
    """The memories in such a state, or of such a category; of what was erased none."""
    rows = MemoryRow.objects.filter(vault_id=vault_id).exclude(state=State.ERASED.value)
    rows = rows.filter(
        Q(state__in=[each.value for each in states]) | Q(category__in=[each.value for each in categories])
    )
    return frozenset(rows.values_list("memory_id", flat=True))


def hanging_on(vault_id: UUID, memory_ids: Collection[UUID]) -> frozenset[UUID]:
    """Whom or what these memories alone are about, and the edges of all of them, ended ones too."""
    if not memory_ids:
        return frozenset()
    alone = known_by_alone(vault_id, memory_ids)
    ends = list(alone.union(memory_ids))
    rows = EdgeRow.objects.filter(Q(from_id__in=ends) | Q(to_id__in=ends), vault_id=vault_id)
    return alone | frozenset(rows.values_list("edge_id", flat=True))


def known_by_alone(vault_id: UUID, unseen: Collection[UUID]) -> frozenset[UUID]:
    """The entities that these memories are about, or were, and no other memory that is left ever was; what is one with
    such a one, too.
    """
    rows = EdgeRow.objects.filter(vault_id=vault_id, kind=EdgeKind.ABOUT.value)
    hidden = frozenset(rows.filter(from_id__in=list(unseen)).values_list("to_id", flat=True))
    groups = {group for _, group in one_with(vault_id, hidden).values()} if hidden else set()
    erased = MemoryRow.objects.filter(vault_id=vault_id, state=State.ERASED.value).values("memory_id")
    others = rows.filter(to_id__in=list(frozenset().union(*groups))).exclude(from_id__in=list(unseen))
    told = frozenset(others.exclude(from_id__in=erased).values_list("to_id", flat=True)) if groups else frozenset()
    return frozenset().union(*(group & hidden - told if group & told else group for group in groups))


def _set_entity(act: Act, entity_id: UUID, into: UUID | None) -> None:
    EntityRow.objects.filter(vault_id=act.vault_id, entity_id=entity_id).update(merged_into=into)


def _set_memory(act: Act, memory_id: UUID, state: State, into: UUID | None, now: datetime) -> None:
    rows = MemoryRow.objects.filter(vault_id=act.vault_id, memory_id=memory_id)
    rows.update(state=state.value, merged_into=into, updated_at=now)


def _merge(row: Sequence[Any]) -> Merge:
    return Merge(row[0], What(row[1]), *row[2:])
