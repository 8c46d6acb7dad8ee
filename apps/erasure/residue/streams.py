"""What is read from, a file or what is unpacked on the way, and how: in pieces, exactly, or from behind a head."""

import io
from collections.abc import Iterator
from typing import Any, Protocol

from .limits import CUT_OFF, Unreadable


class Source(Protocol):
    """What gives bytes."""

    def read(self, size: int = -1, /) -> bytes: ...


class Readable(Protocol):
    """What gives bytes into a buffer."""

    def readinto(self, buffer: memoryview, /) -> int | None: ...


class Stream(Source, Readable, Protocol):
    """Either, in binary; and at any place where it is seekable."""

    def readline(self, size: int = -1, /) -> bytes: ...

    def seek(self, offset: int, whence: int = 0, /) -> int: ...

    def tell(self) -> int: ...

    def seekable(self) -> bool: ...


class Prefixed(io.RawIOBase):
    """A stream whose first bytes were read already, to see what it is."""

    def __init__(self, head: bytes, rest: Readable) -> None:
        self._head, self._rest = head, rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int | None:
        if not self._head:
            return self._rest.readinto(buffer)
        count = min(len(buffer), len(self._head))
        buffer[:count], self._head = self._head[:count], self._head[count:]
        return count


def pieces(stream: Source, size: int = 1 << 18) -> Iterator[bytes]:
    """What is left of a stream."""
    while piece := stream.read(size):
        yield piece


def most(stream: Source, count: int) -> bytes:
    """So many bytes, or what there is."""
    data = b""
    while len(data) < count and (more := stream.read(count - len(data))):
        data += more
    return data


def exactly(stream: Source, count: int) -> bytes:
    """So many bytes. Raises Unreadable where there are fewer."""
    data = most(stream, count)
    if len(data) < count:
        raise Unreadable(CUT_OFF)
    return data
