"""Another key for a vault: what lives is wrapped under it, and the old one, which would open in an older copy what was
erased, is destroyed. No value is opened, and no ciphertext moves.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.ledger.log import Act, act
from apps.memories import epochs, prints, store
from apps.memories.keys import VaultKey, WrappedKey
from apps.memories.services.catching_up import catch_up
from apps.policy.ids import typed
from apps.policy.people import CLOCK
from apps.policy.vocabulary import ReceiptKind

PAGE = 10_000
FIRST = (UUID(int=0), 0)
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
    """Change a vault's key in one act of the clock's, under whose lock whoever writes waits: most of it was wrapped
    before. Returns the new epoch, or None where nothing was changed: the vault has no key, or clients propose so fast
    that some of it always waits to be compared with what is kept. Raises where a key does not open, and nothing has
    changed then.
    """
    return next(filter(None, (_rotate(vault_id, now) for _ in range(TRIES))), None)


@dataclass(frozen=True, slots=True)
class _Ready:
    """What was wrapped and keyed anew before the act, so that nobody waits for it."""

    old: VaultKey
    new: VaultKey
    keys: Sequence[Sequence[WrappedKey]]
    prints: Sequence[Sequence[prints.Rekeyed]]


def _rotate(vault_id: UUID, now: datetime) -> int | None:
    catch_up(vault_id)
    ready = _prepared(vault_id)
    if ready is None:
        return None
    old, new = ready.old, ready.new
    with act(vault_id, CLOCK) as rotating:
        current = store.vault_key(vault_id)
        if current != old or not epochs.compared(rotating):
            rotating.cancel()
            return None
        epochs.make(rotating, now, new)
        for keys in ready.keys:
            epochs.put_back(rotating, old, new, keys)
        for keyed in ready.prints:
            prints.put_back(rotating, old, new, keyed)
        rotating.settle()
        for keys in _keys(vault_id, old, new, rotating):  # what came in between
            epochs.put_back(rotating, old, new, keys)
        for keyed in _prints(vault_id, old, new, rotating):
            prints.put_back(rotating, old, new, keyed)
        for rewrap in _OTHERS:
            rewrap(rotating, old, new, PAGE)
        epochs.retire(rotating, old.epoch)
        rotating.record(ReceiptKind.KEYS_ROTATED, object=typed("vlt", vault_id), version=new.epoch)
    return new.epoch


def _prepared(vault_id: UUID) -> _Ready | None:
    found = epochs.next_key(vault_id, CLOCK)
    if found is None:
        return None
    return _Ready(*found, list(_keys(vault_id, *found)), list(_prints(vault_id, *found)))


def _keys(vault_id: UUID, old: VaultKey, new: VaultKey, within: Act | None = None) -> Iterator[list[WrappedKey]]:
    after = FIRST
    while page := epochs.wrapped_under(vault_id, old.epoch, after, PAGE, within):
        yield epochs.rewrapped(vault_id, old, new, page)
        after = (page[-1].memory_id, page[-1].version)


def _prints(vault_id: UUID, old: VaultKey, new: VaultKey, within: Act | None = None) -> Iterator[list[prints.Rekeyed]]:
    after = FIRST
    while page := prints.sealed_under(vault_id, old.epoch, after, PAGE, within):
        yield prints.rekeyed(vault_id, old, new, page)
        after = page[-1][:2]
