"""Tables written anew, so that no byte of a deleted row is left in their files: a part of the store.

A deleted row stays in its page until another takes its place; a plain VACUUM lets that happen, and zeroes nothing.
VACUUM FULL writes what lives into a new file and drops the old one. What the operating system does with the blocks of
that, and the write-ahead log until its segments are used again, is beyond it.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from django.db import OperationalError, connections
from psycopg import sql
from psycopg.errors import LockNotAvailable

LARGE = 128 * 2**20  # bytes: a larger table is vacuumed plainly, whoever reads it would wait too long
TRIES = 5
PAUSE = 1.0  # seconds between two tries
# Receipts are never deleted, heads hold hashes, and `reclaimed` is numbers. What a table's counter says means nothing
# where the server has begun to count anew since: after a crash, and in a database that was restored elsewhere.
_CHANGED = """
SELECT n.nspname, c.relname, pg_total_relation_size(c.oid), s.n_tup_del + s.n_tup_upd
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname IN ('public', 'sealed')
  JOIN pg_stat_all_tables s ON s.relid = c.oid
  CROSS JOIN (SELECT greatest(b.stats_reset, d.stats_reset) FROM pg_stat_bgwriter b, pg_stat_database d
               WHERE d.datname = current_database()) counting (since)
  LEFT JOIN public.reclaimed r ON r.relation = n.nspname || '.' || c.relname
 WHERE c.relkind = 'r' AND c.relname NOT IN ('receipt', 'chain_head', 'reclaimed')
   AND (%s OR r.at IS NULL OR r.at <= counting.since OR r.changes <> s.n_tup_del + s.n_tup_upd)
 ORDER BY 3
"""
_NOTED = """
INSERT INTO public.reclaimed (relation, changes, at) VALUES (%s, %s, %s)
ON CONFLICT (relation) DO UPDATE SET changes = excluded.changes, at = excluded.at
"""


class How(Enum):
    """What was done with a table."""

    ANEW = "written anew"
    PLAIN = "vacuumed, too large to be written anew"
    BUSY = "left for the next time: somebody was using it"


@dataclass(frozen=True, slots=True)
class Reclaimed:
    """A table, how large it was and is in bytes with its indexes, and how long that took in seconds."""

    relation: str
    how: How
    before: int
    after: int
    seconds: float

    @property
    def done(self) -> bool:
        """Was it not left for the next time?"""
        return self.how is not How.BUSY


def may(alias: str) -> bool:
    """May this connection's role do it?"""
    if alias not in connections:
        return False
    with connections[alias].cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('server_version_num')::int >= 170000,"
            " pg_get_userbyid(relowner) = current_user, oid FROM pg_class WHERE oid ="
            " (SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            "   WHERE n.nspname = 'public' AND c.relname = 'vault_key')"
        )
        recent, owns, table = cursor.fetchone()
        if owns or not recent:
            return bool(owns)
        cursor.execute("SELECT has_table_privilege(%s::oid, 'MAINTAIN')", [table])
        return bool(cursor.fetchone()[0])


def reclaim(alias: str, now: datetime, *, everything: bool = False) -> Iterator[Reclaimed]:
    """Write anew what changed since the last time, the smallest first; `everything`: whether it changed or not."""
    with connections[alias].cursor() as cursor:
        cursor.execute(_CHANGED, [everything])
        tables = cursor.fetchall()
    for schema, name, before, changes in tables:
        full, began = before <= LARGE, time.perf_counter()
        done = _vacuum(alias, sql.Identifier(schema, name), full=full)
        seconds = time.perf_counter() - began
        with connections[alias].cursor() as cursor:
            if done:
                cursor.execute(_NOTED, [f"{schema}.{name}", changes, now])
            cursor.execute(
                "SELECT pg_total_relation_size(c.oid) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                " WHERE n.nspname = %s AND c.relname = %s",
                [schema, name],
            )
            after = cursor.fetchone()[0]
        how = How.BUSY if not done else How.ANEW if full else How.PLAIN
        yield Reclaimed(f"{schema}.{name}", how, before, after, seconds)


def _vacuum(alias: str, table: sql.Identifier, *, full: bool) -> bool:
    """False where the table was in use each time: this gives way after 0.3 seconds, in which others wait behind it."""
    options = sql.SQL("(FULL)" if full else "(SKIP_LOCKED false)")
    statement = sql.SQL("VACUUM {} {}").format(options, table)
    for tried in range(TRIES):
        try:
            with connections[alias].cursor() as cursor:
                cursor.execute("SET lock_timeout = '300ms'")
                cursor.execute(statement.as_string(None))
            return True
        except OperationalError as error:
            if not isinstance(error.__cause__, LockNotAvailable):
                raise
            if tried + 1 < TRIES:
                time.sleep(PAUSE)
    return False


def let_go_of_wal(alias: str) -> bool:
    """Begin a new segment of the write-ahead log and write the pages out, so that the old ones may be used again or
    dropped. False where this role may not.
    """
    with connections[alias].cursor() as cursor:
        cursor.execute(
            "SELECT has_function_privilege('pg_switch_wal()', 'EXECUTE') AND pg_has_role('pg_checkpoint', 'MEMBER')"
        )
        if not cursor.fetchone()[0]:
            return False
        cursor.execute("SELECT pg_switch_wal()")
        cursor.execute("CHECKPOINT")
    return True


def at() -> dict[str, datetime]:
    """When each table was reclaimed last, by its name with its schema."""
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT relation, at FROM public.reclaimed")
        return dict(cursor.fetchall())
