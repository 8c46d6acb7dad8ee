"""Another key for a vault: what lives is wrapped under it, and the old one, which would open in an older copy what was
erased, is destroyed. No value is opened, and no ciphertext moves.

From the beginning on both keys are there: what is new is sealed under the new one, what was there is wrapped anew slice
by slice, each in a transaction of its own, and beside each print one is made that will follow it. One act then makes an
end of it. Whoever falls on the way leaves a vault that works as before, and whoever comes next goes on from there.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from uuid import UUID

from apps.ledger.log import Act, act
from apps.memories import epochs, prints, store
from apps.memories.keys import VaultKey, WrappedKey
from apps.memories.services.catching_up import catch_up
from apps.policy.ids import typed
from apps.policy.people import CLOCK
from apps.policy.vocabulary import ReceiptKind

PAGE = 2_000  # so many at once: whoever writes to the vault waits while they are put back, and no longer
FIRST = (UUID(int=0), 0)
TRIES = 10
Rewrap = Callable[[UUID, VaultKey, VaultKey, int, Act | None], int]
_OTHERS: list[Rewrap] = []


def joins_rotations(rewrap: Rewrap) -> Rewrap:
    """What another room keeps under the vault's key is wrapped anew by this, given the vault, the old key, the new one,
    how many to do at once, and the act that makes an end of it: None before that, when each slice is a transaction of
    its own (`log.in_turn`). A rotation that leaves something out is refused by the database, and destroys nothing.
    """
    _OTHERS.append(rewrap)
    return rewrap


def rotate(vault_id: UUID, now: datetime) -> int | None:
    """Change a vault's key; a change that somebody fell over is ended first. Returns the new epoch, or None where
    nothing was changed: the vault has no key, somebody else changed it meanwhile, or clients propose so fast that some
    of it always waits to be compared with what is kept. Raises where a key does not open: before anything has begun, or
    else with both keys there, so that whatever opened opens.
    """
    key = epochs.key_at_once(vault_id, CLOCK)
    if key is not None and key.before is not None:
        if _end(vault_id, key.before, key) is None:
            return None
        key = epochs.key_at_once(vault_id, CLOCK)
    if key is None:
        return None
    new = epochs.following(key)
    _open_all(vault_id, key, new)
    epochs.begin(vault_id, key, new, now)
    return go_on(vault_id)


def go_on(vault_id: UUID) -> int | None:
    """Make an end of a change that was begun, and begin no other: by whoever began it, or after they fell. Returns the
    vault's epoch, or None where none was under way or somebody else made the end, and as `rotate` does.
    """
    key = epochs.key_at_once(vault_id, CLOCK)
    return _end(vault_id, key.before, key) if key is not None and key.before is not None else None


def _open_all(vault_id: UUID, old: VaultKey, new: VaultKey) -> None:
    """Do all keys open, and all that prints are made of? Raises sealing.CannotOpen."""
    for keys in _keys(vault_id, old):
        epochs.rewrapped(vault_id, old, new, keys)
    for sealed in _prints(vault_id, old, new):
        prints.rekeyed(vault_id, old, new, sealed)


def _end(vault_id: UUID, old: VaultKey, new: VaultKey) -> int | None:
    _follow(vault_id, old, new)
    for _ in range(TRIES):
        catch_up(vault_id)
        with act(vault_id, CLOCK) as ending:
            key = store.vault_key(vault_id)
            if key is None or key.before != old:
                ending.cancel()
                return None
            if not epochs.compared(ending):
                ending.cancel()
                continue
            _follow(vault_id, old, new, ending)  # what came in between
            epochs.retire(ending, old.epoch)
            ending.record(ReceiptKind.KEYS_ROTATED, object=typed("vlt", vault_id), version=new.epoch)
        return new.epoch
    return None


def _follow(vault_id: UUID, old: VaultKey, new: VaultKey, within: Act | None = None) -> None:
    """Whatever is under the old key alone is under the new one, too; done again, it does what is left."""
    for keys in _keys(vault_id, old, within):
        epochs.put_back(vault_id, old, new, epochs.rewrapped(vault_id, old, new, keys), within)
    for sealed in _prints(vault_id, old, new, within):
        prints.put_beside(vault_id, old, new, prints.rekeyed(vault_id, old, new, sealed), within)
    for rewrap in _OTHERS:
        rewrap(vault_id, old, new, PAGE, within)


def _keys(vault_id: UUID, old: VaultKey, within: Act | None = None) -> Iterator[tuple[WrappedKey, ...]]:
    page = epochs.wrapped_under(vault_id, old.epoch, FIRST, PAGE, within)
    while page:
        yield page
        after = (page[-1].memory_id, page[-1].version)
        page = epochs.wrapped_under(vault_id, old.epoch, after, PAGE, within) if len(page) == PAGE else ()


def _prints(vault_id: UUID, old: VaultKey, new: VaultKey, within: Act | None = None) -> Iterator[list[prints.Sealed]]:
    page = prints.sealed_under(vault_id, old, new, FIRST, PAGE, within)
    while page:
        yield page
        page = prints.sealed_under(vault_id, old, new, page[-1][:2], PAGE, within) if len(page) == PAGE else []
