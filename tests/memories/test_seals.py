"""A seal is bound to what it is about: a row that was relabelled, moved or swapped does not open."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.memories import sealing
from apps.memories import services as memories
from tests.cast import Assistant, Vault, give
from vault.clock import utc_now


def tampered(admin: Any, statement: str, *given: Any) -> None:
    """What an operator can do who switches the triggers off."""
    admin.execute("SET session_replication_role = replica")
    try:
        admin.execute(statement, given)
    finally:
        admin.execute("SET session_replication_role = origin")


def test_a_special_memory_relabelled_as_ordinary_does_not_open(alice: Vault, cook: Assistant, admin: Any) -> None:
    """Labels decide who may read: edited everywhere at once, the seal still knows what it was."""
    where = [alice.id, alice.ids["pills"]]
    admin.execute(
        "UPDATE memory SET category = 'ordinary', neutral_label = '' WHERE vault_id = %s AND memory_id = %s", where
    )
    tampered(admin, "UPDATE sealed.value SET category = 'ordinary' WHERE vault_id = %s AND memory_id = %s", *where)
    give(cook, "pills")
    with pytest.raises(sealing.CannotOpen):
        cook.read("pills")
    with pytest.raises(sealing.CannotOpen):
        memories.show(alice.holder, [alice.ids["pills"]])


def test_an_attested_memory_relabelled_as_plain_does_not_open(alice: Vault, cook: Assistant, admin: Any) -> None:
    where = [alice.id, alice.ids["budget"]]
    admin.execute("UPDATE memory SET attested = false, claim = NULL WHERE vault_id = %s AND memory_id = %s", where)
    tampered(admin, "UPDATE sealed.value SET attested = false WHERE vault_id = %s AND memory_id = %s", *where)
    give(cook, "budget")
    with pytest.raises(sealing.CannotOpen):
        cook.read("budget")


def test_edited_on_one_side_only_it_is_not_even_stamped(alice: Vault, cook: Assistant, admin: Any) -> None:
    admin.execute(
        "UPDATE memory SET category = 'ordinary', neutral_label = '' WHERE vault_id = %s AND memory_id = %s",
        [alice.id, alice.ids["pills"]],
    )
    give(cook, "pills")
    result = cook.read("pills")
    assert result.released == []
    assert alice.handed() == []


@pytest.mark.parametrize("column", ["ciphertext", "nonce"])
def test_changed_bytes_do_not_open(alice: Vault, admin: Any, column: str) -> None:
    tampered(
        admin,
        f"UPDATE sealed.value SET {column} = set_byte({column}, 0, get_byte({column}, 0) # 1)"
        " WHERE vault_id = %s AND memory_id = %s",
        alice.id,
        alice.ids["kitchen"],
    )
    with pytest.raises(sealing.CannotOpen):
        memories.show(alice.holder, [alice.ids["kitchen"]])


def test_two_memories_swapped_do_not_open(alice: Vault, admin: Any) -> None:
    kitchen, time = alice.ids["kitchen"], alice.ids["time"]
    row = admin.execute("SELECT nonce, ciphertext FROM sealed.value WHERE memory_id = %s", [time]).fetchone()
    key = admin.execute("SELECT wrapped FROM sealed.key WHERE memory_id = %s", [time]).fetchone()
    tampered(admin, "UPDATE sealed.value SET nonce = %s, ciphertext = %s WHERE memory_id = %s", *row, kitchen)
    tampered(admin, "UPDATE sealed.key SET wrapped = %s WHERE memory_id = %s", *key, kitchen)
    with pytest.raises(sealing.CannotOpen):
        memories.show(alice.holder, [kitchen])


def test_an_older_version_put_in_place_of_the_newer_does_not_open(alice: Vault, admin: Any) -> None:
    kitchen = alice.ids["kitchen"]
    memories.correct(alice.holder, kitchen, value="no oven any more", now=utc_now())
    for table, columns in (("value", ("nonce", "ciphertext")), ("key", ("wrapped",))):
        for column in columns:
            tampered(
                admin,
                f"UPDATE sealed.{table} n SET {column} = o.{column} FROM sealed.{table} o WHERE n.memory_id = %s"
                " AND n.version = 2 AND o.vault_id = n.vault_id AND o.memory_id = n.memory_id AND o.version = 1",
                kitchen,
            )
    with pytest.raises(sealing.CannotOpen):
        memories.show(alice.holder, [kitchen])


def test_another_vault_s_row_does_not_open(alice: Vault, mallory: Vault, admin: Any) -> None:
    """Copied with its key and under its vault's key's epoch: the wrap is for another vault."""
    row = admin.execute(
        "SELECT nonce, ciphertext FROM sealed.value WHERE memory_id = %s", [alice.ids["kitchen"]]
    ).fetchone()
    key = admin.execute("SELECT wrapped FROM sealed.key WHERE memory_id = %s", [alice.ids["kitchen"]]).fetchone()
    there = mallory.ids["kitchen"]
    tampered(admin, "UPDATE sealed.value SET nonce = %s, ciphertext = %s WHERE memory_id = %s", *row, there)
    tampered(admin, "UPDATE sealed.key SET wrapped = %s WHERE memory_id = %s", *key, there)
    with pytest.raises(sealing.CannotOpen):
        memories.show(mallory.holder, [there])


def test_without_the_root_key_nothing_opens(alice: Vault, settings: Any, tmp_path: Any) -> None:
    kept = settings.MUNIMENT_ROOT_KEY_FILE
    other = tmp_path / "root"
    other.write_text(f"1 {'ab' * 32}\n")
    settings.MUNIMENT_ROOT_KEY_FILE = str(other)
    with pytest.raises(sealing.CannotOpen):
        memories.show(alice.holder, [alice.ids["kitchen"]])
    settings.MUNIMENT_ROOT_KEY_FILE = kept
    assert memories.show(alice.holder, [alice.ids["kitchen"]]).values


def test_each_value_has_a_key_of_its_own(alice: Vault, admin: Any) -> None:
    alice.keep("one", "the same words", label="One")
    alice.keep("two", "the same words", label="Two")
    rows = admin.execute(
        "SELECT v.ciphertext, v.commitment, y.wrapped FROM sealed.value v JOIN sealed.key y USING (vault_id, memory_id)"
        " WHERE v.memory_id = ANY (%s)",
        [[alice.ids["one"], alice.ids["two"]]],
    ).fetchall()
    for column in range(3):
        assert rows[0][column] != rows[1][column]


def test_a_destroyed_key_takes_the_value_with_it(alice: Vault, cook: Assistant, admin: Any) -> None:
    give(cook, "kitchen")
    admin.execute("DELETE FROM sealed.key WHERE memory_id = %s", [alice.ids["kitchen"]])
    deeds: list[Callable[[], Any]] = [
        lambda: cook.read("kitchen").released,
        lambda: memories.show(alice.holder, [alice.ids["kitchen"]]).values,
    ]
    for deed in deeds:
        assert not deed()
