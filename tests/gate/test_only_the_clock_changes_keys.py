"""Wrapped keys are given out and put back in an act of the clock's alone; nothing under a key that is gone is taken."""

import os
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from apps.ledger.tickets import issue
from tests.gate.cast import CLIENT, HOLDER, Connection, Vault, open_vault

CLOCK = "sys_clock"
LIST = "SELECT * FROM gate.wrapped_keys(%s, %s, 1, '00000000-0000-0000-0000-000000000000', 0, 100)"
REWRAP = "SELECT gate.rewrap_keys(%s, %s, 1, 1, %s, %s, %s)"
RETIRE = "SELECT gate.retire_key(%s, %s, 1)"
ROOT = "SELECT gate.rewrap_vault_key(%s, %s, 1, 1, 1, %s, %s)"
PUT = "SELECT gate.put(%s, %s, %s, 1, 'ordinary', false, '\\x00', '\\x01', '\\x02', %s, '\\x03')"


def ticket(vault: Vault, actor: str = CLOCK) -> str:
    return issue(vault.id, actor, "-")


def opened(app: Connection, vault: Vault, actor: str = CLOCK) -> None:
    app.execute("SELECT gate.open(%s, %s)", [vault.id, ticket(vault, actor)])


def rewrapping(vault: Vault) -> list[Any]:
    return [[vault.memories[0]], [1], [os.urandom(60)]]


@pytest.mark.parametrize("actor", [HOLDER, CLIENT, "sys_index", "-", "sys_clock2"])
def test_nobody_else_is_given_a_wrapped_key_or_changes_one(app: Connection, vault: Vault, actor: str) -> None:
    deeds: list[tuple[str, list[Any]]] = [
        (LIST, []),
        (REWRAP, rewrapping(vault)),
        (RETIRE, []),
        (ROOT, [b"", b""]),
    ]
    for query, more in deeds:
        opened(app, vault, actor)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            app.execute(query, [vault.id, ticket(vault, actor), *more])
        app.rollback()


def test_outside_of_an_act_the_clock_is_given_none(app: Connection, vault: Vault) -> None:
    for query, more in ((LIST, []), (REWRAP, rewrapping(vault)), (RETIRE, [])):
        with pytest.raises(psycopg.errors.InvalidTransactionState):
            app.execute(query, [vault.id, ticket(vault), *more])
        app.rollback()


def test_another_vault_s_ticket_is_none(app: Connection, vault: Vault, admin: Connection) -> None:
    other = open_vault(admin)
    for query, more in ((LIST, []), (REWRAP, rewrapping(vault)), (RETIRE, []), (ROOT, [b"", b""])):
        opened(app, other)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            app.execute(query, [vault.id, ticket(other), *more])
        app.rollback()


def test_what_it_is_given_has_no_ciphertext(app: Connection, vault: Vault) -> None:
    opened(app, vault)
    rows = app.execute(LIST, [vault.id, ticket(vault)]).fetchall()
    assert {row[0] for row in rows} == set(vault.memories)
    told = b"".join(bytes(each) for row in rows for each in row if isinstance(each, bytes))
    assert not [each for each in vault.ciphertexts.values() if each in told]


def test_a_key_is_not_retired_while_anything_is_under_it_nor_the_only_one(
    app: Connection, vault: Vault, admin: Connection
) -> None:
    with pytest.raises(psycopg.errors.ObjectInUse, match="still sealed"):
        opened(app, vault)
        app.execute(RETIRE, [vault.id, ticket(vault)])
    app.rollback()
    admin.execute("DELETE FROM sealed.key WHERE vault_id = %s", [vault.id])
    with pytest.raises(psycopg.errors.ObjectInUse, match="no newer"):
        opened(app, vault)
        app.execute(RETIRE, [vault.id, ticket(vault)])
    app.rollback()


@pytest.mark.parametrize("epoch", [0, 2, -1])
def test_nothing_is_put_under_an_epoch_that_is_not_there(app: Connection, vault: Vault, epoch: int) -> None:
    opened(app, vault, HOLDER)
    with pytest.raises(psycopg.Error) as raised:
        app.execute(PUT, [vault.id, ticket(vault, HOLDER), uuid4(), epoch])
    assert raised.value.sqlstate == "MU002"
    app.rollback()


def test_a_root_key_that_is_used_cannot_be_forgotten(app: Connection, vault: Vault) -> None:
    with pytest.raises(psycopg.errors.ForeignKeyViolation):
        app.execute("DELETE FROM root_epoch WHERE epoch = 1")
    app.rollback()


def test_whoever_deletes_a_key_the_vault_s_own_notes_it(vault: Vault, admin: Connection) -> None:
    def noted() -> Any:
        row = admin.execute("SELECT erased_at FROM vault_key WHERE vault_id = %s", [vault.id]).fetchone()
        assert row is not None
        return row[0]

    assert noted() is None
    admin.execute("UPDATE sealed.key SET wrapped = wrapped WHERE vault_id = %s", [vault.id])
    assert noted() is None
    admin.execute("DELETE FROM sealed.key WHERE vault_id = %s AND memory_id = %s", [vault.id, vault.memories[0]])
    first = noted()
    assert first is not None
    admin.execute("DELETE FROM sealed.key WHERE vault_id = %s", [vault.id])
    assert noted() == first
