"""Rows of keys as facts, and what changes them from epoch to epoch: a part of the store."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from django.db import DatabaseError, IntegrityError, connections, transaction

from apps.ledger import log
from apps.ledger.log import Act
from apps.ledger.tickets import issue
from apps.memories import sealing
from apps.memories.keys import VaultKey, WrappedKey, WrappedVaultKey
from apps.memories.models import ProposalRow, RootEpochRow, VaultKeyRow
from apps.memories.roots import root_keys
from apps.policy.people import CLOCK
from apps.policy.vocabulary import ProposalStatus

T = TypeVar("T")
KEY_WAS_CHANGED = "MU002"  # what gate.put says of a seal under a key of the vault that is not there any more


@dataclass(frozen=True, slots=True)
class RootEpoch:
    """A root key that vault keys are or were wrapped under; `idle_at`: since when none is."""

    epoch: int
    made_at: datetime
    idle_at: datetime | None


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many vaults wait for another key because something was erased, since when the first does, and how many
    vaults' keys are not wrapped under the newest root key."""

    vaults: int
    since: datetime | None
    unwrapped: int


# ---------------------------------------------------------------- the vault's key
def stored(vault_id: UUID, actor: str) -> tuple[WrappedVaultKey, ...]:
    """The vault's keys as stored, outside every look and act."""
    (rows,) = log.fetch(vault_id, actor, [asking_key(vault_id)])
    return tuple(WrappedVaultKey(epoch, root, bytes(key), bytes(index)) for epoch, root, key, index in rows)


def key_at_once(vault_id: UUID, actor: str) -> VaultKey | None:
    """The vault's newest key in clear, outside every look and act, in one network round trip."""
    (rows,) = log.fetch(vault_id, actor, [asking_key(vault_id)])
    return told_key(vault_id, rows)


def asking_key(vault_id: UUID, epoch: int | None = None) -> tuple[str, Sequence[Any]]:
    """A query for the keys there are (or that of an epoch), for an act to ask as it opens; `told_key` reads its rows.
    Within an act nobody changes them.
    """
    columns = "SELECT epoch, root_epoch, wrapped, index_wrapped FROM vault_key WHERE vault_id = %s"
    if epoch is not None:
        return f"{columns} AND epoch = %s", [vault_id, epoch]
    return f"{columns} ORDER BY epoch", [vault_id]


def told_key(vault_id: UUID, rows: Iterable[Sequence[Any]]) -> VaultKey | None:
    """The vault's newest key in clear, from the rows of `asking_key`; None before the first seal. Where its change is
    not over it knows the one `before`. Raises sealing.CannotOpen.
    """
    key: VaultKey | None = None
    for epoch, root_epoch, wrapped, index_wrapped in rows:
        row = WrappedVaultKey(epoch, root_epoch, bytes(wrapped), bytes(index_wrapped))
        key = replace(sealing.open_vault_key(vault_id, row), before=key)
    return key


def key_that_opens(vault_id: UUID, rows: Iterable[Sequence[Any]]) -> VaultKey | None:
    """As `told_key`; None also where it does not open."""
    try:
        return told_key(vault_id, rows)
    except sealing.CannotOpen:
        return None


def shut(vault_id: UUID, actor: str) -> tuple[WrappedVaultKey, ...]:
    """Those of the vault's keys that do not open with the root keys there are."""
    found = []
    for each in stored(vault_id, actor):
        try:
            sealing.open_vault_key(vault_id, each)
        except sealing.CannotOpen:
            found.append(each)
    return tuple(found)


def make(act: Act, now: datetime) -> VaultKey:
    """The vault's first key. Raises sealing.CannotOpen."""
    key = sealing.new_key()
    wrapped = sealing.wrap_vault_key(act.vault_id, key, root_to_use(now))
    VaultKeyRow.objects.create(
        vault_id=act.vault_id,
        epoch=wrapped.epoch,
        root_epoch=wrapped.root_epoch,
        wrapped=wrapped.wrapped,
        index_wrapped=wrapped.index_wrapped,
        made_at=now,
    )
    return key


def following(key: VaultKey) -> VaultKey:
    """A key that may follow this one."""
    return sealing.new_key(key)


def begin(vault_id: UUID, old: VaultKey, new: VaultKey, now: datetime) -> None:
    """From now on whatever is sealed is sealed under the key that follows. Nothing happens where the vault has another
    key by now than `old` alone.
    """
    made = sealing.wrap_vault_key(vault_id, new, root_to_use(now))
    given = [vault_id, made.epoch, made.root_epoch, made.wrapped, made.index_wrapped, now]
    log.in_turn(vault_id, CLOCK, [(_BEGUN, [*given, vault_id, old.epoch, vault_id, old.epoch])])


def again_if_changed(deed: Callable[[VaultKey | None], T], key: VaultKey | None) -> T:
    """Do it with a key that was read before. Where that was changed since, and so nothing was done, do it once more
    with none: then it is read in the act, under whose lock nobody changes it.
    """
    try:
        return deed(key)
    except DatabaseError as error:
        if getattr(error.__cause__, "sqlstate", None) != KEY_WAS_CHANGED:
            raise
    return deed(None)


def compared(act: Act) -> bool:
    """Was everything compared that is to be? What waits for it is keyed with the key that there is."""
    rows = ProposalRow.objects.filter(vault_id=act.vault_id, status=ProposalStatus.PENDING.value)
    return not rows.filter(unnoticed__isnull=False).exists()


def wrapped_under(
    vault_id: UUID, epoch: int, after: tuple[UUID, int], limit: int, act: Act | None = None
) -> tuple[WrappedKey, ...]:
    """A page of the value keys under this epoch: by (memory, version), from the one that follows `after` on. Within the
    clock's `act`, or else outside every look and act.
    """
    given = [vault_id, _ticket(vault_id, act), epoch, *after, limit]
    query = "SELECT * FROM gate.wrapped_keys(%s, %s, %s, %s, %s, %s)"
    (rows,) = log.in_turn(vault_id, CLOCK, [(query, given)], act)
    return tuple(
        WrappedKey(memory_id, version, category, attested, bytes(wrapped))
        for memory_id, version, category, attested, wrapped in rows
    )


def rewrapped(vault_id: UUID, old: VaultKey, new: VaultKey, keys: Sequence[WrappedKey]) -> list[WrappedKey]:
    """Value keys under the next key of the vault. No value is opened. Raises sealing.CannotOpen."""
    return [replace(each, wrapped=sealing.rewrap_key(vault_id, old, new, each)) for each in keys]


def put_back(vault_id: UUID, old: VaultKey, new: VaultKey, keys: Sequence[WrappedKey], act: Act | None = None) -> None:
    """Value keys that were wrapped anew, for those that were not erased meanwhile."""
    given = [
        vault_id,
        _ticket(vault_id, act),
        old.epoch,
        new.epoch,
        [each.memory_id for each in keys],
        [each.version for each in keys],
        [each.wrapped for each in keys],
    ]
    log.in_turn(vault_id, CLOCK, [("SELECT gate.rewrap_keys(%s, %s, %s, %s, %s, %s, %s)", given)], act)


def retire(act: Act, epoch: int) -> None:
    """Destroy an epoch of the vault's key, and the prints that were made with it: those that followed are in use from
    here on. The database refuses while anything is sealed under it, or a print has none that follows.
    """
    act.later("SELECT gate.retire_key(%s, %s, %s)", [act.vault_id, act.ticket, epoch])


def _ticket(vault_id: UUID, act: Act | None) -> str:
    return act.ticket if act is not None else issue(vault_id, CLOCK, "-")


_BEGUN = """
INSERT INTO vault_key (vault_id, epoch, root_epoch, wrapped, index_wrapped, made_at)
SELECT %s, %s, %s, %s, %s, %s WHERE EXISTS (SELECT FROM vault_key k WHERE k.vault_id = %s AND k.epoch = %s)
   AND NOT EXISTS (SELECT FROM vault_key k WHERE k.vault_id = %s AND k.epoch <> %s)
"""


# ---------------------------------------------------------------- the root keys
def roots() -> tuple[RootEpoch, ...]:
    """Every root key that the database knows of, the oldest first."""
    rows = RootEpochRow.objects.order_by("epoch").values_list("epoch", "made_at", "idle_at")
    return tuple(RootEpoch(*row) for row in rows)


def root_to_use(now: datetime) -> int:
    """The epoch of the root key that a new vault key is wrapped under: the newest that the file holds and the database
    knows of, or a newer one than all of these that somebody put into the file."""
    known, held = {each.epoch for each in roots()}, root_keys()
    usable = known & held.keys()
    if usable:
        return max(usable)
    newest = max(held)
    if newest > max(known, default=0):
        know_root(newest, now)
    return newest


def know_root(epoch: int, now: datetime) -> None:
    """Let vault keys be wrapped under this root key."""
    RootEpochRow.objects.bulk_create([RootEpochRow(epoch=epoch, made_at=now)], ignore_conflicts=True)


def note_idle(epoch: int, now: datetime) -> bool:
    """Note that nothing is wrapped under this root key, from now on or since it was noted. False where something is."""
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT gate.root_used(%s)", [epoch])
        used = bool(cursor.fetchone()[0])
    rows = RootEpochRow.objects.filter(epoch=epoch, idle_at__isnull=not used)
    rows.update(idle_at=None if used else now)
    return not used


def forget_root(epoch: int) -> bool:
    """Let nothing be wrapped under this root key ever again. False where something is: then nothing changes."""
    try:
        with transaction.atomic():
            RootEpochRow.objects.filter(epoch=epoch).delete()
    except IntegrityError:
        return False
    return True


def rewrap_under_root(vault_id: UUID, actor: str, root_epoch: int) -> int:
    """Wrap a vault's keys under this root key; done twice, the second does nothing. Returns how many were wrapped.

    Raises sealing.CannotOpen.
    """
    ticket = issue(vault_id, actor, "-")
    queries = []
    for each in stored(vault_id, actor):
        if each.root_epoch != root_epoch:
            made = sealing.rewrap_vault_key(vault_id, each, root_epoch)
            given = [each.epoch, each.root_epoch, root_epoch, made.wrapped, made.index_wrapped]
            queries.append(("SELECT gate.rewrap_vault_key(%s, %s, %s, %s, %s, %s, %s)", [vault_id, ticket, *given]))
    return sum(bool(row[0][0]) for row in log.fetch(vault_id, actor, queries)) if queries else 0


# ---------------------------------------------------------------- what is due
def due(kind: str, root_epoch: int, after: UUID, limit: int) -> tuple[tuple[UUID, datetime], ...]:
    """Whose keys wait to be changed, see `gate.keys_due`: (vault, since), by id, from the one that follows `after`."""
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT * FROM gate.keys_due(%s, %s, %s, %s)", [kind, root_epoch, after, limit])
        return tuple(cursor.fetchall())


def waiting(root_epoch: int) -> Waiting:
    """How much of it there is."""
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT * FROM gate.keys_waiting(%s)", [root_epoch])
        return Waiting(*cursor.fetchone())
