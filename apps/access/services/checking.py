"""A client checks texts: what they bring back of what its grants cover, and what is so instead.

A find is told only together with the read of what is so instead: on a grant's authority, spending it like any read,
with a receipt. So nothing of a memory's past is told that leaves no line in the ledger, and nothing at all of a special
category, of an attested memory, or of what no live grant covers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from apps.access.services.grants import own_grants
from apps.access.services.handing import MOST_ITEMS, ReadResult, flooded, hand_over
from apps.access.services.judging import Party
from apps.memories import services as memories
from apps.policy.grants import state_of
from apps.policy.rules import visible_to_client
from apps.policy.types import Caller, Refused
from apps.policy.vocabulary import Category, GrantState, Purpose


@dataclass(frozen=True, slots=True)
class CheckedForClient:
    """What texts bring back, and the read of what is so instead; no read where they bring back nothing. `covered`: of
    how many memories it was looked for, which the client may read itself: with none, nothing was checked.
    """

    finds: tuple[memories.Find, ...]
    read: ReadResult
    covered: int


def check_texts(
    caller: Caller, texts: Sequence[str], *, purpose: Purpose, idempotency_key: str, body_digest: str, now: datetime
) -> CheckedForClient | Refused:
    """Check texts against what this client may read for this purpose. At most fifty memories are read for it.

    Refused as rate-limited, or for its idempotency key, as `read` is. Raises TextProblem for too many or too long ones.
    """
    memories.check_size(texts)
    client = caller.client
    party = Party(caller.vault_id, caller.actor, caller.actor, client.client_id, client.local)
    refused = flooded(party, now)
    if refused is not None:
        return refused
    covered = {
        memory_id
        for grant in own_grants(caller)
        if state_of(grant, now) is GrantState.LIVE
        and (grant.category, grant.purpose, grant.recipient) == (Category.ORDINARY, purpose, caller.actor)
        and grant.turn_id is None
        for memory_id in grant.memory_ids
    }
    among = {
        each.memory_id: each
        for each in memories.facts(caller.vault_id, caller.actor, sorted(covered))
        if visible_to_client(each, (), local=client.local) and not each.attested
    }
    found = memories.finds(caller.vault_id, caller.actor, texts, among) if among else ()
    wanted = list(dict.fromkeys(each.instead for each in found if each.instead is not None))[:MOST_ITEMS]
    if not wanted:
        return CheckedForClient((), ReadResult(), len(among))
    read = hand_over(party, wanted, purpose=purpose, key=idempotency_key, body_digest=body_digest, now=now)
    if isinstance(read, Refused):
        return read
    told = {each.memory.memory_id for each in read.released}
    return CheckedForClient(tuple(each for each in found if each.instead in told), read, len(among))
