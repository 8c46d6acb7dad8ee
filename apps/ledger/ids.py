"""New ids. UUIDv7 (RFC 9562), made here so that PostgreSQL 16 and 17 serve as well as 18."""

import os
import time
from uuid import UUID


def new_id() -> UUID:
    """A time-ordered UUIDv7: 48 bits of milliseconds, 74 random bits."""
    milliseconds = time.time_ns() // 1_000_000
    number = (milliseconds << 80) | int.from_bytes(os.urandom(10))
    number &= ~(0xF << 76) & ~(0x3 << 62)
    return UUID(int=number | (7 << 76) | (2 << 62))
