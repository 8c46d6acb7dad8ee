"""An older copy opens nothing that was erased, with every wrapped key beside it and today's root keys, once keys
changed.

Protects whoever had something erased from who kept the database as it was. Changing the vault's key alone is not
enough, nor the root key's: that is shown, too.
"""

# ruff: noqa: F811  (fixtures are imported)

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from apps.memories import services as memories
from tests.cast import Vault
from tests.keys.conftest import admin, alice, alone, mallory  # noqa: F401  (fixtures)
from tests.keys.looks import Copy, copy_of, erase, plain, shown
from vault.clock import utc_now

NOW: dict[str, Any] = {"anew": True}
AT_ONCE: dict[str, Any] = {"grace": timedelta(0)}


def done(turned: memories.Turned) -> None:
    assert not turned.stuck
    assert turned.destroyed


def vault_keys(admin: Any, vault: Vault) -> list[tuple[int, int, bytes]]:
    """(root epoch, epoch, wrapped) of the vault's keys."""
    query = "SELECT root_epoch, epoch, wrapped FROM vault_key WHERE vault_id = %s ORDER BY epoch"
    return list(admin.execute(query, [vault.id]).fetchall())


def with_vault_key(copy: Copy, key: tuple[int, int, bytes]) -> Copy:
    """The copy with a vault key from elsewhere, which is tried for every value's."""
    root, epoch, wrapped = key
    rows = (replace(row, root_epoch=root, epoch=epoch, vault_key=wrapped) for row in copy.rows)
    return Copy(copy.vault_id, tuple(rows))


def test_nothing_of_the_copy_opens_any_more(alice: Vault, mallory: Vault, admin: Any) -> None:
    before, others = copy_of(admin, alice), copy_of(admin, mallory)
    assert before.opened() >= set(plain(alice).values())
    erase(alice, "diary")
    done(memories.turn(utc_now(), **NOW, **AT_ONCE))
    assert before.opened() == set()
    assert others.opened() == set()
    assert shown(alice) == plain(alice)
    assert shown(mallory) == plain(mallory)


def test_with_whatever_vault_key_came_later_it_opens_no_more(alice: Vault, admin: Any, alone: Path) -> None:
    """Later copies have the vault's key under newer root keys, the old one has the value's key under the vault's."""
    before, gone = copy_of(admin, alice), alice.values["diary"]
    erase(alice, "diary")
    done(memories.turn(utc_now(), **NOW, **AT_ONCE))
    keys = alone.read_text()
    later = vault_keys(admin, alice)
    done(memories.turn(utc_now(), **NOW, **AT_ONCE))
    for wrapped in (*later, *vault_keys(admin, alice)):
        assert gone not in with_vault_key(before, wrapped).opened()
    alone.write_text(keys)  # and with the root keys of the time between
    for wrapped in later:
        assert gone not in with_vault_key(before, wrapped).opened()


def test_without_it_the_copy_still_opens_what_was_erased(alice: Vault, admin: Any) -> None:
    """What an erasure alone does not reach, and the reason for all of this."""
    before, gone = copy_of(admin, alice), alice.values["diary"]
    erase(alice, "diary")
    assert gone in before.opened()


def test_the_vault_s_key_alone_is_not_enough(alice: Vault, admin: Any) -> None:
    before, gone = copy_of(admin, alice), alice.values["diary"]
    erase(alice, "diary")
    assert memories.rotate(alice.id, utc_now()) == 2
    assert gone in before.opened()


def test_the_root_key_alone_is_not_enough(alice: Vault, admin: Any) -> None:
    """Where nothing was erased the vault's key lives on under the new root key, and opens the old copy of a value's."""
    before, gone = copy_of(admin, alice), alice.values["diary"]
    done(memories.turn(utc_now(), **NOW, **AT_ONCE))
    erase(alice, "diary")
    assert before.opened() == set()
    assert any(gone in with_vault_key(before, wrapped).opened() for wrapped in vault_keys(admin, alice))


def test_vaults_in_which_nothing_was_erased_keep_their_key(alice: Vault, mallory: Vault, admin: Any) -> None:
    erase(alice, "diary")
    assert memories.turn(utc_now(), **NOW).vaults == 1
    assert [epoch for _, epoch, _ in vault_keys(admin, alice)] == [2]
    assert [epoch for _, epoch, _ in vault_keys(admin, mallory)] == [1]
