"""Another key for a vault: what lives is wrapped under it, and the old one, which would open in an older copy what was
erased, is destroyed. No value is opened, and no ciphertext moves.
"""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from apps.ledger.log import Act, act
from apps.memories import epochs, prints, store
from apps.memories.keys import VaultKey
from apps.memories.services.catching_up import catch_up
from apps.policy.ids import typed
from apps.policy.people import CLOCK
from apps.policy.vocabulary import ReceiptKind

PAGE = 2000
TRIES = 3
Rewrap = Callable[[Act, VaultKey, VaultKey, int], int]
_OTHERS: list[Rewrap] = []


def joins_rotations(rewrap: Rewrap) -> Rewrap:
    """What another room keeps under the vault's key is wrapped anew by this, given the act, the old key, the new one
    and how many to do at once. A rotation that leaves something out is refused by the database, and changes nothing.
    """
    _OTHERS.append(rewrap)
    return rewrap


def rotate(vault_id: UUID, now: datetime) -> int | None:
    """Change a vault's key in one act of the clock's, under whose lock whoever writes waits. Returns the new epoch, or
    None where nothing was changed: the vault has no key, or clients propose so fast that some of it always waits to be
    compared with what is kept. Raises where a key does not open, and nothing has changed then.
    """
    return next(filter(None, (_rotate(vault_id, now) for _ in range(TRIES))), None)


def _rotate(vault_id: UUID, now: datetime) -> int | None:
    catch_up(vault_id)
    with act(vault_id, CLOCK) as rotating:
        old = store.vault_key(vault_id)
        if old is None or not epochs.compared(rotating):
            rotating.cancel()
            return None
        new = epochs.make(rotating, now, old)
        _rewrap_values(rotating, old, new)
        last: tuple[UUID, int] | None = (UUID(int=0), 0)
        while last is not None:
            last = prints.rekey(rotating, old, new, last, PAGE)
        for rewrap in _OTHERS:
            rewrap(rotating, old, new, PAGE)
        epochs.retire(rotating, old.epoch)
        rotating.record(ReceiptKind.KEYS_ROTATED, object=typed("vlt", vault_id), version=new.epoch)
    return new.epoch


def _rewrap_values(within: Act, old: VaultKey, new: VaultKey) -> None:
    after = (UUID(int=0), 0)
    while page := epochs.wrapped_under(within, old.epoch, after, PAGE):
        epochs.rewrap(within, old, new, page)
        after = (page[-1].memory_id, page[-1].version)
