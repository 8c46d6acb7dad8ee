"""PostgreSQL's write-ahead log: the records as one stream, and the page images in it unpacked where they are packed.

Layout of PostgreSQL 15 to 18 (src/include/access/xlog_internal.h, xlogrecord.h), little-endian. All of it is
UNRECLAIMED: it is kept until the server uses the file anew.
"""

import os
import struct
from collections.abc import Iterator

from . import packed
from .searching import Search, Unpacked
from .streams import Stream, most

PAGE = 8192
BLOCK = PAGE << 5  # so much is held at once, however long the file is
_MAGICS = range(0xD110, 0xD140)  # PostgreSQL 15 and later
_OLD = range(0xD090, 0xD110)
HEADERS = 2048  # of a record, at most: 33 blocks of 27 bytes, and what follows them
_RECORD = struct.Struct("<IIQBB2xI")
_HAS_HOLE, _PGLZ, _LZ4, _ZSTD = 0x01, 0x04, 0x08, 0x10


def knows(head: bytes) -> bool:
    """Whether it begins as a segment does."""
    if len(head) < PAGE:
        return False
    magic, info = struct.unpack_from("<HH", head)
    return (magic in _MAGICS or magic in _OLD) and bool(info & 2) and head[36:40] == PAGE.to_bytes(4, "little")


def look(search: Search, stream: Stream, path: str, beside: str | None) -> None:
    """Records without the page headers between them; then each packed image."""
    stream = search.held(stream)
    with Unpacked(search, _bodies(stream), path) as bodies:
        for hit in search.matcher.search(bodies):
            search.found(hit, path, "UNRECLAIMED", "the write-ahead log", _in_file(hit.offset))
    stream.seek(0)
    if int.from_bytes(stream.read(2), "little") in _OLD:
        search.unopened(path, "it is of a server before PostgreSQL 15: page images that it packs were not looked into")
        return
    closed = 0
    for at, image, method in _images(_Bodies(stream)):
        if method & _ZSTD:
            closed += 1
            continue
        text = packed.pglz(image, PAGE) if method & _PGLZ else packed.lz4(image, PAGE)
        search.spend(len(text))
        search.bytes(text, path, "the write-ahead log, a packed page image", "UNRECLAIMED", _in_file(at))
    if closed:
        search.unopened(path, f"{closed} page images in it are packed with zstd")


def _bodies(stream: Stream) -> Iterator[bytes]:
    first = 40
    while block := stream.read(BLOCK):
        for start in range(0, len(block), PAGE):
            yield block[start + first : start + PAGE]
            first = 24


def _in_file(at: int) -> int:
    """From an offset among the bodies to one in the file."""
    if at < PAGE - 40:
        return at + 40
    page, rest = divmod(at - (PAGE - 40), PAGE - 24)
    return (page + 1) * PAGE + 24 + rest


class _Bodies:
    """What stands between the pages' headers, at any place."""

    def __init__(self, stream: Stream) -> None:
        self._stream, self._size = stream, stream.seek(0, os.SEEK_END)
        self._number, self._block = -1, b""

    def read(self, at: int, size: int) -> bytes:
        """So many bytes from there on, or what there is."""
        parts: list[bytes] = []
        while size > 0:
            place = _in_file(at)
            part = self._of_file(place, min(size, PAGE - place % PAGE))
            if not part:
                break
            parts.append(part)
            at, size = at + len(part), size - len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def next_record(self, after: int) -> int | None:
        """Where the next page that begins a record behind there does; None where there is none."""
        for place in range(_in_file(after) // PAGE * PAGE, self._size, PAGE):
            head = self._of_file(place, 20)
            body = 0 if place == 0 else place // PAGE * (PAGE - 24) - 16
            rest = int.from_bytes(head[16:20], "little") if head[2:3] and head[2] & 1 else 0
            start = body + (rest + 7 & ~7)
            if start > after:
                return start
        return None

    def _of_file(self, place: int, size: int) -> bytes:
        number, at = divmod(place, BLOCK)
        if number != self._number:
            self._stream.seek(number * BLOCK)
            self._number, self._block = number, most(self._stream, BLOCK)
        return self._block[at : at + size]


def _images(bodies: _Bodies) -> Iterator[tuple[int, bytes, int]]:
    """The packed page images: where, the bytes, and how. Where a record is none, the next page begins anew."""
    at = bodies.next_record(-1)
    while at is not None and len(head := bodies.read(at, _RECORD.size)) == _RECORD.size:
        size, _, _, _, manager, _ = _RECORD.unpack(head)
        if _RECORD.size <= size <= 1 << 28 and manager < 256:
            yield from _of_record(bodies, at, size)
            at = at + size + 7 & ~7
        else:
            at = bodies.next_record(at)


def _of_record(bodies: _Bodies, start: int, size: int) -> Iterator[tuple[int, bytes, int]]:
    """First the headers of all blocks, then for each its image and its data, then the record's own data."""
    data = bodies.read(start, min(size, HEADERS))
    at, end, rest = _RECORD.size, len(data) if len(data) < HEADERS else size, 0
    blocks: list[tuple[int, int, int]] = []  # length of the image, how it is packed, length of the data
    while at + 5 < min(end - rest, len(data)):
        block = data[at]
        if block in (255, 254):
            at += 2 if block == 255 else 5
            break
        if block in (253, 252):
            at += 3 if block == 253 else 5
            continue
        if block > 32:
            return
        flags, length, image, how = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "little"), 0, 0
        at += 4
        if flags & 0x10 and at + 5 <= len(data):
            image, _, told = struct.unpack_from("<HHB", data, at)
            how = told & (_PGLZ | _LZ4 | _ZSTD)
            at += 7 if how and told & _HAS_HOLE else 5
        at += 4 if flags & 0x80 else 16
        blocks.append((image, how, length))
        rest += image + length
    for image, how, length in blocks:
        if how:
            yield start + at, bodies.read(start + at, image), how
        at += image + length
