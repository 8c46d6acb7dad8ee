"""The facts of a read, as they stand by now: also where something waited for its day, and that has come."""

from collections.abc import Sequence
from uuid import UUID

from apps.access.finding import Facts
from apps.access.services.judging import Deed
from apps.access.store import facts_for
from apps.memories import services as memories


def look(deed: Deed, ids: Sequence[UUID]) -> Facts:
    """The facts that a read of these is judged on, in one network round trip where nothing has come meanwhile."""
    found = _facts(deed, ids)
    return _facts(deed, ids) if memories.arrived(deed.party.vault_id, found.memories.values()) else found


def _facts(deed: Deed, ids: Sequence[UUID]) -> Facts:
    party = deed.party
    return facts_for(
        party.vault_id,
        party.actor,
        party.client_id,
        ids,
        purpose=deed.purpose,
        now=deed.now,
        turn_id=deed.turn_id,
        edges=deed.edges,
    )
