"""What the database that is replaced alone knows, and a restore carries over: its orders of erasure, each as it was
certified, its legal holds, and by what people sign in. Rows as JSON; only those of a vault that is in the backup too.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ops.backups.place import Connection, one

_ORDERS = "SELECT vault_id::text, to_jsonb(o) FROM public.erasure_order o WHERE done_at IS NOT NULL ORDER BY made_at"
_HOLDS = "SELECT vault_id::text, to_jsonb(h) FROM public.legal_hold h ORDER BY placed_at"
# Of no vault: what a thief of an old password or of a lost key would come in by.
_PEOPLE = """
SELECT '', jsonb_build_object('id', u.id, 'password', u.password, 'factors', coalesce(
         (SELECT jsonb_agg(to_jsonb(a) ORDER BY a.id) FROM public.mfa_authenticator a WHERE a.user_id = u.id), '[]'))
  FROM public."user" u WHERE u.is_active
"""


class Carried(NamedTuple):
    """Rows by their columns' names, each with its vault's id; people with none."""

    orders: list[tuple[str, dict[str, Any]]]
    holds: list[tuple[str, dict[str, Any]]]
    people: list[tuple[str, dict[str, Any]]]


NOTHING = Carried([], [], [])


def of_database(connection: Connection) -> Carried:
    """What this database knows. Nothing of one that has no such tables yet."""
    asked = (("erasure_order", _ORDERS), ("legal_hold", _HOLDS), ("mfa_authenticator", _PEOPLE))
    return Carried(*(_rows(connection, *each) for each in asked))


def _rows(connection: Connection, table: str, query: str) -> list[tuple[str, dict[str, Any]]]:
    there = one(connection, "SELECT to_regclass(%s) IS NOT NULL", f"public.{table}")
    return [(row[0], row[1]) for row in connection.execute(query)] if there else []
