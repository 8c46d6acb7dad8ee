"""A moment to come, for what happens by the clock, and its coming: no test waits for it, and none has to hurry."""

from datetime import timedelta
from uuid import UUID

from tests import databases
from vault.clock import utc_now

A_LITTLE = timedelta(milliseconds=50)
MOMENTS = """
SELECT table_name, string_agg(format('%%1$I = %%1$I - %%%%(gone)s', column_name), ', ') FROM information_schema.columns
  WHERE table_schema = 'public' AND table_name = ANY (%s) AND data_type = 'timestamp with time zone' GROUP BY 1
"""


class Day:
    """A moment, to the second: written as it is told. So many seconds are enough for whatever is done before it."""

    def __init__(self, seconds: int = 600) -> None:
        self.at = utc_now().replace(microsecond=0) + timedelta(seconds=seconds)

    def __str__(self) -> str:
        return self.at.strftime("%Y-%m-%dT%H:%M:%SZ")

    def comes(self, vault_id: UUID) -> None:
        """It has come: whatever was done and told about the memories of this vault is as much longer ago."""
        gone = self.at - utc_now() + A_LITTLE
        self.at -= gone
        with databases.connect("postgres") as admin:
            for table, older in admin.execute(MOMENTS, [["memory", "memory_version"]]).fetchall():
                admin.execute(
                    f"UPDATE {table} SET {older} WHERE vault_id = %(vault)s", {"gone": gone, "vault": vault_id}
                )
