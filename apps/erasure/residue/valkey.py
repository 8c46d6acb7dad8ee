"""Dumps of Valkey and Redis (RDB): as they are, and their packed strings unpacked. A log of commands is plain."""

import re

from . import packed
from .searching import Search
from .streams import Stream

# A string packed with LZF: its mark, how long it is packed and unpacked (6, 14 or 32 bits each), and the bytes.
_PACKED = re.compile(rb"\xc3")
_MOST = 64 << 20


def knows(head: bytes) -> bool:
    """Whether it begins as a dump."""
    return head.startswith((b"REDIS0", b"VALKEY"))


def look(search: Search, stream: Stream, path: str, beside: str | None) -> None:
    """The bytes as they are, then each string that unpacks to the length it says."""
    stream = search.held(stream)
    search.plain(stream, path, "a dump of the broker")
    stream.seek(0)
    data = stream.read(search.limits.memory + 1)
    if len(data) > search.limits.memory:
        search.unopened(path, "it is larger than what may be held in memory; its packed strings were not looked into")
        return
    for found in _PACKED.finditer(data):
        size, at = _length(data, found.end())
        whole, at = _length(data, at)
        if 0 < size < whole <= _MOST and at + size <= len(data):
            text = packed.lzf(data[at : at + size], whole)
            if len(text) == whole:
                search.spend(whole)
                search.bytes(text, path, "a packed string of a dump of the broker", "PLAIN", found.start())


def _length(data: bytes, at: int) -> tuple[int, int]:
    """A length as a dump writes it, and where the next thing begins; 0 where it is none."""
    if at >= len(data):
        return 0, at
    kind, first = data[at] >> 6, data[at] & 63
    if kind == 0:
        return first, at + 1
    if kind == 1:
        return first << 8 | (data[at + 1] if at + 1 < len(data) else 0), at + 2
    return (int.from_bytes(data[at + 1 : at + 5], "big"), at + 5) if data[at] == 0x80 else (0, at + 1)
