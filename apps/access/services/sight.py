"""What a seat sees of requests and grants: the holder all of it, whoever acts for them as though what is sealed from
them had never been asked for or given.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from apps.access import touching
from apps.ledger import services as ledger
from apps.ledger.log import reading
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.roles import Deed, needs
from apps.policy.types import AccessRequest, Grant, Holder
from apps.policy.veil import Hidden, left_of_grant, left_of_request, without_reads


@dataclass(frozen=True, slots=True)
class Sight:
    """`sealed`: the memories that aren't there. `requests`, `grants`: those of which nothing is left without them, and
    `parts` those of other requests, as `req_…/category`. `uses`: of each other grant over one of them, how often it was
    read without them, and when last.
    """

    sealed: frozenset[UUID] = frozenset()
    requests: frozenset[UUID] = frozenset()
    grants: frozenset[UUID] = frozenset()
    parts: frozenset[str] = frozenset()
    uses: Mapping[str, tuple[int, datetime]] = field(default_factory=dict)

    def request(self, found: AccessRequest | None) -> AccessRequest | None:
        """As much of a request as is there."""
        return found and left_of_request(found, self.sealed)

    def requests_of(self, found: Iterable[AccessRequest]) -> tuple[AccessRequest, ...]:
        """As much of these as is there."""
        return tuple(left for each in found if (left := self.request(each)))

    def grants_of(self, found: Iterable[Grant]) -> tuple[Grant, ...]:
        """As much of these as is there."""
        return tuple(left for each in found if (left := self.grant(each)))

    def grant(self, found: Grant | None) -> Grant | None:
        """As much of a grant as is there, its reads as though what is sealed had not been among them."""
        left = found and left_of_grant(found, self.sealed)
        if left is None or left == found:
            return left
        done, last = self.uses.get(typed("gra", left.grant_id), (0, None))
        return without_reads(left, done, last)


@needs(Deed.LOOK)
def sight(holder: Holder) -> Sight:
    """What this seat sees, within a look or an act."""
    sealed = memories.sealed_within(holder)
    if not sealed:
        return Sight()
    asked = touching.requests(holder.vault_id, sealed)
    given = touching.grants(holder.vault_id, sealed)
    left = [(each, left_of_request(each, sealed)) for each in asked]
    gone = {
        f"{typed('req', each.request_id)}/{part.part.category.value}"
        for each, kept in left
        if kept is not None
        for part in each.parts
        if part.part.category not in {known.part.category for known in kept.parts}
    }
    whole = frozenset(each.grant_id for each in given if left_of_grant(each, sealed) is None)
    mixed = [typed("gra", each.grant_id) for each in given if each.grant_id not in whole]
    return Sight(
        sealed,
        frozenset(each.request_id for each, kept in left if kept is None),
        whole,
        frozenset(gone),
        ledger.uses_within(holder.vault_id, mixed, sealed),
    )


@needs(Deed.LOOK)
def hidden(holder: Holder) -> Hidden:
    """What of memories, requests and grants receipts must not tell this seat."""
    with reading(holder.vault_id, holder.actor):
        seen = sight(holder)
        proposed = memories.proposed_within(seen.sealed, holder.vault_id)
        linked = memories.hidden_objects(holder.vault_id, seen.sealed)
    objects = [
        *(typed("mem", each) for each in seen.sealed),
        *(typed("req", each) for each in seen.requests),
        *(typed("gra", each) for each in seen.grants),
        *(typed("prp", each) for each in proposed),
        *linked,
    ]
    return Hidden(seen.sealed, frozenset(objects), seen.parts)
