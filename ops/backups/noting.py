"""That a backup was made is known to the instance, which warns where that is long ago."""

from __future__ import annotations

from ops.backups.place import Connection

_NOTED = """
INSERT INTO public.backed_up (what, at) VALUES (%s, clock_timestamp())
ON CONFLICT (what) DO UPDATE SET at = excluded.at
"""


def note(connection: Connection, what: str) -> None:
    """A `backup` was made, or a list of `tombstones`, just now."""
    connection.execute(_NOTED, [what])
