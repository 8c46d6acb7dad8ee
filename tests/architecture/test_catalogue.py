"""Who may do what in the database, as its catalogue says: compared with catalogue.json, so that no migration
widens a right unseen.

A wanted change: run this file with WRITE_CATALOGUE=1 and read the difference before you commit it.
"""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests import databases
from tests.gate.cast import GLOBAL

SNAPSHOT = Path(__file__).with_name("catalogue.json")
SCHEMAS = ["public", "sealed", "gate", "log"]

QUERIES = {
    "schemas": """
        SELECT nspname, pg_get_userbyid(nspowner), nspacl::text[] FROM pg_namespace
         WHERE nspname = ANY (%(schemas)s)""",
    "relations": """
        SELECT c.oid::regclass, pg_get_userbyid(c.relowner), c.relacl::text[], c.relkind, c.relpersistence,
               c.relrowsecurity, c.relforcerowsecurity, array_to_string(c.reloptions, ',')
          FROM pg_class c WHERE c.relnamespace = ANY (%(schemas)s::regnamespace[]) AND c.relkind IN ('r', 'p', 'v', 'm')
           AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')""",
    "columns": """
        SELECT a.attrelid::regclass || '.' || a.attname, a.attacl::text[], a.attstattarget
          FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
         WHERE c.relnamespace = ANY (%(schemas)s::regnamespace[]) AND a.attnum > 0
           AND (a.attacl IS NOT NULL OR a.attstattarget >= 0)""",
    "functions": """
        SELECT p.oid::regprocedure, pg_get_userbyid(p.proowner), p.proacl::text[], p.prosecdef, p.proconfig,
               p.provolatile
          FROM pg_proc p WHERE p.pronamespace = ANY (%(schemas)s::regnamespace[])
           AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')""",
    "policies": """
        SELECT tablename || '.' || policyname, permissive, roles::text[], cmd, qual, with_check
          FROM pg_policies WHERE schemaname = ANY (%(schemas)s)""",
    "triggers": """
        SELECT tgrelid::regclass || '.' || tgname, tgenabled, pg_get_triggerdef(oid) FROM pg_trigger
         WHERE NOT tgisinternal""",
    "default privileges": """
        SELECT pg_get_userbyid(defaclrole) || ' ' || coalesce(defaclnamespace::regnamespace::text, '*') || ' '
               || defaclobjtype::text, defaclacl::text[]
          FROM pg_default_acl""",
    "roles": """
        SELECT rolname, rolcanlogin, rolsuper, rolcreatedb, rolcreaterole, rolbypassrls, rolreplication,
               ARRAY(SELECT m.roleid::regrole || ' inherit ' || m.inherit_option || ' set ' || m.set_option
                       FROM pg_auth_members m WHERE m.member = r.oid ORDER BY 1),
               (SELECT setconfig FROM pg_db_role_setting s WHERE s.setrole = r.oid AND s.setdatabase = 0)
          FROM pg_roles r WHERE rolname LIKE 'muniment%%'""",
    "database": """
        SELECT 'database', pg_get_userbyid(datdba), datacl::text[], pg_encoding_to_char(encoding)
          FROM pg_database WHERE datname = current_database()""",
}


@pytest.fixture
def admin(live: None) -> Iterator[psycopg.Connection[Any]]:
    with databases.connect("postgres", autocommit=True) as connection:
        connection.execute("SET search_path = pg_catalog")  # so that every name is written with its schema
        yield connection


def _plain(value: Any) -> Any:
    """Lists sorted, and without MAINTAIN (m), which PostgreSQL has since 17."""
    if isinstance(value, list):
        return sorted(re.sub(r"=([a-zA-Z*]*?)m([a-zA-Z*]*)/", r"=\1\2/", str(each)) for each in value)
    return value


def catalogue(admin: psycopg.Connection[Any]) -> dict[str, Any]:
    """Everything that is pinned, by kind and name."""
    found: dict[str, Any] = {}
    for kind, query in QUERIES.items():
        cursor = admin.execute(query, {"schemas": SCHEMAS} if "%(" in query else None)
        assert cursor.description
        names = [column.name for column in cursor.description[1:]]
        rows = {str(row[0]): dict(zip(names, map(_plain, row[1:]), strict=True)) for row in cursor}
        found[kind] = dict(sorted(rows.items()))
    return found


def test_it_is_the_one_we_know(admin: psycopg.Connection[Any]) -> None:
    now = catalogue(admin)
    if os.environ.get("WRITE_CATALOGUE"):
        SNAPSHOT.write_text(json.dumps(now, indent=1, ensure_ascii=False) + "\n")
    known = json.loads(SNAPSHOT.read_text())
    different = [
        f"{kind} {name}: {known.get(kind, {}).get(name)} -> {now[kind].get(name)}"
        for kind in now
        for name in sorted(known.get(kind, {}).keys() | now[kind].keys())
        if known.get(kind, {}).get(name) != now[kind].get(name)
    ]
    assert not different, "\n".join(["read these, then write the snapshot with WRITE_CATALOGUE=1:", *different])


def test_every_tenant_table_has_forced_row_security_and_its_vault_first_in_its_key(
    admin: psycopg.Connection[Any],
) -> None:
    rows = admin.execute(
        "SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity, key.attname = 'vault_id',"
        " EXISTS (SELECT FROM pg_policy p"
        "         WHERE p.polrelid = c.oid AND p.polroles = ARRAY['muniment_app'::regrole::oid])"
        " FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'vault_id'"
        " LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary"
        " LEFT JOIN pg_attribute key ON key.attrelid = c.oid AND key.attnum = i.indkey[0]"
        " WHERE c.relnamespace IN ('public'::regnamespace, 'log'::regnamespace) AND c.relkind IN ('r', 'p')"
    ).fetchall()
    tables = {name: rest for name, *rest in rows if name not in GLOBAL}
    assert len(tables) > 5
    assert {name for name, rest in tables.items() if rest != [True, True, True]} == set()


def test_no_unique_key_of_a_tenant_table_spans_vaults(admin: psycopg.Connection[Any]) -> None:
    """A global unique key tells one vault what another holds, and keeps its rows off its own node."""
    rows = admin.execute(
        "SELECT i.indexrelid::regclass::text FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid"
        " JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'vault_id'"
        " WHERE i.indisunique AND c.relnamespace = ANY (ARRAY['public', 'sealed', 'log']::regnamespace[])"
        " AND c.relname <> ALL (%s) AND i.indkey[0] <> a.attnum",
        [list(GLOBAL)],
    ).fetchall()
    assert rows == []


def test_every_definer_function_names_its_search_path(admin: psycopg.Connection[Any]) -> None:
    """Temporary tables last: else a caller's temporary table would stand in for the ledger."""
    functions = catalogue(admin)["functions"]
    definers = {name: row["proconfig"] for name, row in functions.items() if row["prosecdef"]}
    assert len(definers) > 8
    assert {name for name, config in definers.items() if config != ["search_path=pg_catalog, pg_temp"]} == set()


def test_no_function_is_everybody_s(admin: psycopg.Connection[Any]) -> None:
    for name, row in catalogue(admin)["functions"].items():
        acl = row["proacl"]
        assert acl is not None, f"{name} was never granted, so PUBLIC may execute it"
        assert not [entry for entry in acl if entry.startswith("=")], name


def test_only_the_gate_s_role_executes_what_returns_anything_of_a_value(admin: psycopg.Connection[Any]) -> None:
    rows = admin.execute(
        "SELECT p.proname, r.rolname FROM pg_proc p, pg_roles r WHERE p.pronamespace = 'gate'::regnamespace"
        " AND p.proname IN ('stamp', 'take', 'search', 'alike') AND has_function_privilege(r.oid, p.oid, 'EXECUTE')"
        " AND r.rolname LIKE 'muniment%%' AND r.rolname <> 'muniment_gate_owner'"
    ).fetchall()
    assert sorted(rows) == [(name, "muniment_gate") for name in ("alike", "search", "stamp", "take")]


def test_the_index_is_unlogged_and_has_no_statistics(admin: psycopg.Connection[Any]) -> None:
    rows = admin.execute(
        "SELECT c.relname || '.' || a.attname, c.relpersistence, a.attstattarget FROM pg_attribute a"
        " JOIN pg_class c ON c.oid = a.attrelid WHERE c.relnamespace = 'sealed'::regnamespace"
        " AND c.relname LIKE 'search%%' AND c.relkind = 'r' AND a.attnum > 0"
    ).fetchall()
    assert len(rows) == 12
    assert {tuple(rest) for _, *rest in rows} == {("u", 0)}
