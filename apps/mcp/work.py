"""Running a tool's work: on a thread of its own, with its database connections handed back at the end."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.db import connections  # noqa: TID251  (the thread's connections are handed back here)

_Arguments = ParamSpec("_Arguments")
_Done = TypeVar("_Done")


@contextmanager
def closing() -> Iterator[None]:
    """Close this thread's connections on leaving; with a pool they are handed back."""
    try:
        yield
    finally:
        connections.close_all()


async def on_a_thread(
    run: Callable[_Arguments, _Done], *arguments: _Arguments.args, **named: _Arguments.kwargs
) -> _Done:
    """`run(…)` off the event loop. Not thread-sensitive: outside Django's handler all calls would share one thread."""

    def work() -> _Done:
        with closing():
            return run(*arguments, **named)

    return await sync_to_async(work, thread_sensitive=False)()
