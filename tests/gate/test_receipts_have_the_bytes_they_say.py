"""The bytes that SQL digests are RFC 8785's, for any text that can reach a receipt and under any session setting."""

import json
import os
import random
from typing import Any
from uuid import UUID

import psycopg
import pytest
import rfc8785
from psycopg import sql

from apps.ledger import services
from apps.ledger.format.encoding import canonical
from apps.policy.types import Receipt
from tests.gate.cast import (
    Connection,
    Vault,
    check_chain,
    item,
    new_handle,
    plan,
    read_plan,
    refusal,
    stamp,
)

COLUMNS = (
    "vault_id, seq, at, kind, actor, on_behalf_of, recipient, object, memory_id, version, category, form, reason,"
    " request, turn, purpose, commitment, salt"
)
POOLS = [
    [chr(code) for code in range(1, 0x20)] + list("\"\\/\x7f<>&' "),
    ["\u2028", "\u2029", "\ufeff", "\ufffe", "\uffff", "\x85", "\xa0", "\ue000", "\U0010ffff", "\U0001f600"],
    list("😀👩‍👩‍👧🇨🇭ﬁÅÅ한글عربىעברית漢字\u202e\u200b\u200d"),
    list("abcXYZ019_.-:"),
]


def text(chance: random.Random) -> str:
    """Up to forty hostile characters; `|` separates a ticket's fields and is left out."""
    pool = chance.choice([*POOLS, [chr(chance.randint(0x20, 0x2FFF)) for _ in range(40)]])
    return "".join(chance.choices(pool, k=chance.randint(1, 40))).replace("|", "")


def actor(chance: random.Random) -> str:
    """As hostile, but for what no ticket may name: a quote, a backslash."""
    return text(chance).translate({ord(each): "~" for each in "'\\"})


def act(app: Connection, vault: Vault, chance: random.Random, lines: int) -> None:
    ticket = vault.ticket(actor(chance), actor(chance))
    written = [
        {
            "kind": chance.choice(["grant.made", "memory.corrected", "turn.asked"]),
            "memory": chance.choice([None, str(UUID(int=chance.getrandbits(128)))]),
            "version": chance.choice([0, 1, 2**31 - 1, None]),
            "commitment": chance.choice([None, os.urandom(32).hex()]),
            "salt": chance.choice([None, os.urandom(16).hex()]),
        }
        | {
            name: text(chance)
            for name in ("object", "category", "form", "reason", "request", "turn", "purpose", "on_behalf_of")
        }
        for _ in range(lines)
    ]
    app.execute("SELECT gate.open(%s, %s)", [vault.id, ticket])
    escaped = json.dumps(written, ensure_ascii=chance.random() < 0.5)
    app.execute("SELECT gate.record(%s, %s, %s::jsonb)", [vault.id, ticket, escaped])
    app.commit()


def check(admin: Connection, vault: Vault) -> int:
    """Compare every receipt's bytes, then the chain; returns how many there are."""
    compared = 0
    for *row, in_sql in admin.execute(
        f"SELECT {COLUMNS}, gate.canon({COLUMNS}) FROM receipt WHERE vault_id = %s", [vault.id]
    ):
        body = services.body_of(Receipt(*row, digest=b"", chain_hash=b""))
        assert in_sql == rfc8785.dumps(body) == canonical(body)
        compared += 1
    assert check_chain(admin, vault.id) == (compared, [])
    return compared


def test_two_thousand_receipts_of_hostile_text(
    admin: Connection, gate: Connection, app: Connection, vault: Vault
) -> None:
    chance = random.Random(7)
    for _ in range(50):
        act(app, vault, chance, 32)
    for _ in range(30):
        lines = [
            item(chance.choice(vault.memories)) if chance.random() < 0.6 else refusal(None, text(chance))
            for _ in range(16)
        ]
        made = plan(vault, *lines, on_behalf_of=text(chance), turn=text(chance), request=text(chance))
        assert stamp(gate, vault, new_handle(), made).outcome == "stamped"
    assert check(admin, vault) == 50 * 32 + 30 * 16


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DateStyle", "SQL, DMY"),
        ("TimeZone", "Asia/Kathmandu"),
        ("IntervalStyle", "sql_standard"),
        ("bytea_output", "escape"),
        ("client_encoding", "LATIN1"),
        ("standard_conforming_strings", "off"),
        ("search_path", "pg_temp"),
        ("extra_float_digits", "-15"),
        ("xmloption", "document"),
        ("lc_monetary", "C"),
    ],
)
def test_a_session_s_settings_do_not_reach_them(
    admin: Connection, gate: Connection, vault: Vault, name: str, value: str
) -> None:
    gate.execute(sql.SQL("SET {} TO {}").format(sql.Identifier(name), sql.Literal(value)))
    arguments = [vault.id, vault.ticket(), new_handle()]
    made = read_plan(vault, *vault.memories)
    assert gate.execute("SELECT outcome FROM gate.stamp(%s, %s, %s, %s)", [*arguments, made]).fetchone() == ("stamped",)
    taken = gate.execute("SELECT count(*) FROM gate.take(%s, %s, %s)", arguments).fetchone()
    assert taken == (len(vault.memories),)
    assert check(admin, vault) == len(vault.memories)


@pytest.mark.parametrize("escape", ["\\u0000", "\\ud800", "\\udc00 \\ud800"])
def test_what_has_no_utf_8_is_refused(app: Connection, vault: Vault, escape: str) -> None:
    lines: Any = f'[{{"kind": "grant.made", "purpose": "a{escape}b"}}]'
    app.execute("SELECT gate.open(%s, %s)", [vault.id, vault.act_ticket])
    with pytest.raises(psycopg.DataError):
        app.execute("SELECT gate.record(%s, %s, %s::jsonb)", [vault.id, vault.act_ticket, lines])


def test_the_database_speaks_utf_8(admin: Connection) -> None:
    assert admin.execute("SHOW server_encoding").fetchone() == ("UTF8",)
