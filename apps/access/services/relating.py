"""What a client is told beside the memories that it was handed: the edges between those that it was given, and whom or
what they are about. Each has its receipt, committed before it is told. What a client was told of so it may name later,
and nothing else of the kind.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from apps.access import store
from apps.access.finding import Facts
from apps.access.services.judging import Party
from apps.ledger import services as ledger
from apps.ledger.log import act
from apps.memories import services as memories
from apps.memories.services import linking
from apps.policy.grants import over
from apps.policy.ids import typed
from apps.policy.links import Edge, EdgeKind, Entity, What, told_beside
from apps.policy.types import Caller, Grant, Memory
from apps.policy.vocabulary import Purpose, ReceiptKind


@dataclass(frozen=True, slots=True)
class Beside:
    """Edges, and entities at their ends, each with the number of its receipt. An entity is `merged_into` another one
    only where that one is among them.
    """

    edges: tuple[tuple[Edge, int], ...] = ()
    entities: tuple[tuple[Entity, int], ...] = ()

    def what(self, end: UUID) -> What:
        """What stands at an edge's end."""
        return What.ENTITY if any(end == each.entity_id for each, _ in self.entities) else What.MEMORY


def tell(
    party: Party, purpose: Purpose, turn: str, handed: Collection[UUID], facts: Sequence[Facts], now: datetime
) -> Beside:
    """Tell what goes with memories that were `handed` over on these facts; where nothing does, nothing is written."""
    edges = {edge.edge_id: edge for each in facts for edge in each.edges}
    if not handed or not edges:
        return Beside()
    ends = {end for edge in edges.values() for end in (edge.from_id, edge.to_id)}
    with act(party.vault_id, party.actor, recipient=party.recipient) as telling:
        things = linking.things_of(party.vault_id, ends)
        mine = {each.memory_id: each for each in things.values() if isinstance(each, Memory)}
        grants = _serving(party, purpose, facts, now)
        chosen = told_beside(edges.values(), handed, things, grants, local=party.local)
        lines = [(ReceiptKind.EDGE_READ, each.edge_id, _end(each, handed)) for each in chosen]
        lines += [(ReceiptKind.ENTITY_READ, each.to_id, each.from_id) for each in chosen if each.kind is EdgeKind.ABOUT]
        for kind, told_id, of in lines:
            name = typed("edg" if kind is ReceiptKind.EDGE_READ else "ent", told_id)
            fields = {**memories.about(mine[of]), "object": name, "purpose": purpose.value, "turn": turn}
            telling.record(kind, **fields)
        if not lines:
            telling.cancel()
    if not lines:
        return Beside()
    seqs = {told_id: seq for (_, told_id, _), seq in zip(lines, telling.seqs, strict=True)}
    entities = [each for each in things.values() if isinstance(each, Entity) and each.entity_id in seqs]
    return Beside(
        tuple((each, seqs[each.edge_id]) for each in chosen),
        tuple((_bare(each, seqs), seqs[each.entity_id]) for each in entities),
    )


def _serving(party: Party, purpose: Purpose, facts: Sequence[Facts], now: datetime) -> tuple[Grant, ...]:
    """The grants of these facts that still serve this party for this purpose."""
    named = {grant.grant_id for each in facts for grant in each.grants}
    return tuple(
        each
        for each in store.grants_named(party.vault_id, named)
        if (each.recipient, each.purpose, each.turn_id) == (party.recipient, purpose, None)
        and not (each.paused or over(each, now))
    )


def _end(edge: Edge, handed: Collection[UUID]) -> UUID:
    """The memory beside which it is told."""
    return edge.from_id if edge.from_id in handed else edge.to_id


def _bare(entity: Entity, told: Collection[UUID]) -> Entity:
    """The entity, as though it had not been merged into what is not told too."""
    return entity if entity.merged_into in told else replace(entity, merged_into=None)


def told(caller: Caller, named: Collection[UUID]) -> tuple[frozenset[UUID], frozenset[UUID]]:
    """Those of these ids that are edges, and those that are entities, that this client was told of. Whether they are
    there still makes no difference.
    """
    found = ledger.told_to(
        caller.vault_id, caller.actor, [typed(prefix, each) for each in named for prefix in ("edg", "ent")]
    )
    edges, entities = ({each for each in named if typed(prefix, each) in found} for prefix in ("edg", "ent"))
    return frozenset(edges), frozenset(entities)
