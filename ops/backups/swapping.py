"""A restored database takes the place of the one in use, in one transaction: both names change, or neither."""

from __future__ import annotations

from contextlib import suppress

import psycopg
from psycopg import errors, sql

from ops.backups.place import Connection, Place, connected
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
            _on_the_disk(admin)
            terminate = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
            admin.execute(terminate, [place.database])
            # Renaming locks a database against whoever would connect, until both have their names.
            with admin.transaction():
                for old, new in (*renames, (beside.database, place.database)):
                    rename = sql.SQL("ALTER DATABASE {} RENAME TO {}")
                    admin.execute(rename.format(sql.Identifier(old), sql.Identifier(new)))
    except errors.ObjectInUse:
        raise Trouble(f"Somebody is connected to {place.database} and does not leave. Nothing was changed.") from None
    if there and not keep:
        with suppress(psycopg.Error):  # then it is there still, and the operator is told so
            drop_database(url, replaced)
            return ""
    return replaced if there else ""


def _on_the_disk(admin: Connection) -> None:
    """What was restored is on the disk, all of it: the server has until then only promised to write it."""
    try:
        admin.execute("CHECKPOINT")
    except psycopg.Error:
        raise Trouble(
            "What was restored cannot be written to the disk of the database, which may be full: free some space and "
            "try again. Nothing was changed."
        ) from None
