"""What is kept, and where: for whoever is about to erase it. Within a look or an act; ids and labels, no value."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from uuid import UUID

from apps.memories import erased, linked, store
from apps.memories.services.inbox import seen_among
from apps.policy.erasing import Where
from apps.policy.links import EdgeKind
from apps.policy.roles import Deed, needs, sees
from apps.policy.types import Holder, Memory


@dataclass(frozen=True, slots=True)
class Holding:
    """Memories beside others: what was made from them (`derived`), what was merged into them, the suggestions that were
    made from them and still have their words, and other memories that say the same as one of them.
    """

    derived: tuple[Memory, ...]
    merged: tuple[Memory, ...]
    suggested: frozenset[UUID]
    alike: tuple[UUID, ...]


@needs(Deed.ERASE)
def kept_within(holder: Holder, ids: Collection[UUID] | None = None) -> tuple[Memory, ...]:
    """Every memory (or these) that this seat may erase: in whatever state, but erased already."""
    return tuple(each for each in store.memories(holder.vault_id, ids) if sees(holder, each))


@needs(Deed.ERASE)
def named_within(holder: Holder, where: Where) -> tuple[Memory, ...]:
    """Those of the memories that this seat may erase among which everything that `where` names is: those of its ids,
    or those that its subjects, categories, sources and days leave. What else it says is for `policy.erasing.chosen`.
    """
    found = store.memories(holder.vault_id, where.ids) if where.ids else store.memories_under(holder.vault_id, where)
    return tuple(each for each in found if sees(holder, each))


@needs(Deed.ERASE)
def holding_within(holder: Holder, memories: Collection[Memory]) -> Holding:
    """What else holds something of these memories. What is sealed from this seat is not in it."""
    ids = [each.memory_id for each in memories]
    made = erased.made_of(holder.vault_id, ids)
    beside = {each.memory_id: each for each in kept_within(holder, made.derived | made.merged)}
    alike = erased.alike(holder.vault_id, {*ids, *beside})
    seen = kept_within(holder, alike) if holder.acting else ()
    suggested = frozenset(seen_among(holder, made.suggested)) if holder.acting else made.suggested
    return Holding(
        _those(beside, made.derived - made.merged),
        _those(beside, made.merged),
        suggested,
        tuple(each.memory_id for each in seen) if holder.acting else tuple(sorted(alike)),
    )


def _those(found: dict[UUID, Memory], ids: Iterable[UUID]) -> tuple[Memory, ...]:
    return tuple(
        sorted((found[each] for each in ids if each in found), key=lambda each: (each.subject, each.memory_id))
    )


@needs(Deed.ERASE)
def about_within(holder: Holder, entities: Collection[UUID]) -> dict[UUID, frozenset[UUID]]:
    """The memories that are about each of these, or ever were; what is one with it counts as it."""
    groups = linked.one_with(holder.vault_id, entities)
    edges = linked.edges(
        holder.vault_id, frozenset().union(*(all_ for _, all_ in groups.values())), kind=EdgeKind.ABOUT
    )
    return {
        entity: frozenset(edge.from_id for edge in edges if edge.to_id in all_) for entity, (_, all_) in groups.items()
    }


@needs(Deed.ERASE)
def suggested_within(holder: Holder, clients: Collection[UUID]) -> dict[UUID, frozenset[UUID]]:
    """The memories that each of these assistants suggested, or a version of."""
    return erased.suggested_by(holder.vault_id, clients)
