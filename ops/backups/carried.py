"""What the database that is replaced alone knows, and a restore carries over: its orders of erasure, each as it was
certified, and its legal holds. Rows as JSON; only those of a vault that is in the backup too.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ops.backups.place import Connection, one

_ORDERS = "SELECT vault_id::text, to_jsonb(o) FROM public.erasure_order o WHERE done_at IS NOT NULL ORDER BY made_at"
_HOLDS = "SELECT vault_id::text, to_jsonb(h) FROM public.legal_hold h ORDER BY placed_at"


class Carried(NamedTuple):
    """Rows by their columns' names, each with its vault's id."""

    orders: list[tuple[str, dict[str, Any]]]
    holds: list[tuple[str, dict[str, Any]]]


NOTHING = Carried([], [])


def of_database(connection: Connection) -> Carried:
    """What this database knows. Nothing of one that has no such tables yet."""
    return Carried(*(_rows(connection, *each) for each in (("erasure_order", _ORDERS), ("legal_hold", _HOLDS))))


def _rows(connection: Connection, table: str, query: str) -> list[tuple[str, dict[str, Any]]]:
    there = one(connection, "SELECT to_regclass(%s) IS NOT NULL", f"public.{table}")
    return [(row[0], row[1]) for row in connection.execute(query)] if there else []
