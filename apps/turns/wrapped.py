"""Rows of turns that were not erased, and their keys as the vault's key wraps them: a part of the store."""

from uuid import UUID

from django.db.models import QuerySet

from apps.ledger import log
from apps.ledger.log import Act
from apps.memories import sealing
from apps.memories import services as memories
from apps.memories.keys import VaultKey
from apps.policy.people import CLOCK
from apps.turns.models import TurnRow


def kept(vault_id: UUID) -> QuerySet[TurnRow]:
    """The vault's turns but those whose keys were destroyed, which are as ones that never were."""
    return TurnRow.objects.filter(vault_id=vault_id, erased_at=None)


def secret_of(
    vault_id: UUID, turn_id: UUID, epoch: int, wrapped: bytes | memoryview, key: VaultKey | None = None
) -> bytes:
    """A turn's key in clear. Where the vault's key was changed after the turn was read, the turn's is read again."""
    key = key or memories.vault_key(vault_id, epoch)
    while key is None:
        before = epoch
        epoch, wrapped = kept(vault_id).filter(turn_id=turn_id).values_list("epoch", "wrapped").get()
        assert epoch != before, "a turn's key is wrapped under a key of the vault that is not there"
        key = memories.vault_key(vault_id, epoch)
    return sealing.open_turn_key(vault_id, key, turn_id, bytes(wrapped))


def rewrap(vault_id: UUID, old: VaultKey, new: VaultKey, after: UUID, limit: int, act: Act | None) -> tuple[UUID, ...]:
    """Wrap a page of turns' keys under the vault's next key: by id, from the one that follows `after` on. What was said
    is not opened. Within the clock's `act`, or else in transactions of their own. Returns which. Raises
    sealing.CannotOpen.
    """
    asked = (_UNDER, [vault_id, old.epoch, after, limit])
    (found,) = log.within([asked]) if act is not None else log.fetch(vault_id, CLOCK, [asked])
    keys = [sealing.rewrap_turn_key(vault_id, old, new, turn_id, bytes(wrapped)) for turn_id, wrapped in found]
    ids = [turn_id for turn_id, _ in found]
    if found:
        log.in_turn(vault_id, CLOCK, [(_PUT_BACK, [new.epoch, ids, keys, vault_id, old.epoch])], act)
    return tuple(ids)


_UNDER = """
SELECT turn_id, wrapped FROM turn
 WHERE vault_id = %s AND epoch = %s AND erased_at IS NULL AND turn_id > %s ORDER BY turn_id LIMIT %s
"""
_PUT_BACK = """
UPDATE turn t SET epoch = %s, wrapped = u.wrapped FROM unnest(%s::uuid[], %s::bytea[]) AS u(turn_id, wrapped)
 WHERE t.vault_id = %s AND t.turn_id = u.turn_id AND t.epoch = %s AND t.erased_at IS NULL
"""
