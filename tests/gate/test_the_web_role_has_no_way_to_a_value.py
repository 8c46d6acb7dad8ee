"""What injected SQL could try with the web role's connection, a valid ticket of its vault in hand."""

import psycopg
import pytest
from psycopg import sql

from tests import databases
from tests.gate.cast import Connection, Vault, hand_over, new_handle, read_plan

STATEMENTS = [
    "SELECT gate.stamp(%(vault)s, %(ticket)s, %(handle)s, %(plan)s::jsonb)",
    "SELECT gate.take(%(vault)s, %(ticket)s, %(handle)s)",
    "SELECT gate.search(%(vault)s, %(ticket)s, '{1}', 5)",
    "SELECT gate.genesis(%(vault)s)",
    "SELECT * FROM sealed.value",
    "SELECT * FROM sealed.key",
    "SELECT * FROM sealed.handle",
    "SELECT * FROM sealed.ticket_key",
    "SELECT * FROM sealed.search_term",
    "SELECT * FROM sealed.search_doc",
    "COPY sealed.value TO STDOUT",
    "UPDATE sealed.chain_head SET seq = 0",
    "DELETE FROM sealed.key",
    "INSERT INTO receipt SELECT * FROM receipt LIMIT 1",
    "UPDATE receipt SET actor = 'x'",
    "DELETE FROM receipt",
    "TRUNCATE receipt",
    "SELECT * FROM receipt FOR UPDATE",
    "LOCK TABLE receipt IN ACCESS EXCLUSIVE MODE",
    "ALTER TABLE receipt DISABLE TRIGGER ALL",
    "DROP TABLE receipt",
    "DELETE FROM memory",
    "DELETE FROM access_grant",
    "UPDATE vault_key SET wrapped = ''",
    "SET ROLE muniment_gate",
    "SET ROLE muniment_gate_owner",
    "SET ROLE muniment_owner",
    "SET ROLE muniment_admin",
    "SET SESSION AUTHORIZATION postgres",
    "SET session_replication_role = replica",
    "CREATE TEMP TABLE receipt (x int)",
    "CREATE TABLE public.receipts (x int)",
    "CREATE SCHEMA mine",
    "CREATE FUNCTION public.sha256(bytea) RETURNS bytea LANGUAGE sql AS 'SELECT $1'",
    "CREATE FUNCTION pg_temp.f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "CREATE OPERATOR public.= (LEFTARG = text, RIGHTARG = text, FUNCTION = texteq)",
    "CREATE RULE r AS ON INSERT TO receipt DO INSTEAD NOTHING",
    "CREATE TRIGGER t BEFORE INSERT ON receipt FOR EACH ROW EXECUTE FUNCTION gate.append_only()",
    "CREATE POLICY mine ON memory TO muniment_app USING (true)",
    "ALTER TABLE memory DISABLE ROW LEVEL SECURITY",
    "GRANT SELECT ON sealed.value TO muniment_app",
    "GRANT muniment_gate TO muniment_app",
    "ALTER ROLE muniment_app BYPASSRLS",
    "CREATE EXTENSION pageinspect",
    "COPY (SELECT 1) TO PROGRAM 'id'",
    "SELECT pg_read_file('PG_VERSION')",
    "SELECT lo_import('/etc/passwd')",
    "SELECT * FROM pg_authid",
    "SELECT * FROM pg_statistic",
    "SELECT pg_create_logical_replication_slot('x', 'test_decoding')",
    "SELECT 1 / (SELECT count(*) FROM pg_stats WHERE schemaname = 'sealed')",
]


def as_web(app: Connection, vault: Vault, statement: str, **more: object) -> list[tuple[object, ...]]:
    """One statement in a transaction whose ticket is the vault's."""
    app.execute(sql.SQL("SET LOCAL muniment.ticket = {}").format(sql.Literal(vault.act_ticket)))
    names = {
        "vault": vault.id,
        "ticket": vault.ticket(),
        "handle": new_handle(),
        "plan": read_plan(vault, *vault.memories),
    } | more
    cursor = app.execute(statement, {name: value for name, value in names.items() if f"%({name})s" in statement})
    return cursor.fetchall() if cursor.description else []


@pytest.mark.parametrize("statement", STATEMENTS)
def test_it_is_refused(app: Connection, gate: Connection, vault: Vault, statement: str) -> None:
    hand_over(gate, vault, vault.memories[0])
    with pytest.raises(psycopg.Error) as refused:
        as_web(app, vault, statement)
    # Refused for what it is, and not for a mistake in this list.
    assert not isinstance(refused.value, psycopg.errors.SyntaxError | psycopg.errors.UndefinedTable)
    assert not isinstance(refused.value, psycopg.errors.UndefinedFunction | psycopg.errors.UndefinedColumn)


def test_row_security_cannot_be_switched_off(app: Connection, vault: Vault) -> None:
    app.execute("SET LOCAL row_security = off")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        app.execute("SELECT * FROM memory")


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM sealed.value",
        "SELECT * FROM public.receipt",
        "SELECT * FROM public.memory",
        "SELECT gate.open('00000000-0000-4000-8000-000000000001', 'x')",
        "SELECT gate.record('00000000-0000-4000-8000-000000000001', 'x', '[]')",
        "SELECT gate.due('index', 5)",
        "SET ROLE muniment_gate_owner",
        "CREATE TEMP TABLE receipt (x int)",
    ],
)
def test_the_gate_s_role_can_do_nothing_but_hand_over(gate: Connection, statement: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        gate.execute(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM sealed.value",
        "SELECT * FROM sealed.key",
        "SELECT * FROM public.memory",
        "DELETE FROM receipt",
        "SELECT gate.take('00000000-0000-4000-8000-000000000001', 'x', 'x')",
        "SET ROLE muniment_gate",
    ],
)
def test_the_integrator_reads_receipts_and_nothing_else(live: None, statement: str) -> None:
    with databases.connect("log", autocommit=True) as log:
        log.execute("SELECT count(*) FROM receipt")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            log.execute(statement)


def test_a_receipt_is_rewritten_by_nobody(admin: Connection, gate: Connection, vault: Vault) -> None:
    """The owner and the administrator too meet the trigger; to disable it is the operator's deed, seen by witnesses."""
    hand_over(gate, vault, vault.memories[0])
    for statement in ("UPDATE receipt SET actor = 'x'", "DELETE FROM receipt", "TRUNCATE receipt"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
            admin.execute(statement)
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
        admin.execute("UPDATE sealed.value SET ciphertext = ''")
