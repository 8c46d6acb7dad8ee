"""A restored database takes the place of the one in use, in one transaction: both names change, or neither."""

from __future__ import annotations

from psycopg import errors, sql

from ops.backups.place import Place, connected
from ops.bootstrap import bootstrap, database_exists, drop_database
from ops.trouble import Trouble


def swap(place: Place, beside: Place, *, keep: bool) -> str:
    """Give `beside` the name of `place`. The name that what stood there has now; "" where nothing is left of it.
    Raises Trouble, and nothing was changed, where somebody cannot be made to leave it.
    """
    url = place.server
    bootstrap(url, beside.database, {})  # its rights and extensions, as at every start
    replaced = f"{place.database}_replaced"
    there = database_exists(url, place.database)
    if there:
        drop_database(url, replaced)
    renames = [(place.database, replaced)] if there else []
    try:
        with connected(url) as admin:
            for name, _ in renames:
                admin.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(sql.Identifier(name)))
                admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
            try:
                with admin.transaction():
                    for old, new in (*renames, (beside.database, place.database)):
                        rename = sql.SQL("ALTER DATABASE {} RENAME TO {}")
                        admin.execute(rename.format(sql.Identifier(old), sql.Identifier(new)))
            finally:
                for name in (place.database, replaced):
                    if there and database_exists(url, name):
                        allow = sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS true")
                        admin.execute(allow.format(sql.Identifier(name)))
    except errors.ObjectInUse:
        raise Trouble(f"Somebody is connected to {place.database} and does not leave. Nothing was changed.") from None
    if there and not keep:
        drop_database(url, replaced)
        return ""
    return replaced if there else ""
