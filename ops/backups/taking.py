"""Taking a backup: one instant of a running instance, in two encrypted files. What opens the values lies in the second.

The second is the one that an erasure has to wait for: whatever a file of keys still opens is not quite gone. So it is
kept for days and the first for as long as one likes (docs/backup.md).
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
from psycopg import sql

from ops.backups import contents, tombstones
from ops.backups.age import Passphrase, Recipient
from ops.backups.archive import DATA, KEYS, About, Filling, writing
from ops.backups.files import sync_folder
from ops.backups.noting import note
from ops.backups.place import Connection, Place, connected, one, program, running, stopped
from ops.trouble import Trouble, explain

MOST_AT_ONCE = 1024 * 1024
_NAME = re.compile(r"muniment-(\d{8}T\d{6}Z)-[0-9a-f]{8}\.keys\.age", re.ASCII)
LOCKS_UNREAD = 17  # from this PostgreSQL on MAINTAIN is a lock without a look
_STAMP = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True, slots=True)
class Taken:
    """A backup that is on the disk: its two files, rows in each, and the files of keys that were removed as too old."""

    data: Path
    keys: Path
    rows: int
    key_rows: int
    tombstones: int
    log_size: int
    removed: tuple[Path, ...]


def take(
    place: Place, folder: Path, keys_folder: Path, to: Passphrase | Recipient, *, product: str, now: datetime, keep: int
) -> Taken:
    """Back up. `keep` is for how many days files of keys are kept: older ones in `keys_folder` are removed, but never
    the newest. Both files are there at the end, or neither. Raises Trouble, and leaves what was there before.
    """
    try:
        for each in (folder, keys_folder):
            each.mkdir(parents=True, exist_ok=True, mode=0o700)
        with connected(place.url("MUNIMENT_DB_ADMIN_URL")) as connection:
            taken = _take(connection, place, (folder, keys_folder), to, product, now, keep)
            connection.execute("ROLLBACK")
            note(connection, "backup")
            return taken
    except OSError as error:
        raise Trouble(f"{explain(error)} No backup was made.") from None
    except psycopg.Error as error:
        raise Trouble(f"{stopped(error)} No backup was made.") from None


def _take(
    connection: Connection,
    place: Place,
    folders: tuple[Path, Path],
    to: Passphrase | Recipient,
    product: str,
    now: datetime,
    keep: int,
) -> Taken:
    connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    snapshot = one(connection, "SELECT pg_export_snapshot()")
    made_at = now.astimezone(UTC)
    about = About(
        id=uuid4().hex,
        kind=DATA,
        made_at=made_at.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        product=product,
        postgres=connection.info.server_version // 10000,
        migrations=_migrations(connection),
    )
    name = f"muniment-{made_at.strftime(_STAMP)}-{about.id[:8]}"
    data, keys = folders[0] / f"{name}.data.age", folders[1] / f"{name}.keys.age"
    try:
        with writing(keys, replace(about, kind=KEYS), to) as filling:
            gone = _fill_keys(connection, place, filling)
            key_rows = sum(filling.manifest.tables.values())
        with writing(data, about, to) as filling:
            _fill_data(connection, place, str(snapshot), about.postgres, filling)
            rows, size = sum(filling.manifest.tables.values()), filling.manifest.log.get("size", 0)
    except BaseException:
        keys.unlink(missing_ok=True)
        raise
    return Taken(data, keys, rows, key_rows, gone, size, tuple(_remove_old(folders[1], made_at, keep)))


def _fill_keys(connection: Connection, place: Place, filling: Filling) -> int:
    """Wrapped keys and what is made with them, the key files, and what was erased. Returns how many that are."""
    gone = list(tombstones.of_database(connection))
    filling.put(contents.TOMBSTONES, tombstones.to_bytes(gone))  # first: whoever reads it leaves those keys out
    for table in contents.KEY_TABLES:
        if one(connection, "SELECT to_regclass(%s)", table.name) is not None:
            _copy(connection, filling, table.name, f"TABLE {table.name}")
    _copy(connection, filling, contents.TURN_KEYS, contents.TURN_ROWS)
    filling.put(contents.ROOT_KEYS, _read(place.root_keys, "MUNIMENT_ROOT_KEY_FILE"))
    if place.log_keys is not None and place.log_keys.exists():
        filling.put(contents.LOG_KEYS, _read(place.log_keys, "MUNIMENT_LOG_KEY_FILE"))
        signed = place.log_keys.with_name(f"{place.log_keys.name}.signed")
        if signed.exists():
            filling.put(contents.LOG_SIGNED, signed.read_bytes())
    return len(gone)


def _copy(connection: Connection, filling: Filling, name: str, query: str) -> None:
    """Rows as PostgreSQL's text format, under a line that names the columns."""
    with connection.cursor() as cursor, filling.member(name) as member:
        with cursor.copy(f"COPY ({query}) TO STDOUT WITH (FORMAT text, HEADER)") as rows:
            for piece in rows:
                member.write(piece)
        filling.manifest.tables[name] = cursor.rowcount


def _fill_data(connection: Connection, place: Place, snapshot: str, server: int, filling: Filling) -> None:
    """PostgreSQL's own dump of the same instant, and what was counted in it."""
    argv = [program("pg_dump", server), "--format=custom", "--compress=1", f"--snapshot={snapshot}"]
    argv += ["--no-unlogged-table-data", *(f"--exclude-table-data={table}" for table in contents.apart())]
    # A dump locks every table, also those whose rows it leaves out. Before 17 only who may read one may lock it.
    url = place.url("MUNIMENT_DB_ADMIN_URL") if server >= LOCKS_UNREAD else place.administrator
    with filling.member(contents.DATABASE) as member, running(argv, url, stdout=subprocess.PIPE) as dump:
        assert dump.stdout is not None
        while piece := dump.stdout.read(MOST_AT_ONCE):
            member.write(piece)
    kept = connection.execute(contents.KEPT, [contents.SCHEMAS, contents.apart()]).fetchall()
    filling.manifest.tables = counted(connection, [row[0] for row in kept])
    filling.manifest.ledger = ledger(connection)
    filling.manifest.log = log(connection)
    filling.manifest.left_out = dict(contents.LEFT_OUT)


def counted(connection: Connection, names: Iterable[str]) -> dict[str, int]:
    """Rows of each of these tables."""
    count = sql.SQL("SELECT count(*) FROM {}")
    queries = {name: count.format(sql.Identifier(*name.split("."))) for name in names}
    return {name: int(one(connection, query)) for name, query in queries.items()}


def ledger(connection: Connection) -> dict[str, Any]:
    """How many chains and receipts, and a digest of all heads: SHA-256 of lines `<vault> <seq> <hex>` by vault."""
    heads, vaults, receipts = hashlib.sha256(), 0, 0
    query = "SELECT vault_id, seq, encode(chain_hash, 'hex') FROM sealed.chain_head ORDER BY vault_id"
    with connection.transaction(), connection.cursor(name="heads") as cursor:
        for vault_id, seq, chain_hash in cursor.execute(query):
            heads.update(f"{vault_id} {seq} {chain_hash}\n".encode())
            vaults, receipts = vaults + 1, receipts + seq
    return {"vaults": vaults, "receipts": receipts, "heads": heads.hexdigest()}


def log(connection: Connection) -> dict[str, Any]:
    """The log's tree, and the newest checkpoint that it signed; empty before it began."""
    tree = connection.execute("SELECT origin, size, encode(root, 'hex') FROM log.tree").fetchone()
    if tree is None:
        return {}
    signed = connection.execute("SELECT note FROM log.checkpoint ORDER BY size DESC LIMIT 1").fetchone()
    note = bytes(signed[0]).decode() if signed else ""
    return {"origin": tree[0], "size": int(tree[1]), "root": tree[2], "checkpoint": note}


def _migrations(connection: Connection) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for app, name in connection.execute("SELECT app, name FROM public.django_migrations ORDER BY app, name"):
        found.setdefault(app, []).append(name)
    return found


def _read(path: Path, setting: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise Trouble(
            f"{setting} names {path}, which cannot be read ({error.strerror}): without it no backup is whole."
        ) from None


def _remove_old(folder: Path, now: datetime, days: int) -> list[Path]:
    """The files of keys that were older than so many days, but the newest; they are not there any more."""
    dated = sorted((found[1], path) for path in folder.iterdir() if (found := _NAME.fullmatch(path.name)))
    oldest = (now - timedelta(days=days)).strftime(_STAMP)
    removed = [path for made_at, path in dated[:-1] if made_at < oldest]
    for path in removed:
        path.unlink()
    if removed:
        sync_folder(folder)
    return removed
