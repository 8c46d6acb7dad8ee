"""Search data is as sensitive as a value: keyed tokens, ordinary memories only, in no statistic, log or backup."""

import os
import random
import subprocess
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import pytest

from ops.backups.taking import LOCKS_UNREAD
from tests import databases
from tests.gate.cast import Connection, Vault, add_memory, open_vault

# What a backup is taken with: the index is rebuilt after a restore, and the ticket key is installed anew.
BACKUP = ["--no-unlogged-table-data", "--exclude-table-data=sealed.ticket_key"]


def index(app: Connection, vault: Vault, memory: UUID, terms: dict[int, int], version: int = 1) -> None:
    """Index a memory within an act."""
    app.execute("SELECT gate.open(%s, %s)", [vault.id, vault.act_ticket])
    app.execute(
        "SELECT gate.index(%s, %s, %s, %s, %s::bigint[], %s::smallint[])",
        [vault.id, vault.act_ticket, memory, version, list(terms), list(terms.values())],
    )
    app.execute('SELECT gate.record(%s, %s, \'[{"kind": "memory.indexed"}]\')', [vault.id, vault.act_ticket])
    app.commit()


def search(gate: Connection, vault: Vault, *terms: int, limit: int = 50) -> list[tuple[UUID, float]]:
    return gate.execute(
        "SELECT * FROM gate.search(%s, %s, %s::bigint[], %s)", [vault.id, vault.ticket(), list(terms), limit]
    ).fetchall()


def held(admin: Connection, vault: Vault) -> set[UUID]:
    rows = admin.execute("SELECT memory_id FROM sealed.search_doc WHERE vault_id = %s", [vault.id])
    return {row[0] for row in rows}


def due(app: Connection, vault: Vault) -> set[UUID]:
    rows = app.execute("SELECT object_id FROM gate.due('index', 100000) WHERE vault_id = %s", [vault.id]).fetchall()
    app.commit()
    return {row[0] for row in rows}


def test_it_finds_what_holds_the_words_best_first(app: Connection, gate: Connection, vault: Vault) -> None:
    first, second, third = vault.memories[:3]
    index(app, vault, first, {11: 1, 12: 1, 13: 1})
    index(app, vault, second, {11: 3, 14: 1})
    index(app, vault, third, {15: 1})
    found = search(gate, vault, 11, 12)
    assert [memory for memory, _ in found] == [first, second]
    assert all(rank > 0 for _, rank in found)
    assert [memory for memory, _ in search(gate, vault, 11)] == [second, first]
    assert search(gate, vault, 99) == []
    assert len(search(gate, vault, 11, 12, limit=1)) == 1
    assert search(gate, vault, 11, limit=-1) == []


def test_another_vault_s_words_find_nothing(app: Connection, gate: Connection, admin: Connection, vault: Vault) -> None:
    other = open_vault(admin, 1)
    index(app, vault, vault.memories[0], {11: 1})
    assert search(gate, other, 11) == []


@pytest.mark.parametrize(
    "kind",
    [{"category": "health"}, {"attested": True}, {"state": "withdrawn"}, {"state": "erased"}],
    ids=str,
)
def test_only_ordinary_approved_memories_enter(
    app: Connection, gate: Connection, admin: Connection, vault: Vault, kind: dict[str, Any]
) -> None:
    memory = add_memory(admin, vault, **kind)
    index(app, vault, memory, {11: 1})
    assert held(admin, vault) == set()
    assert memory not in due(app, vault)
    assert search(gate, vault, 11) == []


@pytest.mark.parametrize(
    "change",
    [
        "state = 'withdrawn'",
        "state = 'erased'",
        "category = 'health', neutral_label = 'A health memory'",
        "attested = true, claim = 'budget'",
    ],
)
def test_what_stops_being_ordinary_is_not_found_any_more(
    app: Connection, gate: Connection, admin: Connection, vault: Vault, change: str
) -> None:
    index(app, vault, vault.memories[0], {11: 1})
    admin.execute(f"UPDATE memory SET {change} WHERE memory_id = %s", [vault.memories[0]])
    assert search(gate, vault, 11) == []


def test_an_older_version_is_not_indexed(app: Connection, admin: Connection, vault: Vault) -> None:
    index(app, vault, vault.memories[0], {11: 1}, version=2)
    assert held(admin, vault) == set()
    assert vault.memories[0] in due(app, vault)


def test_a_value_without_a_word_is_not_read_for_ever(app: Connection, admin: Connection, vault: Vault) -> None:
    assert due(app, vault) == set(vault.memories)
    index(app, vault, vault.memories[0], {})
    assert due(app, vault) == set(vault.memories[1:])


def test_shredding_a_memory_takes_its_words(app: Connection, gate: Connection, admin: Connection, vault: Vault) -> None:
    index(app, vault, vault.memories[0], {11: 1})
    app.execute("SELECT gate.open(%s, %s)", [vault.id, vault.act_ticket])
    app.execute("SELECT gate.shred(%s, %s, %s)", [vault.id, vault.act_ticket, vault.memories[0]])
    app.execute('SELECT gate.record(%s, %s, \'[{"kind": "memory.withdrawn"}]\')', [vault.id, vault.act_ticket])
    app.commit()
    rows = admin.execute("SELECT count(*) FROM sealed.search_term WHERE vault_id = %s", [vault.id]).fetchone()
    assert (rows, held(admin, vault)) == ((0,), set())


# A token that is found by its bytes wherever it lies, and a few hundred around it.
CANARY = 0x4D756E696D656E74
LITTLE = CANARY.to_bytes(8, "little")


@pytest.fixture
def indexed(app: Connection, admin: Connection, vault: Vault) -> Iterator[Vault]:
    """A vault with enough tokens for statistics, had they been kept."""
    chance = random.Random(1)
    for memory in vault.memories:
        index(app, vault, memory, {CANARY: 7} | {chance.getrandbits(62): 1 for _ in range(100)})
    admin.execute("ANALYZE sealed.search_term, sealed.search_doc")
    yield vault
    admin.execute("DELETE FROM sealed.search_term WHERE vault_id = %s", [vault.id])


def test_no_statistic_holds_a_token(admin: Connection, indexed: Vault) -> None:
    rows = admin.execute("SELECT attname FROM pg_stats WHERE schemaname = 'sealed' AND tablename LIKE 'search%'")
    assert rows.fetchall() == []


def test_the_write_ahead_log_holds_none(admin: Connection, app: Connection, vault: Vault) -> None:
    """Searched as bytes, from before the index was written to after; a logged table beside it is found."""
    start = admin.execute("SELECT pg_walfile_name(pg_current_wal_insert_lsn())").fetchone()
    index(app, vault, vault.memories[0], {CANARY: 1})
    seen = uuid4().bytes
    admin.execute("INSERT INTO sealed.key VALUES (%s, %s, 1, 1, %s)", [vault.id, uuid4(), seen])
    admin.execute("SELECT pg_switch_wal()")
    log = b"".join(
        row[0]
        for row in admin.execute(
            "SELECT pg_read_binary_file('pg_wal/' || name) FROM pg_ls_waldir()"
            " WHERE name BETWEEN %s AND pg_walfile_name(pg_current_wal_insert_lsn()) ORDER BY name",  # what was written
            start,
        )
    )
    assert seen in log
    assert LITTLE not in log


def dump(role: str, *flags: str) -> subprocess.CompletedProcess[str]:
    """pg_dump of this database as a role."""
    with databases.connect(role) as connection:
        name = connection.info.dbname
    url = urlsplit(os.environ["DATABASE_URL" if role == "postgres" else f"MUNIMENT_DB_{role.upper()}_URL"])
    target = url._replace(path=f"/{name}").geturl()
    return subprocess.run(["pg_dump", *flags, target], capture_output=True, text=True, check=False)


def test_a_backup_holds_neither_the_index_nor_the_ticket_key(admin: Connection, indexed: Vault) -> None:
    row = admin.execute("SELECT encode(ipad, 'hex') FROM sealed.ticket_key").fetchone()
    assert row is not None
    whole = dump("postgres").stdout
    assert str(CANARY) in whole and row[0] in whole, "the superuser's dump without the flags holds both"
    backup = dump("admin" if admin.info.server_version // 10000 >= LOCKS_UNREAD else "postgres", *BACKUP)
    assert (backup.returncode, backup.stderr) == (0, "")
    assert str(CANARY) not in backup.stdout and row[0] not in backup.stdout
    assert str(indexed.memories[0]) in backup.stdout and indexed.ciphertexts[indexed.memories[0]].hex() in backup.stdout


@pytest.mark.parametrize("flags", [BACKUP[:1], BACKUP[1:], []], ids=str)
def test_a_backup_that_forgets_a_flag_fails_rather_than_leak(live: None, flags: list[str]) -> None:
    refused = dump("admin", *flags)
    assert refused.returncode != 0 and "permission denied for table" in refused.stderr
