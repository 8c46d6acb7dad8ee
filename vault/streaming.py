"""A synchronous generator as an asynchronous stream, in one of two ways.

`streamed`: one thread for the whole of it, run to its end. The generator holds database connections and finishes what
it began (an answer is stored) even when whoever was listening has gone. `pulled`: a part at a time, when it is wanted.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator

from django.db import connections  # noqa: TID251  (the thread's connections are handed back here)


async def streamed(events: Callable[[], Iterator[str]]) -> AsyncIterator[bytes]:
    """What `events()` yields, as it yields it, in UTF-8. An exception in it ends the stream by being raised here."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[str | BaseException | None] = asyncio.Queue()

    def put(item: str | BaseException | None) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(queue.put_nowait, item)

    def run() -> None:
        try:
            for event in events():
                put(event)
            put(None)
        except BaseException as error:
            put(error)
        finally:
            connections.close_all()

    threading.Thread(target=run, name="stream", daemon=True).start()
    while (item := await queue.get()) is not None:
        if isinstance(item, BaseException):
            raise item
        yield item.encode()


async def pulled(parts: Iterator[bytes]) -> AsyncIterator[bytes]:
    """The parts one at a time, each made on a thread when the one before has been sent.

    However slow the listener and however long the whole, one part stands in memory; a listener who goes ends it.
    """

    def step() -> bytes | None:
        try:
            return next(parts, None)
        finally:
            connections.close_all()

    while (part := await asyncio.to_thread(step)) is not None:
        yield part
