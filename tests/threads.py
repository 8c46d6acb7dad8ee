"""Deeds at the same moment, on real connections: each in a thread of its own that hands its connections back."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connections

T = TypeVar("T")


def at_once(deeds: Sequence[Callable[[], T]]) -> list[T | Exception]:
    """What each deed gave, or what it raised, in the order given; they start together."""
    start = threading.Barrier(len(deeds))

    def run(deed: Callable[[], T]) -> T | Exception:
        try:
            start.wait(60)
            return deed()
        except Exception as error:
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(deeds)) as pool:
        return list(pool.map(run, deeds))
