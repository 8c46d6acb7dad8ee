"""Edges: how one thing of the file stands to another. Drawn and ended by the holder; what was drawn is kept."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from apps.ledger.ids import new_id
from apps.ledger.log import Act, act, reading
from apps.memories import erased, linked, proposed, store
from apps.memories.services.keeping import about, dated
from apps.memories.services.sight import unseen_within
from apps.memories.versions import Line
from apps.policy.ids import typed
from apps.policy.links import Edge, EdgeKind, Entity, What, check_edge
from apps.policy.roles import Deed, needs
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Memory, Refused
from apps.policy.vocabulary import ReceiptKind, Refusal

EDGE_COLUMNS = linked.EDGE_COLUMNS  # for a caller that sends several queries in one round trip


def edge_fact(row: Sequence[Any]) -> Edge:
    """An edge from a row in the order of EDGE_COLUMNS."""
    return linked.edge_fact(row)


@dataclass(frozen=True, slots=True)
class Link:
    """An edge as it looks from one of its ends. `other` is the thing at the other one, by what it is one with now; None
    for one that was erased. `outward`: the edge begins here. `left_by`: the link of a share, where whoever opened it
    left a note: what they were shown is known, and not whether the note was made from it.
    """

    edge: Edge
    outward: bool
    other: Memory | Entity | None
    left_by: UUID | None = None


@needs(Deed.LOOK)
def edges_of(holder: Holder, thing_id: UUID) -> tuple[Link, ...]:
    """The edges of a memory or an entity, of all that is one with it, ended ones too, oldest first. What this seat does
    not see is left out. Nothing for an unknown id.
    """
    with reading(holder.vault_id, holder.actor):
        return links_within(holder, thing_id)


@needs(Deed.LOOK)
def links_within(holder: Holder, thing_id: UUID) -> tuple[Link, ...]:
    """`edges_of`, within a look."""
    unseen = unseen_within(holder)
    if thing_id in unseen:
        return ()
    _, mine = linked.one_with(holder.vault_id, [thing_id])[thing_id]
    found = linked.edges(holder.vault_id, mine)
    others = {each.edge_id: beyond for each in found if (beyond := each.beyond(mine)) is not None}
    roots = linked.one_with(holder.vault_id, set(others.values()))
    stay = {each: each if root in unseen else root for each, (root, _) in roots.items()}
    things = things_of(holder.vault_id, set(stay.values()))
    suggested = {each.proposal_id for each in found if each.kind is EdgeKind.DERIVED_FROM and each.proposal_id}
    left = proposed.left_by(holder.vault_id, suggested)
    return tuple(
        Link(each, each.from_id in mine, things.get(stay[others[each.edge_id]]), left.get(each.proposal_id))
        for each in found
        if each.edge_id in others and others[each.edge_id] not in unseen
    )


def things_of(vault_id: UUID, ids: Collection[UUID]) -> dict[UUID, Memory | Entity]:
    """The memories and entities among these that are there."""
    if not ids:
        return {}
    return {each.memory_id: each for each in store.memories(vault_id, ids)} | {
        each.entity_id: each for each in linked.entities(vault_id, ids)
    }


@needs(Deed.KEEP)
def draw(
    holder: Holder,
    kind: EdgeKind,
    from_id: UUID,
    to_id: UUID,
    now: datetime,
    *,
    valid_from: str = "",
    valid_to: str = "",
) -> Edge | Refused:
    """Draw an edge; one that stands already is found, not doubled. Refused as not-found, with the end it is about.
    Raises TextProblem for ends that this kind does not join, for dates, and for other dates than it stands with.
    """
    with act(holder.vault_id, holder.actor) as drawing:
        done = draw_within(
            drawing,
            kind,
            from_id,
            to_id,
            now,
            valid_from=valid_from,
            valid_to=valid_to,
            zone=holder.time_zone,
            unseen=unseen_within(holder),
        )
        if isinstance(done, Edge) and done.made_at != now:
            _check_dates(done, dated(valid_from, valid_to, holder.time_zone))
        if not drawing.lines:
            drawing.cancel()
    return done


def draw_within(
    within: Act,
    kind: EdgeKind,
    from_id: UUID,
    to_id: UUID,
    now: datetime,
    *,
    valid_from: str = "",
    valid_to: str = "",
    proposal_id: UUID | None = None,
    zone: str = "UTC",
    unseen: Collection[UUID] = (),
    made: Memory | None = None,
) -> Edge | Refused:
    """`draw`, within an act: its receipt included, where there is a new edge. `unseen` is not there for who acts, and
    `made` is a memory that this act makes.
    """
    line = dated(valid_from, valid_to, zone)
    roots = linked.one_with(within.vault_id, {from_id, to_id})
    start, end = roots[from_id][0], roots[to_id][0]
    things = things_of(within.vault_id, {start, end})
    if made is not None:
        things[made.memory_id] = made
    for one, root, pointer in ((from_id, start, "/from"), (to_id, end, "/to")):
        if root not in things or one in unseen or root in unseen:
            return Refused(Refusal.NOT_FOUND, pointer)
    above = linked.above(within.vault_id, end) if kind is EdgeKind.DERIVED_FROM else ()
    check_edge(kind, start, end, (_what(things[start]), _what(things[end])), above)
    if kind.both_ways:
        start, end = sorted((start, end))
    known = linked.standing(within.vault_id, kind, start, end)
    if known is not None:
        return known
    new = Edge(
        edge_id=new_id(),
        kind=kind,
        from_id=start,
        to_id=end,
        valid_from=line.valid_from,
        valid_to=line.valid_to,
        made_at=now,
        made_by=within.actor,
        proposal_id=proposal_id,
    )
    linked.draw(within, new)
    _record(within, ReceiptKind.EDGE_DRAWN, new, things[start])
    return new


def _check_dates(standing: Edge, sent: Line) -> None:
    """Dates that it does not stand with are not dropped unsaid."""
    for name in ("valid_from", "valid_to"):
        if getattr(sent, name) not in ("", getattr(standing, name)):
            raise TextProblem(name, "It stands already, and says otherwise. End it, then draw it with this.")


@needs(Deed.KEEP)
def end(holder: Holder, edge_id: UUID, now: datetime, *, valid_to: str = "") -> Edge | Refused:
    """End an edge, and say until when it was so. One that has ended is left as it is. Raises TextProblem, also for
    another day than it ended with.
    """
    with act(holder.vault_id, holder.actor) as ending:
        done = end_within(ending, edge_id, now, valid_to=valid_to, zone=holder.time_zone, unseen=unseen_within(holder))
        if not ending.lines:
            ending.cancel()
    return done


def end_within(
    within: Act,
    edge_id: UUID,
    now: datetime,
    *,
    valid_to: str = "",
    zone: str = "UTC",
    unseen: Collection[UUID] = (),
) -> Edge | Refused:
    """`end`, within an act: its receipt included, where it stood."""
    found = linked.edge(within.vault_id, edge_id)
    if found is None or {found.from_id, found.to_id} & set(unseen):
        return Refused(Refusal.NOT_FOUND)
    until = dated(found.valid_from, valid_to, zone).valid_to
    if found.ended_at is not None:
        if until not in ("", found.valid_to):
            raise TextProblem("valid_to", "It has ended already, and says otherwise. Leave this out.")
        return found
    start = things_of(within.vault_id, [found.from_id]).get(found.from_id)
    done = linked.end(within, found, now, until)
    _record(within, ReceiptKind.EDGE_ENDED, done, start)
    return done


@needs(Deed.LOOK)
def ends_of(holder: Holder, edge: Edge) -> tuple[What, What]:
    """What stands at an edge's ends, also where it was erased: an edge between two of a kind says it by its living end,
    or joined two memories.
    """
    if edge.kind is EdgeKind.ABOUT:
        return What.MEMORY, What.ENTITY
    with reading(holder.vault_id, holder.actor):
        entities = linked.entities(holder.vault_id, [edge.from_id, edge.to_id])
    return (What.ENTITY, What.ENTITY) if entities else (What.MEMORY, What.MEMORY)


def _what(thing: Memory | Entity) -> What:
    return What.MEMORY if isinstance(thing, Memory) else What.ENTITY


def _record(within: Act, kind: ReceiptKind, edge: Edge, start: Memory | Entity | None) -> None:
    fields = about(start) if isinstance(start, Memory) else {}
    within.record(kind, **{**fields, "object": typed("edg", edge.edge_id)})


def hidden_objects(vault_id: UUID, sealed: Collection[UUID]) -> Sequence[str]:
    """What receipts name, and whoever these memories are sealed from does not know of: their edges, the entities that
    they alone were about, what was merged with these, and the orders by which such were erased.
    """
    if not sealed:
        return ()
    unseen = {*sealed, *linked.known_by_alone(vault_id, sealed)}
    edges = [typed("edg", each.edge_id) for each in linked.edges(vault_id, unseen)]
    merged = [
        typed("mrg", each.merge_id) for each in linked.merges(vault_id) if {each.kept_id, each.merged_id} & unseen
    ]
    orders = [typed("ord", each) for each in erased.hidden_orders(vault_id)]
    return [*edges, *merged, *orders, *(typed("ent", each) for each in unseen.difference(sealed))]
