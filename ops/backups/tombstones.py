"""What was erased or stopped, without a word of it: one line each, so that a restore can erase and stop it again.

muniment-tombstones/4
<vault id> <what> <order id, or - where it was no order's> <time, UTC>

What: a memory's id (without an order, the one that a suggestion was turned down for); `*`, the whole vault; or a kind
and an id: `proposal:` a suggestion, `turn:` a conversation, `name:` a person or thing that was linked to, `note:` a
request, `words:` an order, each of which has none of its words any more; `client:` an assistant, `paused:` one that is
paused, `key:` a key, `grant:` a grant, `leave:` leave to act for a holder, `link:` one link of a share, each of which
was stopped; `share:` a share that ended, however.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import psycopg

from ops.backups.files import put_private
from ops.backups.noting import note
from ops.backups.place import Connection, Place, connected, stopped
from ops.trouble import Trouble

FIRST = "muniment-tombstones/4"
EARLIER = (
    "muniment-tombstones/1",  # memories and vaults alone
    "muniment-tombstones/2",  # and all that was erased
    "muniment-tombstones/3",  # and what was stopped, but no share
)
_ID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_KINDS = "proposal|turn|name|note|words|client|paused|key|grant|leave|share|link"
_LINE = re.compile(rf"({_ID}) ((?:(?:{_KINDS}):)?{_ID}|[*]) ({_ID}|-) ([0-9TZ:.-]+)", re.ASCII)
_TURNED_DOWN = """
SELECT p.vault_id, p.memory_id, '-', p.decided_at FROM public.proposal p
 WHERE p.status IN ('rejected', 'withdrawn', 'expired') AND p.decided_at IS NOT NULL
   AND NOT EXISTS (SELECT FROM sealed.key k WHERE k.vault_id = p.vault_id AND k.memory_id = p.memory_id)
"""
_WORDLESS = """
SELECT vault_id, 'proposal:' || proposal_id, '-', coalesce(decided_at, made_at) FROM public.proposal
 WHERE status <> 'pending' AND subject = '' AND label = '' AND rationale = '' AND reason = '' AND candidate = '{}'
   AND evidence = '[]'
"""
_WITHOUT_NOTE = """
SELECT vault_id, 'note:' || request_id, '-', made_at FROM public.access_request
 WHERE purpose_note = '' AND fingerprint = uuid_send(request_id)
"""
_ORDER_WITHOUT_WORDS = """
SELECT vault_id, 'words:' || substr(object, 5)::uuid, '-', at FROM public.receipt WHERE kind = 'erasure.forgotten'
"""
_STOPPED = "SELECT vault_id, '{}:' || {}, '-', {at} FROM public.{} WHERE {at} IS NOT NULL"
_PAUSED = """
SELECT vault_id, 'paused:' || client_id, '-', registered_at FROM public.client WHERE paused AND revoked_at IS NULL
"""
_SHARE_ENDED = """
SELECT vault_id, 'share:' || share_id, '-', coalesce(stopped_at, locked_at, ended_at, made_at) FROM public.share
 WHERE num_nonnulls(stopped_at, locked_at, ended_at) > 0 OR opens_left = 0
"""
# Whatever is blank in one of these places is blanked again. Each by a table and the youngest of its columns.
_QUERIES = (
    ("public.tombstone", "at", "SELECT vault_id, memory_id, order_id, at FROM public.tombstone"),
    (
        "public.erasure_order",
        "whole_vault",
        "SELECT vault_id, '*', order_id, made_at FROM public.erasure_order WHERE whole_vault",
    ),
    ("public.proposal", "decided_at", _TURNED_DOWN),
    ("public.proposal", "evidence", _WORDLESS),
    (
        "public.turn",
        "erased_at",
        "SELECT vault_id, 'turn:' || turn_id, '-', erased_at FROM public.turn WHERE erased_at IS NOT NULL",
    ),
    ("public.entity", "name", "SELECT vault_id, 'name:' || entity_id, '-', made_at FROM public.entity WHERE name = ''"),
    ("public.access_request", "fingerprint", _WITHOUT_NOTE),
    ("public.receipt", "object", _ORDER_WITHOUT_WORDS),
    ("public.client", "revoked_at", _STOPPED.format("client", "client_id", "client", at="revoked_at")),
    ("public.client", "paused", _PAUSED),
    ("public.api_key", "revoked_at", _STOPPED.format("key", "key_id", "api_key", at="revoked_at")),
    ("public.access_grant", "revoked_at", _STOPPED.format("grant", "grant_id", "access_grant", at="revoked_at")),
    ("public.delegation", "ended_at", _STOPPED.format("leave", "delegation_id", "delegation", at="ended_at")),
    ("public.share", "ended_at", _SHARE_ENDED),
    ("public.share_link", "stopped_at", _STOPPED.format("link", "link_id", "share_link", at="stopped_at")),
)


class Tombstone(NamedTuple):
    """One line of such a file: `what` as it stands there."""

    vault: str
    what: str
    order: str
    at: str

    def __str__(self) -> str:
        return " ".join(self)


def of_database(connection: Connection) -> Iterator[Tombstone]:
    """What this database knows to be erased or stopped. Nothing of one that has no such tables yet."""
    for table, column, query in _QUERIES:
        there = "SELECT FROM pg_attribute WHERE attrelid = to_regclass(%s) AND attname = %s"
        if connection.execute(there, [table, column]).fetchone() is not None:
            for row in connection.execute(query):
                vault, what, order, at = row
                yield Tombstone(str(vault), str(what), str(order), at.strftime("%Y-%m-%dT%H:%M:%S.%fZ"))


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
    if first not in (FIRST, *EARLIER) or None in found:
        raise ValueError
    return [Tombstone(*each.groups()) for each in found if each]


def write(place: Place, path: Path) -> int:
    """Write it into a file, in place of the one that is there. Returns how many lines that are. Raises Trouble."""
    try:
        with connected(place.url("MUNIMENT_DB_ADMIN_URL")) as connection:
            found = set(of_database(connection))
            put_private(path, to_bytes(found))
            note(connection, "tombstones")
    except OSError as error:
        raise Trouble(f"{path} cannot be written: {error.strerror}.") from None
    except psycopg.Error as error:
        raise Trouble(f"{stopped(error)} No list was written.") from None
    return len(found)


def to_bytes(tombstones: Iterable[Tombstone]) -> bytes:
    """Such a file, each line once."""
    return "".join(f"{line}\n" for line in (FIRST, *sorted(set(map(str, tombstones))))).encode()
