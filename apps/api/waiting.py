"""Waiting within a request: on a thread of its own, and without holding a database connection meanwhile."""

import re
import time
from collections.abc import Callable
from typing import TypeVar

from django.db import connections  # noqa: TID251  (the thread's connections are handed back while it sleeps)

MOST_SECONDS = 25
_WAIT = re.compile(r"(?:^|[,;\s])wait\s*=\s*(\d{1,4})(?=$|[,;\s])")
_Found = TypeVar("_Found")


def wanted(prefer: str) -> int:
    """The seconds that a `Prefer: wait=N` header asks for, at most 25; 0 without one (RFC 7240)."""
    match = _WAIT.search(prefer)
    return min(int(match[1]), MOST_SECONDS) if match else 0


def until(done: Callable[[_Found], bool], look: Callable[[], _Found], seconds: float, every: float = 1.0) -> _Found:
    """`look()`, again every second until it is `done` or the time is over; the last thing seen."""
    end = time.monotonic() + seconds
    found = look()
    while not done(found) and (left := end - time.monotonic()) > 0:
        pause(min(every, left))
        found = look()
    return found


def pause(seconds: float) -> None:
    """Sleep, with every connection of this thread closed (with a pool: handed back)."""
    for connection in connections.all(initialized_only=True):
        if not connection.in_atomic_block:
            connection.close()
    time.sleep(seconds)
