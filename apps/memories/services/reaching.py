"""What a client may name beside the memories that it was shown: what hangs on these."""

from collections.abc import Collection
from uuid import UUID

from apps.ledger.log import reading
from apps.memories import linked


def reached(vault_id: UUID, actor: str, shown: Collection[UUID], wanted: Collection[UUID]) -> frozenset[UUID]:
    """Those of the wanted ids that are edges between what was shown, or whom or what that is about. An edge to a memory
    that was not shown is as unknown as one that is not there.
    """
    mine = set(shown)
    with reading(vault_id, actor):
        edges = linked.edges(vault_id, mine, ended=False) if mine else ()
        ends = {end for each in edges for end in (each.from_id, each.to_id)} - mine
        entities = {each.entity_id for each in linked.entities(vault_id, ends)} if ends else set()
    there = mine | entities
    whole = {each.edge_id for each in edges if {each.from_id, each.to_id} <= there}
    return frozenset((whole | entities) & set(wanted))
