"""What a read must know of grants and requests: the columns, the facts made of them, and the queries that find them.

Each query goes by an index to the rows that matter, however many others there are: of other clients, of this one, of
the years before. They are SQL, because the hot road sends them together in one network round trip (see store).
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import sql

from apps.memories.services.linking import EDGE_COLUMNS
from apps.policy.links import Edge
from apps.policy.types import AccessPart, AccessRequest, DecidedPart, Grant, Memory, Part
from apps.policy.vocabulary import Category, PartStatus, Purpose

Query = tuple[str, list[Any]]
MOST_EDGES = 200  # that are told beside one read

GRANT_COLUMNS = (
    "grant_id",
    "client_id",
    "recipient",
    "purpose",
    "category",
    "memory_ids",
    "terms_version",
    "expires_at",
    "reads_left",
    "paused",
    "revoked_at",
    "request_id",
    "turn_id",
    "made_at",
    "reads_done",
    "last_used_at",
    "lapse_days",
    "lapsed_at",
)
REQUEST_COLUMNS = (
    "request_id",
    "client_id",
    "purpose",
    "purpose_note",
    "ttl_seconds",
    "max_reads",
    "made_at",
    "expires_at",
    "turn_id",
    "interval_seconds",
)
PART_COLUMNS = ("category", "memory_ids", "whole_category", "status", "decided_at", "cool_down_until", "grant_id")

# What a client has and waits for ends in one statement, however much that is.
END_CLIENT = """
WITH client AS (
  UPDATE client SET revoked_at = %(now)s WHERE vault_id = %(vault)s AND client_id = %(client)s AND revoked_at IS NULL
), keys AS (
  UPDATE api_key SET revoked_at = %(now)s WHERE vault_id = %(vault)s AND client_id = %(client)s AND revoked_at IS NULL
), parts AS (
  UPDATE request_part p SET status = 'cancelled', decided_at = %(now)s FROM access_request r
    WHERE p.vault_id = %(vault)s AND p.status IN ('pending', 'in_review')
      AND r.vault_id = p.vault_id AND r.request_id = p.request_id AND r.client_id = %(client)s
)
UPDATE access_grant SET revoked_at = %(now)s, terms_version = terms_version + 1
  WHERE vault_id = %(vault)s AND client_id = %(client)s AND revoked_at IS NULL AND lapsed_at IS NULL
    AND expires_at > %(now)s
"""


@dataclass(frozen=True, slots=True)
class Facts:
    """All that the rules need to judge a read."""

    memories: dict[UUID, Memory]
    grants: tuple[Grant, ...]
    decided: tuple[DecidedPart, ...]
    edges: tuple[Edge, ...] = ()


def grant_fact(row: Sequence[Any]) -> Grant:
    """A grant from a row's columns in the order of GRANT_COLUMNS."""
    values = list(row)
    values[3], values[4] = Purpose(values[3]), Category(values[4])
    values[5] = frozenset(_ids(values[5]))
    return Grant(*values)


def part_fact(row: Sequence[Any]) -> Part:
    """A part from a row that begins as PART_COLUMNS do."""
    return Part(Category(row[0]), _ids(row[1]), row[2])


def decided_fact(row: Sequence[Any]) -> DecidedPart:
    """What later questions depend on, from a row of `decided`."""
    return DecidedPart(part_fact(row), Purpose(row[-1]), PartStatus(row[3]), row[4], row[5], row[-2])


def request_facts(rows: Iterable[Sequence[Any]], part_rows: Iterable[Sequence[Any]]) -> tuple[AccessRequest, ...]:
    """Requests from rows in the order of REQUEST_COLUMNS; their parts from rows of a request's id and PART_COLUMNS."""
    parts: dict[UUID, list[AccessPart]] = {}
    order = [category.value for category in Category]
    for row in part_rows:
        fact = AccessPart(part_fact(row[1:]), PartStatus(row[4]), row[5], row[7])
        parts.setdefault(row[0], []).append(fact)
    for each in parts.values():
        each.sort(key=lambda one: order.index(one.part.category.value))
    return tuple(
        AccessRequest(
            request_id=row[0],
            client_id=row[1],
            purpose=Purpose(row[2]),
            purpose_note=row[3],
            ttl_seconds=row[4],
            max_reads=row[5],
            made_at=row[6],
            expires_at=row[7],
            turn_id=row[8],
            parts=tuple(parts.get(row[0], ())),
            interval_seconds=row[9],
        )
        for row in rows
    )


def _ids(stored: str | list[str]) -> tuple[UUID, ...]:
    """Memory ids from JSON: parsed by the ORM, or still text on the hot road."""
    return tuple(UUID(each) for each in (json.loads(stored) if isinstance(stored, str) else stored))


def listed(names: Iterable[str], of: str = "") -> sql.Composed:
    """Columns, of a table where several are joined, as a query names them."""
    return sql.SQL(", ").join(sql.Identifier(*filter(None, (of, name))) for name in names)


_OF = sql.SQL("SELECT m.grant_id FROM grant_memory m WHERE m.vault_id = %s AND m.client_id = %s AND m.memory_id = w.id")
_COVERING = (
    sql.SQL(
        "SELECT {columns} FROM access_grant WHERE vault_id = %s AND grant_id IN ("
        " SELECT f.grant_id FROM unnest(%s::uuid[]) AS w(id) CROSS JOIN LATERAL ("
        "({of} AND m.purpose = %s AND m.expires_at > %s)"
        " UNION ALL ({of} AND m.purpose = %s AND m.expires_at <= %s ORDER BY m.expires_at DESC LIMIT 1)"
        " UNION ALL ({of} LIMIT 1)) f)"
    )
    .format(columns=listed(GRANT_COLUMNS), of=_OF)
    .as_string(None)
)
_BOUND_TO = (
    sql.SQL("SELECT {} FROM access_grant WHERE vault_id = %s AND turn_id = %s")
    .format(listed(GRANT_COLUMNS))
    .as_string(None)
)
_DECIDED = (
    sql.SQL(
        "SELECT {}, r.request_id, r.purpose FROM request_part p"
        " JOIN access_request r ON r.vault_id = p.vault_id AND r.request_id = p.request_id"
        " WHERE p.vault_id = %s AND r.client_id = %s"
        " AND (p.status IN ('pending', 'in_review') OR p.cool_down_until > %s)"
    )
    .format(listed(PART_COLUMNS, "p"))
    .as_string(None)
)
_GIVEN = (
    "EXISTS (SELECT FROM grant_memory m WHERE m.vault_id = %s AND m.client_id = %s AND m.memory_id = e.{}"
    " AND m.purpose = %s AND m.expires_at > %s)"
)
_LINKED = (
    sql.SQL(
        "SELECT {columns} FROM edge e WHERE e.vault_id = %s AND e.ended_at IS NULL"
        " AND (e.from_id = ANY(%s) OR e.to_id = ANY(%s)) AND {from_given}"
        " AND (e.kind = 'about' OR {to_given}) ORDER BY e.made_at DESC, e.edge_id LIMIT %s"
    )
    .format(
        columns=listed(EDGE_COLUMNS),
        from_given=sql.SQL(_GIVEN).format(sql.Identifier("from_id")),
        to_given=sql.SQL(_GIVEN).format(sql.Identifier("to_id")),
    )
    .as_string(None)
)


def covering(vault_id: UUID, client_id: UUID, ids: Sequence[UUID], purpose: Purpose, now: datetime) -> Query:
    """A client's grants on these memories, as far as a read for `purpose` depends on them: all that are not over; and
    of the others, for the reason of a no, the last that was for this purpose, and one for any.
    """
    key: list[object] = [vault_id, client_id]
    return _COVERING, [vault_id, list(ids), *key, purpose.value, now, *key, purpose.value, now, *key]


def bound_to(vault_id: UUID, turn_id: UUID) -> Query:
    """The grants that were given for one turn of the vault's own chat."""
    return _BOUND_TO, [vault_id, turn_id]


def decided(vault_id: UUID, client_id: UUID, now: datetime) -> Query:
    """The parts of a client's requests that later questions depend on: those that wait, and those that cool down."""
    return _DECIDED, [vault_id, client_id, now]


def linked(vault_id: UUID, client_id: UUID, ids: Sequence[UUID], purpose: Purpose, now: datetime) -> Query:
    """The edges that stand between these memories and others that this client was given for this purpose, and to whom
    or what they are about, the newest first. Given is meant as `grant_memory` holds it: too much at worst.
    """
    key: list[object] = [vault_id, client_id, purpose.value, now]
    return _LINKED, [vault_id, list(ids), list(ids), *key, *key, MOST_EDGES]
