"""`gate.record` writes receipts of acts, from a closed list, inside an opened act of the ticket's own vault."""

import json
from uuid import uuid4

import psycopg
import pytest

from apps.policy.vocabulary import ReceiptKind
from tests.gate.cast import (
    CLIENT,
    Connection,
    Vault,
    count_receipts,
    forged_ticket,
    open_vault,
)

PUT = "SELECT gate.put(%s, %s, %s, %s, 'ordinary', false, '\\x00', '\\x01', '\\x02', 1, '\\x03')"


def open_act(app: Connection, vault: Vault) -> None:
    app.execute("SELECT gate.open(%s, %s)", [vault.id, vault.act_ticket])


def record(app: Connection, vault: Vault, *lines: dict[str, object], ticket: str | None = None) -> int:
    row = app.execute(
        "SELECT gate.record(%s, %s, %s::jsonb)", [vault.id, ticket or vault.act_ticket, json.dumps(lines)]
    ).fetchone()
    assert row is not None
    return int(row[0])


def test_the_database_and_the_code_have_one_list(admin: Connection) -> None:
    row = admin.execute("SELECT gate.act_kinds()").fetchone()
    assert row is not None
    assert sorted(row[0]) == sorted(kind.value for kind in ReceiptKind if kind.act)


@pytest.mark.parametrize("kind", [kind.value for kind in ReceiptKind if kind.act])
def test_every_act_is_recorded(app: Connection, admin: Connection, vault: Vault, kind: str) -> None:
    open_act(app, vault)
    assert record(app, vault, {"kind": kind}) == 1
    app.commit()
    assert count_receipts(admin, vault) == 1


@pytest.mark.parametrize(
    "kind",
    [
        "value.read",
        "value.refused",
        "value.shown",
        "Value.read",
        "VALUE.READ",
        " value.read",
        "\u200bvalue.read",
        "value\u2024read",
        "grant.made\nvalue.read",
        "grant.made\n",
        "refused",
        "",
        None,
    ],
    ids=ascii,
)
def test_nothing_else_is(app: Connection, vault: Vault, kind: str | None) -> None:
    open_act(app, vault)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        record(app, vault, {"kind": "grant.made"}, {"kind": kind})


def test_an_act_records_something(app: Connection, vault: Vault) -> None:
    open_act(app, vault)
    with pytest.raises(psycopg.errors.InvalidParameterValue):
        record(app, vault)


def test_a_rolled_back_act_leaves_neither_effect_nor_receipt(app: Connection, admin: Connection, vault: Vault) -> None:
    open_act(app, vault)
    app.execute(PUT, [vault.id, vault.act_ticket, uuid4(), 1])
    record(app, vault, {"kind": "memory.added"})
    app.rollback()
    assert count_receipts(admin, vault) == 0
    sealed = admin.execute("SELECT count(*) FROM sealed.value WHERE vault_id = %s", [vault.id]).fetchone()
    assert sealed == (len(vault.memories),)


@pytest.mark.parametrize(
    "statement",
    [
        'SELECT gate.record(%(vault)s, %(ticket)s, \'[{"kind": "grant.made"}]\')',
        "SELECT gate.put(%(vault)s, %(ticket)s, %(memory)s, 9, 'ordinary', false, '', '', '', 1, '')",
        "SELECT gate.shred(%(vault)s, %(ticket)s, %(memory)s)",
        "SELECT gate.index(%(vault)s, %(ticket)s, %(memory)s, 1, '{1}', '{1}')",
    ],
)
def test_nothing_is_written_outside_an_opened_act(
    app: Connection, admin: Connection, vault: Vault, statement: str
) -> None:
    names = {"vault": vault.id, "ticket": vault.act_ticket, "memory": vault.memories[0]}
    names = {name: value for name, value in names.items() if f"%({name})s" in statement}
    with pytest.raises(psycopg.errors.InvalidTransactionState):
        app.execute(statement, names)
    app.rollback()
    other = open_vault(admin, 1)
    open_act(app, other)
    with pytest.raises(psycopg.errors.InvalidTransactionState):
        app.execute(statement, names)
    app.rollback()
    open_act(app, vault)
    app.commit()  # an act ends with its transaction
    with pytest.raises(psycopg.errors.InvalidTransactionState):
        app.execute(statement, names)


@pytest.mark.parametrize("kind", ["another vault's", "forged", "expired", "nobody's"])
@pytest.mark.parametrize("function", ["open", "record", "put", "shred", "index", "start_chain"])
def test_a_wrong_ticket_opens_and_writes_nothing(
    app: Connection, admin: Connection, vault: Vault, function: str, kind: str
) -> None:
    ticket = {
        "another vault's": open_vault(admin, 1).act_ticket,
        "forged": forged_ticket(vault, key=b"guess"),
        "expired": forged_ticket(vault, seconds=-1),
        "nobody's": "",
    }[kind]
    rest = {
        "open": "",
        "start_chain": "",
        "record": ', \'[{"kind": "grant.made"}]\'',
        "put": ", gen_random_uuid(), 1, 'ordinary', false, '', '', '', 1, ''",
        "shred": ", gen_random_uuid()",
        "index": ", gen_random_uuid(), 1, '{1}', '{1}'",
    }[function]
    if function != "open":
        open_act(app, vault)
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="bad ticket"):
        app.execute(f"SELECT gate.{function}(%s, %s{rest})", [vault.id, ticket])


def test_a_sealed_version_is_never_overwritten(app: Connection, vault: Vault) -> None:
    open_act(app, vault)
    with pytest.raises(psycopg.errors.UniqueViolation):
        app.execute(PUT, [vault.id, vault.act_ticket, vault.memories[0], 1])


def test_a_chain_starts_once(app: Connection, vault: Vault) -> None:
    with pytest.raises(psycopg.errors.UniqueViolation):
        app.execute("SELECT gate.start_chain(%s, %s)", [vault.id, vault.act_ticket])


def test_a_vault_without_a_chain_has_no_acts(app: Connection) -> None:
    nobody = Vault()
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        app.execute("SELECT gate.open(%s, %s)", [nobody.id, nobody.act_ticket])


def test_an_act_is_not_opened_in_an_older_snapshot(app: Connection, vault: Vault) -> None:
    app.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
    with pytest.raises(psycopg.errors.InvalidTransactionState):
        open_act(app, vault)


def test_the_ticket_names_the_actor_whatever_a_line_says(app: Connection, admin: Connection, vault: Vault) -> None:
    open_act(app, vault)
    record(app, vault, {"kind": "grant.made", "actor": CLIENT, "recipient": CLIENT, "seq": 99, "vault": str(uuid4())})
    app.commit()
    row = admin.execute("SELECT seq, actor, recipient FROM receipt WHERE vault_id = %s", [vault.id]).fetchone()
    assert row == (1, "hld_" + "1" * 32, "-")
