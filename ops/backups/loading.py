"""Loading a backup's two files into a database that nobody uses yet, and comparing what is there with what they say."""

from __future__ import annotations

import subprocess
from collections.abc import Collection, Iterator
from pathlib import Path

from psycopg import sql

from ops.backups import contents, steps, taking, tombstones
from ops.backups.archive import Manifest, Opened
from ops.backups.brought import Loaded
from ops.backups.place import Connection, Place, connected, program, running
from ops.backups.tombstones import Tombstone
from ops.trouble import Trouble

_NO_KEY = """
SELECT m.vault_id, m.memory_id FROM public.memory m
  JOIN sealed.value v ON v.vault_id = m.vault_id AND v.memory_id = m.memory_id AND v.version = m.version
 WHERE m.state <> 'erased' AND NOT EXISTS (SELECT FROM sealed.key k
   WHERE k.vault_id = v.vault_id AND k.memory_id = v.memory_id AND k.version = v.version)
"""
MOST_NAMED = 5


def load_data(beside: Place, opened: Opened) -> Manifest:
    """Load the file of data, and compare. Raises Trouble where anything is not as it was."""
    url = beside.administrator
    for name, parts in opened.members():
        if name == contents.DATABASE:
            _pg_restore(url, opened.about.postgres, parts)
    manifest = opened.manifest
    assert manifest is not None
    if contents.DATABASE not in manifest.members:
        raise Trouble("The file of data holds no database.")
    with connected(url) as connection:
        found = taking.counted(connection, manifest.tables)
        for what, here, there in (
            *((table, found.get(table), rows) for table, rows in manifest.tables.items()),
            ("the chains", taking.ledger(connection), manifest.ledger),
            ("the log", taking.log(connection), manifest.log),
        ):
            if here != there:
                raise Trouble(f"{what}: {here} came out of the backup, and its manifest says {there}.")
    return manifest


def _pg_restore(url: str, server: int, parts: Iterator[bytes]) -> None:
    argv = [program("pg_restore", server), "--exit-on-error"]
    with running(argv, url, stdin=subprocess.PIPE) as restoring:
        assert restoring.stdin is not None
        for part in parts:
            restoring.stdin.write(part)
        restoring.stdin.close()


def load_keys(
    beside: Place, opened: Opened, *, later: bool, gone: Collection[Tombstone], here: steps.Migrations
) -> Loaded:
    """Load the file of keys: of a `later` backup than the data's, the data is brought to its schema first. What is in
    `gone`, or in the file's own list of what was erased, gets no key. Raises Trouble.
    """
    if later:
        steps.migrate_to(beside, here, opened.about.migrations)
    loaded = Loaded(set(gone))
    tables = {each.name: each for each in contents.KEY_TABLES}
    read: dict[str, int] = {}
    with connected(beside.administrator) as connection:
        for name, parts in opened.members():
            if name == contents.TOMBSTONES:
                loaded.gone |= set(tombstones.parse(b"".join(parts)))
                _note(connection, loaded.gone)
            elif name in tables:
                columns, read[name] = _copy(connection, name, parts)
                insert = sql.SQL("INSERT INTO {table} ({columns}) SELECT {columns} FROM pg_temp.k WHERE {stays}")
                stays = sql.SQL(tables[name].stays)  # a text of ours
                connection.execute(insert.format(table=_named(name), columns=_listed(columns), stays=stays))
            elif name == contents.TURN_KEYS:
                columns, read[name] = _copy(connection, "public.turn", parts)
                if later:
                    _turns(connection, columns)
            else:
                loaded.files[name] = b"".join(parts)
    assert opened.manifest is not None
    if contents.ROOT_KEYS not in loaded.files:
        raise Trouble("The file of keys holds no root keys.")
    if read != opened.manifest.tables:
        raise Trouble(f"The file of keys says that it has {opened.manifest.tables}, and it has {read}.")
    return loaded


def _note(connection: Connection, gone: Collection[Tombstone]) -> None:
    connection.execute("CREATE TEMP TABLE gone (vault_id uuid, memory_id uuid)")
    with connection.cursor() as cursor, cursor.copy("COPY pg_temp.gone FROM STDIN") as rows:
        for each in gone:
            if ":" not in each.what:  # what has a key of its own
                rows.write_row((each.vault, None if each.what == "*" else each.what))
    connection.execute("CREATE INDEX ON pg_temp.gone (vault_id, memory_id)")


def _copy(connection: Connection, table: str, parts: Iterator[bytes]) -> tuple[list[str], int]:
    """Rows under a line that names their columns, into the temporary table `k`. Returns the columns and how many."""
    head, _, rest = next(parts).partition(b"\n")
    columns = head.decode().split("\t")
    connection.execute("DROP TABLE IF EXISTS pg_temp.k")
    make = sql.SQL("CREATE TEMP TABLE k AS SELECT {columns} FROM {table} WITH NO DATA")
    connection.execute(make.format(columns=_listed(columns), table=_named(table)))
    with connection.cursor() as cursor:
        with cursor.copy("COPY pg_temp.k FROM STDIN") as rows:
            rows.write(rest)
            for part in parts:
                rows.write(part)
        return columns, cursor.rowcount


def _turns(connection: Connection, columns: list[str]) -> None:
    """Conversations get the keys of the later file; those that it does not know, or knows as erased, have none."""
    connection.execute(
        "UPDATE public.turn u SET epoch = k.epoch, wrapped = k.wrapped FROM pg_temp.k k"
        " WHERE u.vault_id = k.vault_id AND u.turn_id = k.turn_id"
    )
    if "erased_at" not in columns:
        return
    connection.execute(
        "UPDATE public.turn u SET wrapped = '', question = NULL, answer = NULL, facts = '{}', erased_at ="
        " coalesce((SELECT k.erased_at FROM pg_temp.k k WHERE k.vault_id = u.vault_id AND k.turn_id = u.turn_id),"
        " now())"
        " WHERE u.erased_at IS NULL AND NOT EXISTS (SELECT FROM pg_temp.k k WHERE k.vault_id = u.vault_id"
        " AND k.turn_id = u.turn_id AND k.erased_at IS NULL)"
    )


def check_keys(beside: Place, path: Path) -> None:
    """Raises Trouble where a memory that lives has lost its key: this is not the file that belongs to the data."""
    with connected(beside.administrator) as connection:
        lost = connection.execute(_NO_KEY).fetchall()
    if lost:
        named = ", ".join(f"mem_{memory.hex} in vlt_{vault.hex}" for vault, memory in lost[:MOST_NAMED])
        more = f" and {len(lost) - MOST_NAMED} more" if len(lost) > MOST_NAMED else ""
        raise Trouble(
            f"{path} holds no key for {named}{more}, and nothing here says that they were erased: it is not the file "
            "of keys that belongs to this data. Nothing was changed."
        )


def _named(table: str) -> sql.Identifier:
    return sql.Identifier(*table.split("."))


def _listed(columns: list[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, columns))
