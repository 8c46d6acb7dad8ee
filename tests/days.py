"""A moment that is near, for what happens by the clock."""

import time
from datetime import UTC, datetime, timedelta

from vault.clock import utc_now


class Day:
    """A moment, to the second, that is near: written as it is told, and waited for."""

    def __init__(self, seconds: int = 3) -> None:
        self.at = utc_now().replace(microsecond=0) + timedelta(seconds=seconds)

    def __str__(self) -> str:
        return self.at.strftime("%Y-%m-%dT%H:%M:%SZ")

    def comes(self) -> None:
        """It has come."""
        time.sleep(max(0.0, (self.at - datetime.now(UTC)).total_seconds()) + 0.05)
