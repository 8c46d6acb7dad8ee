"""Entities: the persons, places, organisations and things that memories are about, by the holder's words for them."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from apps.ledger.ids import new_id
from apps.ledger.log import Act, act, reading
from apps.memories import linked
from apps.memories.services.sight import unseen_within
from apps.policy.ids import typed
from apps.policy.links import EdgeKind, Entity, EntityKind
from apps.policy.roles import Deed, needs
from apps.policy.text import check_line
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import ReceiptKind, Refusal


@dataclass(frozen=True, slots=True)
class Known:
    """An entity, what was merged into it, and how many memories are about it."""

    entity: Entity
    merged: tuple[Entity, ...]
    memories: int

    @property
    def also(self) -> tuple[str, ...]:
        """What else it was called."""
        names = dict.fromkeys(each.name for each in self.merged)
        return tuple(name for name in names if name != self.entity.name)


@needs(Deed.LOOK)
def entities(holder: Holder) -> tuple[Known, ...]:
    """Whom and what this seat's memories are about, by name; what was merged into another stands under that one."""
    with reading(holder.vault_id, holder.actor):
        unseen = unseen_within(holder)
        there = [_bare(each, unseen) for each in linked.entities(holder.vault_id) if each.entity_id not in unseen]
        edges = linked.edges(holder.vault_id, kind=EdgeKind.ABOUT, ended=False)
        roots = linked.one_with(holder.vault_id, [each.entity_id for each in there])
    known = {each.entity_id for each in there}
    under = {each: root if root in known else each for each, (root, _) in roots.items()}
    pairs = {(each.from_id, under[each.to_id]) for each in edges if each.to_id in under and each.from_id not in unseen}
    counted = Counter(entity_id for _, entity_id in pairs)
    merged: dict[UUID, list[Entity]] = {}
    for each in there:
        if under[each.entity_id] != each.entity_id:
            merged.setdefault(under[each.entity_id], []).append(each)
    return tuple(
        Known(each, tuple(merged.get(each.entity_id, ())), counted[each.entity_id])
        for each in there
        if under[each.entity_id] == each.entity_id
    )


@needs(Deed.LOOK)
def entity(holder: Holder, entity_id: UUID) -> Entity | None:
    """One entity, merged ones too; None for an unknown id, and for what this seat does not see."""
    with reading(holder.vault_id, holder.actor):
        unseen = unseen_within(holder)
        found = next(iter(linked.entities(holder.vault_id, [entity_id])), None)
    return _bare(found, unseen) if found is not None and entity_id not in unseen else None


def _bare(entity: Entity, unseen: Collection[UUID]) -> Entity:
    """The entity, as though it had not been merged into what this seat does not see."""
    return replace(entity, merged_into=None) if entity.merged_into in unseen else entity


@needs(Deed.KEEP)
def name(holder: Holder, kind: EntityKind, called: str, now: datetime) -> Entity:
    """Note somebody or something that memories may be about. Raises TextProblem naming `name`.

    Two may be called the same; two that are one are merged.
    """
    with act(holder.vault_id, holder.actor) as naming:
        return name_within(naming, kind, called, now)


def name_within(within: Act, kind: EntityKind, called: str, now: datetime) -> Entity:
    """`name`, within an act: its receipt included."""
    new = Entity(new_id(), kind, check_line(called, "name"), None, now, within.actor)
    linked.name(within, new)
    within.record(ReceiptKind.ENTITY_NAMED, object=typed("ent", new.entity_id))
    return new


@needs(Deed.KEEP)
def rename(
    holder: Holder, entity_id: UUID, *, kind: EntityKind | None = None, called: str | None = None
) -> Entity | Refused:
    """Call it otherwise, or say that it is of another kind. Raises TextProblem."""
    with act(holder.vault_id, holder.actor) as naming:
        found = _there(naming, entity_id, unseen_within(holder))
        if found is None:
            naming.cancel()
            return Refused(Refusal.NOT_FOUND)
        new = replace(
            found,
            kind=found.kind if kind is None else kind,
            name=found.name if called is None else check_line(called, "name"),
        )
        if new == found:
            naming.cancel()
            return found
        linked.rename(naming, new)
        naming.record(ReceiptKind.ENTITY_NAMED, object=typed("ent", entity_id))
    return new


def _there(within: Act, entity_id: UUID, unseen: Collection[UUID]) -> Entity | None:
    if entity_id in unseen:
        return None
    return next(iter(linked.entities(within.vault_id, [entity_id])), None)
