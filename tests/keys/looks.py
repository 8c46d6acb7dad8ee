"""What tests of keys look at."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from apps.memories import sealing
from apps.memories import services as memories
from apps.turns import services as turns
from tests.cast import QUESTION, Vault
from tests.erasing import erase_within_an_act
from vault.clock import utc_now

_COPY = (
    "SELECT v.memory_id, v.version, v.category, v.attested, v.nonce, v.ciphertext, y.epoch, y.wrapped, k.root_epoch,"
    " k.wrapped FROM sealed.value v JOIN sealed.key y USING (vault_id, memory_id, version)"
    " JOIN vault_key k USING (vault_id, epoch) WHERE v.vault_id = %s"
)


@dataclass(frozen=True)
class Copy:
    """What somebody has of a vault who kept its rows of then: sealed values, with every wrapped key beside them."""

    vault_id: UUID
    rows: tuple[sealing.Sealed, ...]

    def opened(self) -> set[str]:
        """The values that open with the root keys of today."""
        found = set()
        for row in self.rows:
            try:
                found.add(sealing.open_value(self.vault_id, row))
            except sealing.CannotOpen:
                continue
        return found


def copy_of(admin: Any, vault: Vault) -> Copy:
    """A copy of the vault's rows as they are now, as any backup has one."""
    return Copy(vault.id, tuple(sealing.Sealed(*row) for row in admin.execute(_COPY, [vault.id]).fetchall()))


def shown(vault: Vault) -> dict[str, str | None]:
    """The values that the holder is shown, by the memories' short names."""
    names = {memory_id: name for name, memory_id in vault.ids.items()}
    ids, found = list(names), {}
    for start in range(0, len(ids), memories.MOST_SHOWN):
        for each in memories.show(vault.holder, ids[start : start + memories.MOST_SHOWN]).values:
            found[names[each.memory_id]] = each.value
    return found


def plain(vault: Vault) -> dict[str, str]:
    """The values as they were kept."""
    return {name: vault.values[name] for name in vault.ids}


def talk(vault: Vault) -> UUID:
    """A turn that was asked, decided and answered."""
    asked = turns.ask(vault.holder, QUESTION, utc_now())
    turns.decide(vault.holder, asked.turn_id, ordinary=frozenset({vault.ids["kitchen"]}), now=utc_now())
    list(turns.answer(vault.holder, asked.turn_id, utc_now()))
    return asked.turn_id


def erase(vault: Vault, name: str) -> None:
    """Erase one memory, and forget its name."""
    erase_within_an_act(vault, name)
    del vault.ids[name]
