"""Receipts and the log survive a dump and a restore into another time zone and locale byte for byte."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import connections

from apps.ledger import services as ledger
from apps.ledger.format.encoding import canonical
from ops.backups.taking import LOCKS_UNREAD
from ops.bootstrap import drop_database, with_database
from tests import databases
from tests.cast import Vault
from tests.ledger_log.conftest import ORIGIN

CANON = (
    "SELECT vault_id, seq, encode(gate.canon(vault_id, seq, at, kind, actor, on_behalf_of, recipient, object,"
    " memory_id, version, category, form, reason, request, turn, purpose, commitment, salt), 'hex'), digest, chain_hash"
    " FROM receipt ORDER BY vault_id, seq"
)
EVERYTHING = [
    "SELECT * FROM log.tree",
    "SELECT * FROM log.leaf ORDER BY index",
    "SELECT * FROM log.tile ORDER BY level, number",
    "SELECT size, note FROM log.checkpoint ORDER BY size",
    "SELECT vkey FROM log.key",
    "SELECT * FROM log.place ORDER BY index",
    "SELECT * FROM log.pseudonym ORDER BY vault_id",
    CANON,
]


def whole(connection: psycopg.Connection[Any]) -> list[list[tuple[Any, ...]]]:
    return [connection.execute(query).fetchall() for query in EVERYTHING]


def another_locale() -> str:
    """One of the machine's own locales, the further from ours the better; ours is PostgreSQL's built-in C.UTF-8."""
    names = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=True).stdout.split()
    return next((name for name in names if name.lower().endswith(("utf8", "utf-8")) and "_" in name), "C.UTF-8")


@pytest.fixture
def elsewhere(instance: str) -> Iterator[str]:
    """An empty database with other rules for letters, clocks and dates than ours."""
    name = f"{instance}_elsewhere"
    with psycopg.connect(databases.admin_url("postgres"), autocommit=True) as admin:
        admin.execute(
            f"CREATE DATABASE {name} OWNER muniment_owner TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER libc"
            f" LOCALE '{another_locale()}'"
        )
        for setting in ("TimeZone = 'Asia/Kathmandu'", "DateStyle = 'ISO, DMY'", "bytea_output = 'escape'"):
            admin.execute(f"ALTER DATABASE {name} SET {setting}")
        admin.execute(f"ALTER DATABASE {name} SET IntervalStyle = 'iso_8601'")
    yield name
    for alias in connections:
        connections[alias].close()
    drop_database(databases.admin_url("postgres"), name)


def test_it_does(
    publisher: ledger.Publisher,
    alice: Vault,
    admin: psycopg.Connection[Any],
    elsewhere: str,
    tmp_path: Path,
    key_file: Path,
) -> None:
    publisher.step(everything=True)
    alice.keep("tea")
    publisher.step(everything=True)
    before = whole(admin)
    receipts = alice.receipts()
    files = [ledger.proof(alice.id, alice.holder.actor, each.seq) for each in receipts]
    dump = tmp_path / "muniment.dump"
    name = str(settings.DATABASES["default"]["NAME"])
    flags = ["--format=custom", "--no-unlogged-table-data", "--exclude-table-data=sealed.ticket_key"]
    reads = admin.info.server_version // 10000 >= LOCKS_UNREAD  # and else the superuser dumps, as for a backup
    backup = with_database(os.environ["MUNIMENT_DB_ADMIN_URL"], name) if reads else databases.admin_url(name)
    other_clock = {**os.environ, "PGTZ": "America/St_Johns", "TZ": "America/St_Johns", "PGDATESTYLE": "German"}
    subprocess.run(["pg_dump", *flags, f"--file={dump}", backup], check=True, env=other_clock)
    restore = ["pg_restore", "--exit-on-error", f"--dbname={databases.admin_url(elsewhere)}", str(dump)]
    subprocess.run(restore, check=True, env=other_clock)

    databases.point_at(elsewhere)
    from django.core.management import call_command

    call_command("install_ticket_key", verbosity=0)
    with databases.connect("postgres") as there:
        assert there.execute("SHOW TimeZone").fetchone() == ("Asia/Kathmandu",)
        assert whole(there) == before
    assert alice.receipts() == receipts
    assert [ledger.proof(alice.id, alice.holder.actor, each.seq) for each in receipts] == files
    for each, row in zip(receipts, [row for row in before[-1] if row[0] == alice.id], strict=True):
        assert canonical(ledger.body_of(each)).hex() == row[2]
    report = ledger.check_ledger()
    assert report, report.difference
    alice.keep("bread")
    assert ledger.publisher(key_file, origin=ORIGIN).step(everything=True), "the log goes on where it was"
    assert ledger.check_ledger()
