"""Entities, edges and merges, as their holder sees them; and as a client is told of them beside what it reads."""

from typing import Any

from rest_framework import serializers

from apps.access.services import Beside
from apps.api.fields import Instant, ReceiptNumber, Text, TypedId, Whole, Word
from apps.api.linking import Thing, ThingId
from apps.api.outputs.shape import Shape
from apps.memories.services.linking import Link
from apps.policy.links import Edge, EdgeKind, Entity, EntityKind, Merge, What
from apps.policy.types import Memory


class EntityOut(Shape):
    """`merged_into` is the one that stays; what is said of this one is said of that."""

    id = TypedId("ent", source="entity_id")
    kind = Word(EntityKind)
    name = Text()
    merged_into = TypedId("ent", allow_null=True)
    made_at = Instant()
    made_by = Text()


class KnownOut(Shape):
    """An entity, what else it was called, and how many memories are about it."""

    entity = EntityOut()
    also = serializers.ListField(child=Text())
    memories = Whole()


class EdgeOut(Shape):
    """`valid_from` and `valid_to` say when it was so, `made_at` and `ended_at` when the vault was told."""

    id = TypedId("edg", source="edge_id")
    kind = Word(EdgeKind)
    to = ThingId()
    valid_from = Text()
    valid_to = Text()
    made_at = Instant()
    made_by = Text()
    ended_at = Instant(allow_null=True)
    ended_by = Text()
    proposal = TypedId("prp", source="proposal_id", allow_null=True)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return _from_before_to(super().get_fields())


class LinkOut(Shape):
    """An edge as it looks from one of its ends. `other` is what stands at the other end by now; null: it was erased."""

    edge = EdgeOut()
    outward = serializers.BooleanField(help_text="It leads from here to the other one.")
    other = ThingId(allow_null=True)
    name = Text(allow_null=True, help_text="The other one's label, or name.")
    gone = serializers.BooleanField()
    left_by = TypedId(
        "lnk",
        allow_null=True,
        help_text="Whoever opened this link was shown the one, and left the other as a note. Whether they made it from "
        "that, nobody knows.",
    )


class ToldEntityOut(Shape):
    """Whom or what a memory that was handed over is about. `merged_into` is another one of these, that stays."""

    id = TypedId("ent", source="entity_id")
    kind = Word(EntityKind)
    name = Text()
    merged_into = TypedId("ent", allow_null=True)
    receipt = ReceiptNumber()


class ToldEdgeOut(Shape):
    """An edge that stands, of a memory that was handed over. `valid_from` and `valid_to` say when it was so, `made_at`
    when the vault was told.
    """

    id = TypedId("edg", source="edge_id")
    kind = Word(EdgeKind)
    to = ThingId()
    valid_from = Text()
    valid_to = Text()
    made_at = Instant()
    receipt = ReceiptNumber()

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return _from_before_to(super().get_fields())


class LinksOut(Shape):
    edges = LinkOut(many=True)


class MergeOut(Shape):
    id = TypedId("mrg", source="merge_id")
    what = Word(What)
    kept = ThingId()
    merged = ThingId()
    made_at = Instant()
    undone_at = Instant(allow_null=True)


def beside_facts(beside: Beside) -> dict[str, Any]:
    """What goes with a read: what ToldEdgeOut and ToldEntityOut write down."""
    names = ("entity_id", "kind", "name", "merged_into")
    entities = [{**{name: getattr(each, name) for name in names}, "receipt": seq} for each, seq in beside.entities]
    edges = [
        {**edge_facts(each, (beside.what(each.from_id), beside.what(each.to_id))), "receipt": seq}
        for each, seq in beside.edges
    ]
    return {"entities": entities, "edges": edges}


def edge_facts(edge: Edge, what: tuple[What, What]) -> dict[str, Any]:
    """An edge and what its ends are: what EdgeOut writes down."""
    ends = {"from": Thing(what[0], edge.from_id), "to": Thing(what[1], edge.to_id)}
    names = ("edge_id", "kind", "valid_from", "valid_to", "made_at", "made_by", "ended_at", "ended_by", "proposal_id")
    return {**ends, **{name: getattr(edge, name) for name in names}}


def link_facts(link: Link, here: What) -> dict[str, Any]:
    """An edge from where a memory or an entity stands: what LinkOut writes down."""
    other = link.other
    there = _beyond(link.edge.kind, here)
    return {
        "edge": edge_facts(link.edge, (here, there) if link.outward else (there, here)),
        "outward": link.outward,
        "other": None if other is None else thing_of(other),
        "name": None if other is None else other.label if isinstance(other, Memory) else other.name,
        "gone": other is None,
        "left_by": link.left_by,
    }


def merge_facts(merge: Merge) -> dict[str, Any]:
    """A merge: what MergeOut writes down."""
    two = {"kept": Thing(merge.what, merge.kept_id), "merged": Thing(merge.what, merge.merged_id)}
    told = {name: getattr(merge, name) for name in ("merge_id", "what", "made_at", "undone_at")}
    return {**two, **told}


def thing_of(thing: Memory | Entity) -> Thing:
    """A memory or an entity by its id."""
    if isinstance(thing, Memory):
        return Thing(What.MEMORY, thing.memory_id)
    return Thing(What.ENTITY, thing.entity_id)


def _from_before_to(
    fields: dict[str, serializers.Field[Any, Any, Any, Any]],
) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
    """`from` is no name that a class can give a field."""
    first = {name: fields.pop(name) for name in ("id", "kind")}
    return {**first, "from": ThingId(), **fields}


def _beyond(kind: EdgeKind, here: What) -> What:
    if kind is EdgeKind.ABOUT:
        return What.ENTITY if here is What.MEMORY else What.MEMORY
    return here
