"""What was erased, without a word of it: one line each, so that a restore can erase it again.

muniment-tombstones/1
<vault id> <memory id> <order id, or - for a suggestion that was turned down> <time, UTC>
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ops.backups.place import Connection
from ops.trouble import Trouble

FIRST = "muniment-tombstones/1"
_ID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_LINE = re.compile(rf"({_ID}) ({_ID}) ({_ID}|-) ([0-9TZ:.-]+)", re.ASCII)
_AT = "to_char({} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
# A seal without a key is what is left of a suggestion that came to nothing.
_TURNED_DOWN = f"""
SELECT v.vault_id, v.memory_id, '-', {_AT.format("now()")} FROM sealed.value v
 WHERE NOT EXISTS (SELECT FROM sealed.key k WHERE k.vault_id = v.vault_id AND k.memory_id = v.memory_id)
 GROUP BY v.vault_id, v.memory_id
"""  # noqa: S608
_ERASED = f"SELECT t.vault_id, t.memory_id, t.order_id::text, {_AT.format('t.at')} FROM public.tombstone t"  # noqa: S608


class Tombstone(NamedTuple):
    """One memory that was erased, or one suggestion whose words were destroyed (`order` is `-`)."""

    vault: str
    memory: str
    order: str
    at: str

    def __str__(self) -> str:
        return " ".join(self)


def of_database(connection: Connection) -> Iterator[Tombstone]:
    """What this database knows to be erased. Nothing of one that has no tables yet, or is from before tombstones."""
    for table, query in (("public.tombstone", _ERASED), ("sealed.key", _TURNED_DOWN)):
        there = connection.execute("SELECT to_regclass(%s) IS NOT NULL", [table]).fetchone()
        if there and there[0]:
            for row in connection.execute(query):
                yield Tombstone(*map(str, row))


def of_file(path: Path) -> list[Tombstone]:
    """Those of a file. Raises Trouble for another kind of file."""
    try:
        return parse(path.read_bytes())
    except OSError as error:
        raise Trouble(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise Trouble(f"{path} is no file of tombstones: its first line is {FIRST}.") from None


def parse(data: bytes) -> list[Tombstone]:
    """Read such a file. Raises ValueError."""
    first, *lines = data.decode("ascii").splitlines() or [""]
    found = [_LINE.fullmatch(line) for line in lines]
    if first != FIRST or None in found:
        raise ValueError
    return [Tombstone(*each.groups()) for each in found if each]


def to_bytes(tombstones: Iterable[Tombstone]) -> bytes:
    """Such a file, each line once."""
    return "".join(f"{line}\n" for line in (FIRST, *sorted(set(map(str, tombstones))))).encode()
