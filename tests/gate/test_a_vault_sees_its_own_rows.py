"""Row security: of every tenant table the web role sees and writes the rows of its ticket's vault, and no others.

The tables are found in the catalogue and filled from it, so that a new one is under test from its first migration.
"""

import re
from functools import partial
from typing import Any

import psycopg
import pytest
from psycopg import sql

from tests.gate.cast import GLOBAL, Connection, Vault, forged_ticket, open_vault

COLUMNS = """
SELECT a.attname, format_type(a.atttypid, NULL) FROM pg_attribute a
 WHERE a.attrelid = %s::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attnotnull
"""
CHECKS = "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = %s::regclass AND contype = 'c'"
SOME = {
    "uuid": "gen_random_uuid()",
    "text": "''",
    "smallint": "1",
    "integer": "1",
    "bigint": "1",
    "boolean": "false",
    "bytea": "''::bytea",
    "jsonb": "'[]'",
    "timestamp with time zone": "now() + interval '90 days'",  # nothing that any job finds due
    "date": "current_date",
    "uuid[]": "'{}'",
    "bigint[]": "'{}'",
}


LATER = "now() + interval '91 days'"


def tenant_tables(admin: Connection) -> list[str]:
    """Every table in public with a vault_id, but for the global ones."""
    rows = admin.execute(
        "SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
        " WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'vault_id'"
    )
    return sorted({str(row[0]) for row in rows} - GLOBAL)


def fill(admin: Connection, table: str, vault: Vault) -> None:
    """A row of `vault`: any value its type allows, or the first that a check constraint lists; later, if it must."""
    listed: dict[str, str] = {}
    for (check,) in admin.execute(CHECKS, [table]).fetchall():
        listed |= dict(re.findall(r"\(?(\w+)\)? = ANY \(+ARRAY\[('[^']*')", check))
        listed |= dict.fromkeys(re.findall(r"\((\w+) > \w+\)", check), LATER)
    columns = admin.execute(COLUMNS, [table]).fetchall()
    values = [
        str(vault.id).join("''") if name == "vault_id" else listed.get(name, SOME[kind]) for name, kind in columns
    ]
    names = ", ".join(f'"{name}"' for name, _ in columns)
    with admin.transaction():
        admin.execute("SET LOCAL session_replication_role = replica")  # foreign keys are not what is tested
        admin.execute(f"INSERT INTO {table} ({names}) VALUES ({', '.join(values)}) ON CONFLICT DO NOTHING")


def look(app: Connection, ticket: str | None, statement: str) -> list[tuple[Any, ...]]:
    """Run a statement as the web role in a transaction with this ticket, and undo it."""
    try:
        if ticket is not None:
            app.execute(sql.SQL("SET LOCAL muniment.ticket = {}").format(sql.Literal(ticket)))
        cursor = app.execute(statement)
        return cursor.fetchall() if cursor.description else [(cursor.rowcount,)]
    finally:
        app.rollback()


@pytest.fixture
def two(admin: Connection, vault: Vault) -> tuple[Vault, Vault]:
    """Two vaults with a row in every tenant table."""
    other = open_vault(admin, 2)
    for table in tenant_tables(admin):
        for each in (vault, other):
            fill(admin, table, each)
    return vault, other


def test_there_are_tenant_tables(admin: Connection) -> None:
    assert {"memory", "receipt", "access_grant", "proposal"} <= set(tenant_tables(admin))


def test_its_own_ticket_shows_its_own_rows_and_no_others(
    app: Connection, admin: Connection, two: tuple[Vault, Vault]
) -> None:
    for table in tenant_tables(admin):
        for vault in two:
            seen = look(app, vault.act_ticket, f"SELECT DISTINCT vault_id FROM {table}")
            assert seen == [(vault.id,)], table


def test_no_valid_ticket_shows_nothing(app: Connection, admin: Connection, two: tuple[Vault, Vault]) -> None:
    vault = two[0]
    tickets = {
        "none": None,
        "empty": "",
        "forged": forged_ticket(vault, key=b"guess"),
        "expired": forged_ticket(vault, seconds=-1),
        "garbage": "a|b|c|d|e",
        "the vault's bare id": str(vault.id),
        "another's signature": two[1].act_ticket.replace(str(two[1].id), str(vault.id)),
    }
    for table in tenant_tables(admin):
        for name, ticket in tickets.items():
            assert look(app, ticket, f"SELECT 1 FROM {table}") == [], (table, name)


def test_a_ticket_ends_with_its_transaction(app: Connection, vault: Vault) -> None:
    assert look(app, vault.act_ticket, "SELECT DISTINCT vault_id FROM memory") == [(vault.id,)]
    assert look(app, None, "SELECT 1 FROM memory") == []


def test_another_vault_s_rows_cannot_be_written(app: Connection, admin: Connection, two: tuple[Vault, Vault]) -> None:
    """An update finds none of them, an insert is refused; where the role may not write at all, that is the refusal."""
    mine, theirs = two
    for table in tenant_tables(admin):
        column = (admin.execute(COLUMNS, [table]).fetchall())[-1][0]
        attempt = partial(look, app, mine.act_ticket)
        if _may(admin, table, "UPDATE"):
            found = attempt(f'UPDATE {table} SET "{column}" = "{column}" WHERE vault_id = \'{theirs.id}\'')
            assert found == [(0,)], table
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                attempt(f"UPDATE {table} SET vault_id = '{theirs.id}'")
        if _may(admin, table, "INSERT"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                attempt(
                    f"INSERT INTO {table} SELECT (jsonb_populate_record({table}, "
                    f"jsonb_build_object('vault_id', '{theirs.id}'))).* FROM {table} LIMIT 1"
                )


def _may(admin: Connection, table: str, privilege: str) -> bool:
    row = admin.execute("SELECT has_table_privilege('muniment_app', %s, %s)", [table, privilege]).fetchone()
    return bool(row and row[0])
