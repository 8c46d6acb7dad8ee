"""PostgreSQL's write-ahead log: the records as one stream, and the page images in it unpacked where they are packed.

Layout of PostgreSQL 15 to 18 (src/include/access/xlog_internal.h, xlogrecord.h), little-endian. All of it is
UNRECLAIMED: it is kept until the server uses the file anew.
"""

import struct
from collections.abc import Iterator

from . import packed
from .searching import Search, Unpacked
from .streams import Stream

PAGE = 8192
_MAGICS = range(0xD110, 0xD140)  # PostgreSQL 15 and later
_OLD = range(0xD090, 0xD110)
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
    stream.seek(0)
    data, closed = b"".join(_bodies(stream)), 0
    for at, image, method in _images(data, _starts(stream)):
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
    while block := stream.read(PAGE << 5):
        for start in range(0, len(block), PAGE):
            yield block[start + first : start + PAGE]
            first = 24


def _in_file(at: int) -> int:
    """From an offset among the bodies to one in the file."""
    if at < PAGE - 40:
        return at + 40
    page, rest = divmod(at - (PAGE - 40), PAGE - 24)
    return (page + 1) * PAGE + 24 + rest


def _starts(stream: Stream) -> list[int]:
    """For each page, where among the bodies its first record begins; past its end where it has none."""
    stream.seek(0)
    found, base, first = [], 0, 40
    while page := stream.read(PAGE):
        rest = int.from_bytes(page[16:20], "little") if page[2:3] and page[2] & 1 else 0
        found.append(base + (rest + 7 & ~7 if rest else 0))
        base += len(page) - first
        first = 24
    return found


def _images(data: bytes, starts: list[int]) -> Iterator[tuple[int, bytes, int]]:
    """The packed page images: where, the bytes, and how. Where a record is none, the next page begins anew."""
    at, page = starts[0] if starts else 0, 0
    while at + _RECORD.size <= len(data):
        size, _, _, _, manager, _ = _RECORD.unpack_from(data, at)
        if _RECORD.size <= size <= 1 << 28 and manager < 256:
            yield from _of_record(data, at, size)
            at = at + size + 7 & ~7
            continue
        while page < len(starts) and starts[page] <= at:
            page += 1
        if page == len(starts):
            return
        at = starts[page]


def _of_record(data: bytes, start: int, size: int) -> Iterator[tuple[int, bytes, int]]:
    """First the headers of all blocks, then for each its image and its data, then the record's own data."""
    at, end, rest = start + _RECORD.size, min(start + size, len(data)), 0
    blocks: list[tuple[int, int, int]] = []  # length of the image, how it is packed, length of the data
    while at + 5 < end - rest:
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
        if flags & 0x10:
            image, _, told = struct.unpack_from("<HHB", data, at)
            how = told & (_PGLZ | _LZ4 | _ZSTD)
            at += 7 if how and told & _HAS_HOLE else 5
        at += 4 if flags & 0x80 else 16
        blocks.append((image, how, length))
        rest += image + length
    for image, how, length in blocks:
        if how:
            yield at, data[at : at + image], how
        at += image + length
