"""What may be put into a share, and what whoever opens it would see."""

from collections.abc import Sequence
from uuid import UUID

from apps.holders import services as holders
from apps.memories import services as memories
from apps.policy.people import SpacePolicy
from apps.policy.roles import Deed, needs, sees
from apps.policy.rules import project
from apps.policy.shares import authorize_share, may_be_shared
from apps.policy.types import Holder, Memory, Refused
from apps.shares.services.told import Bounds, Line, Preview


@needs(Deed.SHARE)
def offered(holder: Holder) -> tuple[Memory, ...]:
    """What this seat may share: special categories, and what stays at home, are not among it. By subject."""
    found = memories.facts(holder.vault_id, holder.actor)
    return tuple(each for each in found if sees(holder, each) and may_be_shared(each))


@needs(Deed.SHARE)
def bounds(holder: Holder) -> Bounds:
    """What the space lets a share be at most."""
    return _bounds(holders.policy(holder.vault_id))


def _bounds(settled: SpacePolicy) -> Bounds:
    return Bounds(settled.share_hours_most, settled.share_opens_most)


@needs(Deed.SHARE)
def preview(holder: Holder, ids: Sequence[UUID]) -> Preview | Refused:
    """These memories as whoever opens the share would see them, in this order; their values are not looked at.

    Refused, and raises TextProblem, as `policy.shares.authorize_share` does.
    """
    wanted = list(dict.fromkeys(ids))
    found = {each.memory_id: each for each in memories.facts(holder.vault_id, holder.actor, wanted)}
    seen = {memory_id: each for memory_id, each in found.items() if sees(holder, each)}
    settled = holders.policy(holder.vault_id)
    refused = authorize_share(seen, wanted, settled)
    if refused is not None:
        return refused
    return Preview(tuple(Line(seen[each], project(seen[each])) for each in wanted), _bounds(settled))
