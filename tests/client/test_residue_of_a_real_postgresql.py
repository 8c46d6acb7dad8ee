"""What a real PostgreSQL leaves in its files is found, packed or not, and told apart: served, or not yet gone."""

import os
import secrets
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from apps.erasure import residue
from ops.accounts import for_servers
from ops.binaries import postgres_bin
from ops.bootstrap import create_database, drop_database
from ops.state import locate
from tests.databases import admin_url

WORDS = "amber basalt cedar delta ember fjord garnet hazel indigo juniper kelp lichen".split()


def canary() -> str:
    """A value like a person's, that is nowhere else on this machine."""
    return f"{secrets.choice(WORDS)} Straße {secrets.token_hex(6)} {secrets.choice(WORDS)}"


def long_text(middle: str, size: int) -> str:
    """Text that packs well around it."""
    filler = " ".join(WORDS) + ". "
    return filler * (size // len(filler) // 2) + middle + filler * (size // len(filler) // 2)


@dataclass
class Store:
    """A database of its own on the tests' server, and where its files are."""

    name: str
    connection: psycopg.Connection[Any]

    def run(self, *statements: str) -> None:
        for statement in statements:
            self.connection.execute(statement)

    def put(self, table: str, value: str) -> None:
        self.connection.execute(f"INSERT INTO {table} (v) VALUES (%s)", [value])

    def one(self, query: str, *values: object) -> Any:
        row = self.connection.execute(query, values).fetchone()
        assert row is not None
        return row[0]

    @property
    def data(self) -> Path:
        return Path(self.one("SELECT current_setting('data_directory')"))

    def files(self) -> Path:
        """The folder of this database's files, as they are after a checkpoint."""
        self.run("CHECKPOINT")
        return self.data / "base" / str(self.one("SELECT oid FROM pg_database WHERE datname = current_database()"))

    def verdicts(self, value: str) -> dict[str, int]:
        return {name: count for name, count in residue.search([self.files()], [value]).counts().items() if count}


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    name = f"residue_{os.getpid()}"
    drop_database(admin_url("postgres"), name)
    create_database(admin_url("postgres"), name)
    try:
        with psycopg.connect(admin_url(name), autocommit=True) as connection:
            yield Store(name, connection)
    finally:
        drop_database(admin_url("postgres"), name)


@pytest.fixture
def table(store: Store) -> Iterator[str]:
    name = f"t_{secrets.token_hex(4)}"
    store.run(f"CREATE TABLE {name} (id serial, v text) WITH (autovacuum_enabled = off)")
    yield name
    store.run(f"DROP TABLE {name}")


def test_a_row_is_live_then_deleted_then_gone(store: Store, table: str) -> None:
    value = canary()
    store.put(table, value)
    store.put(table, "somebody else's")
    assert store.verdicts(value) == {"LIVE": 1}
    store.run(f"DELETE FROM {table} WHERE id = 1")
    assert store.verdicts(value) == {"UNRECLAIMED": 1}, "no hint is on the row yet: the commit log says so"
    store.one(f"SELECT count(*) FROM {table}")
    assert store.verdicts(value) == {"UNRECLAIMED": 1}
    store.run(f"VACUUM {table}")
    assert "LIVE" not in store.verdicts(value)
    store.run(f"VACUUM FULL {table}")
    assert store.verdicts(value) == {}


def test_a_corrected_row_leaves_its_old_words(store: Store, table: str) -> None:
    old, new = canary(), canary()
    store.put(table, old)
    store.connection.execute(f"UPDATE {table} SET v = %s", [new])
    assert (store.verdicts(old), store.verdicts(new)) == ({"UNRECLAIMED": 1}, {"LIVE": 1})


def test_a_row_that_was_never_committed_is_not_live(store: Store, table: str) -> None:
    value = canary()
    store.connection.execute("BEGIN")
    store.put(table, value)
    store.connection.execute("ROLLBACK")
    assert store.verdicts(value) == {"UNRECLAIMED": 1}


def test_a_row_that_is_being_locked_is_still_live(store: Store, table: str) -> None:
    value = canary()
    store.put(table, value)
    store.one(f"SELECT id FROM {table} FOR UPDATE")
    assert store.verdicts(value) == {"LIVE": 1}


def test_an_index_holds_the_words_too(store: Store, table: str) -> None:
    value = canary()
    store.run(f"CREATE INDEX ON {table} (v)")
    store.put(table, value)
    assert store.verdicts(value) == {"LIVE": 2}


@pytest.mark.parametrize("size", [3_000, 300_000], ids=["in the row", "beside the table"])
def test_what_is_packed_is_unpacked(store: Store, table: str, size: int) -> None:
    value = canary()
    store.put(table, long_text(value, size))
    assert store.one(f"SELECT pg_column_compression(v) FROM {table}") == "pglz"
    assert store.verdicts(value).keys() == {"LIVE"}
    store.run(f"DELETE FROM {table}")
    assert store.verdicts(value).keys() == {"UNRECLAIMED"}


@pytest.mark.parametrize("at", range(1_960, 2_000, 5))
def test_what_runs_from_one_piece_of_a_long_value_to_the_next_is_found(store: Store, table: str, at: int) -> None:
    value = canary()
    store.run(f"ALTER TABLE {table} ALTER v SET STORAGE EXTERNAL")
    store.put(table, "." * at + value + "." * 9_000)
    assert store.verdicts(value) == {"LIVE": 1}


def test_the_write_ahead_log_is_never_live(store: Store, table: str) -> None:
    value = canary()
    before = store.one("SELECT pg_walfile_name(pg_current_wal_insert_lsn())")
    store.put(table, value)
    after = store.one("SELECT pg_walfile_name(pg_current_wal_insert_lsn())")
    report = residue.search([store.data / "pg_wal" / name for name in {before, after}], [value])
    assert set(report.counts().items()) >= {("LIVE", 0), ("PLAIN", 0)}
    assert report.counts()["UNRECLAIMED"] >= 1


def test_page_images_in_it_are_unpacked(store: Store, table: str) -> None:
    value = canary()
    for number in range(60):
        store.put(table, f"{value[::-1]} {number} {value if number == 30 else WORDS[number % 12]}")
    store.one("SELECT pg_switch_wal()")
    before = store.one("SELECT pg_walfile_name(pg_current_wal_insert_lsn())")
    store.run("SET wal_compression = 'pglz'", f"CREATE INDEX ON {table} (v)", "RESET wal_compression")
    store.one("SELECT pg_switch_wal()")
    report = residue.search([store.data / "pg_wal" / before], [value])
    assert {(each.verdict, each.place) for each in report.findings} == {
        ("UNRECLAIMED", "the write-ahead log, a packed page image")
    }


@pytest.mark.parametrize("how", ["gzip", "none"])
def test_a_dump_is_unpacked(store: Store, table: str, how: str, tmp_path: Path) -> None:
    value = canary()
    store.put(table, long_text(value, 30_000))
    store.one("SELECT lo_from_bytea(0, convert_to(%s, 'UTF8'))", value[::-1])
    account = for_servers()
    program = postgres_bin(locate("test", account), account) / "pg_dump"
    path = tmp_path / "dump"
    command = [program, "--format=custom", f"--compress={how}", f"--file={path}", admin_url(store.name)]
    subprocess.run(command, check=True, capture_output=True)
    report = residue.search([path], [value, value[::-1]])
    assert {each.value for each in report.findings} == {0, 1}
    assert report.unopened == []


def test_a_plain_dump_is_read_as_text(store: Store, table: str, tmp_path: Path) -> None:
    value = f'{canary()} it\'s "so" \\ (tab\there)'
    store.put(table, value)
    account = for_servers()
    program = postgres_bin(locate("test", account), account) / "pg_dump"
    for more in ([], ["--inserts"]):
        path = tmp_path / f"dump{len(more)}.sql"
        subprocess.run([program, *more, f"--file={path}", admin_url(store.name)], check=True, capture_output=True)
        report = residue.search([path], [value])
        assert report.counts() == {"LIVE": 0, "UNRECLAIMED": 0, "PLAIN": 1}, more
