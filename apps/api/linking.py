"""What the REST surface takes of entities, edges and merges: shapes only. What joins what is the rules' to say."""

from typing import Any, NamedTuple
from uuid import UUID

from rest_framework import serializers

from apps.api.fields import Text, Word
from apps.policy.ids import typed, untyped
from apps.policy.links import EdgeKind, EntityKind, What

PREFIXES = {"mem": What.MEMORY, "ent": What.ENTITY}


class Thing(NamedTuple):
    """A memory or an entity, as an id says it."""

    what: What
    id: UUID


class ThingId(serializers.Field[Thing, str, str, Any]):
    """The id of a memory (`mem_…`) or of an entity (`ent_…`)."""

    default_error_messages = {"id": "Send the id of a memory (mem_…) or of an entity (ent_…)."}

    def to_internal_value(self, data: Any) -> Thing:
        said = {what: found for prefix, what in PREFIXES.items() if (found := untyped(prefix, data)) is not None}
        if not said:
            self.fail("id")
        return Thing(*said.popitem())

    def to_representation(self, value: Thing) -> str:
        return typed("mem" if value.what is What.MEMORY else "ent", value.id)


class EntityIn(serializers.Serializer[Any]):
    kind = Word(EntityKind)
    name = Text()


class EntityChangeIn(serializers.Serializer[Any]):
    kind = Word(EntityKind, required=False)
    name = Text(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise serializers.ValidationError("Send kind, name, or both.")
        return attrs


class EdgesQuery(serializers.Serializer[Any]):
    of = ThingId(help_text="The memory or entity whose edges are asked for.")


class EdgeIn(serializers.Serializer[Any]):
    kind = Word(EdgeKind)
    to = ThingId()
    valid_from = Text(default="", allow_blank=True, help_text="Since when it is so: a day, or a moment in UTC.")
    valid_to = Text(default="", allow_blank=True, help_text="Until when it was so.")

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        return {"kind": fields.pop("kind"), "from": ThingId(), **fields}


class EdgeEndIn(serializers.Serializer[Any]):
    valid_to = Text(default="", allow_blank=True, help_text="Until when it was so.")


class MergeIn(serializers.Serializer[Any]):
    """Two memories, or two entities of one kind."""

    kept = ThingId()
    merged = ThingId()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["kept"].what is not attrs["merged"].what:
            raise serializers.ValidationError("Send two memories, or two entities.")
        return attrs
