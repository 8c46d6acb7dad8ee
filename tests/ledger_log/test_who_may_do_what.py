"""The walls around the log: only its own role writes it, nobody changes it, and it leads to no value.

The web role serves what is public and sees of the rest what its ticket's vault owns.
"""

from typing import Any

import psycopg
import pytest

from apps.ledger import services as ledger
from apps.ledger.tickets import issue
from tests import databases
from tests.cast import Vault, new_vault

REFUSED = psycopg.errors.InsufficientPrivilege
TABLES = ("tree", "leaf", "tile", "checkpoint", "key", "place", "pseudonym")


@pytest.fixture
def logged(publisher: ledger.Publisher, alice: Vault) -> Vault:
    """Alice's vault and another one, both in the log."""
    new_vault("Mallory")
    publisher.step(everything=True)
    return alice


WRITES = [
    "INSERT INTO log.tree VALUES (1, 'x', 0, sha256('x'))",
    "UPDATE log.tree SET size = size + 1",
    "INSERT INTO log.leaf VALUES (99, 'x', sha256('x'))",
    "INSERT INTO log.tile VALUES (1, 99, sha256('x'))",
    "INSERT INTO log.checkpoint (size, note) VALUES (99, 'x')",
    "INSERT INTO log.key (vkey) VALUES ('x')",
    "INSERT INTO log.place VALUES (gen_random_uuid(), 1, 99)",
    "INSERT INTO log.pseudonym VALUES (gen_random_uuid(), sha256('x'))",
    *[f"DELETE FROM log.{table}" for table in TABLES],
    *[f"TRUNCATE log.{table} CASCADE" for table in TABLES],
]


CHANGES = [
    "UPDATE log.leaf SET entry = 'x'",
    "UPDATE log.tree SET size = size - 1",
    "UPDATE log.tree SET root = sha256('x')",
    "UPDATE log.tree SET origin = 'x', size = size + 1",
    "UPDATE log.checkpoint SET note = 'x'",
    "UPDATE log.key SET vkey = 'x'",
    "UPDATE log.place SET index = 99",
    "UPDATE log.pseudonym SET key = sha256('x')",
    *[f"DELETE FROM log.{table}" for table in TABLES if table != "tile"],
    *[f"TRUNCATE log.{table} CASCADE" for table in TABLES],
]


def refused(role: str, statements: list[str]) -> list[str]:
    """Those of the statements that the role may not carry out."""
    found = []
    with databases.connect(role, autocommit=True) as connection:
        for statement in statements:
            try:
                connection.execute(statement)
            except REFUSED:
                found.append(statement)
    return found


@pytest.mark.parametrize("role", ["app", "gate", "admin"])
def test_no_other_role_writes_it(logged: Vault, role: str) -> None:
    assert refused(role, WRITES) == WRITES


@pytest.mark.parametrize("role", ["log", "owner"])
def test_nobody_changes_what_was_logged_not_even_its_owner(logged: Vault, role: str) -> None:
    assert refused(role, CHANGES) == CHANGES


@pytest.mark.parametrize("role", ["log", "owner"])
def test_a_tile_only_grows(logged: Vault, role: str) -> None:
    with databases.connect(role) as connection:
        connection.execute("INSERT INTO log.tile VALUES (1, 5, sha256('a'))")
        connection.execute("UPDATE log.tile SET hashes = hashes || sha256('b')")
        with pytest.raises(REFUSED):
            connection.execute("UPDATE log.tile SET hashes = sha256('b') || hashes")
        connection.rollback()


@pytest.mark.parametrize("table", ["place", "pseudonym"])
def test_the_web_role_sees_whose_leaf_is_whose_for_its_ticket_s_vault_alone(
    logged: Vault, table: str, admin: psycopg.Connection[Any]
) -> None:
    assert admin.execute(f"SELECT count(DISTINCT vault_id) FROM log.{table}").fetchone() == (2,)
    with databases.connect("app") as connection:
        assert connection.execute(f"SELECT vault_id FROM log.{table}").fetchall() == []
        connection.execute(f"SET LOCAL muniment.ticket = '{issue(logged.id, logged.holder.actor, '-')}'")
        assert connection.execute(f"SELECT vault_id FROM log.{table}").fetchall() == [(logged.id,)]


def test_what_is_public_names_no_vault(logged: Vault, admin: psycopg.Connection[Any]) -> None:
    rows = admin.execute(
        "SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
        " WHERE c.relnamespace = 'log'::regnamespace AND a.attname = 'vault_id' AND c.relkind = 'r'"
    ).fetchall()
    assert {name for (name,) in rows} == {"place", "pseudonym"}
    with databases.connect("app") as connection:
        for table in ("tree", "leaf", "tile", "checkpoint", "key"):
            shown = str(connection.execute(f"SELECT * FROM log.{table}").fetchall())
            assert str(logged.id) not in shown and logged.id.hex not in shown


def test_only_the_log_s_role_asks_for_heads(logged: Vault) -> None:
    asks = ["SELECT * FROM gate.changed_heads(true, 10)", "SELECT * FROM gate.heads(NULL, 10)"]
    for role in ("app", "gate", "owner", "admin"):
        assert refused(role, asks) == asks
    assert refused("log", asks) == []


def test_the_log_s_role_reads_no_value_and_writes_no_receipt(logged: Vault, log_role: psycopg.Connection[Any]) -> None:
    statements = [
        "SELECT ciphertext FROM sealed.value",
        "SELECT wrapped FROM sealed.key",
        "SELECT * FROM sealed.chain_head",
        "SELECT * FROM memory",
        "SELECT * FROM vault_key",
        "INSERT INTO receipt SELECT * FROM receipt",
        "UPDATE receipt SET kind = 'x'",
        "DELETE FROM receipt",
    ]
    assert refused("log", statements) == statements
    executes = log_role.execute(
        "SELECT p.proname FROM pg_proc p WHERE p.pronamespace = 'gate'::regnamespace"
        " AND has_function_privilege(p.oid, 'EXECUTE') ORDER BY 1"
    ).fetchall()
    assert [name for (name,) in executes] == ["changed_heads", "heads", "hold", "lift", "read_ticket", "ticket_vault"]
    readable = log_role.execute(
        "SELECT c.oid::regclass::text FROM pg_class c WHERE c.relkind IN ('r', 'v', 'm')"
        " AND c.relnamespace IN ('public'::regnamespace, 'sealed'::regnamespace)"
        " AND has_table_privilege(c.oid, 'SELECT') AND has_schema_privilege(c.relnamespace, 'USAGE')"
    ).fetchall()
    assert readable == [("receipt",)]
