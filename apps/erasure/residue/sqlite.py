"""SQLite's files: the database, its write-ahead log and its rollback journal (sqlite.org/fileformat2.html).

LIVE is what a reader would be served: the cells of the tables' and indexes' trees and their overflow pages, in the
newest committed copy of each page. Everything else in the files is UNRECLAIMED: freed pages, free space within pages,
old copies in the log and behind it.
"""

import os
import struct
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import nullcontext
from io import FileIO

from .matcher import Hit
from .report import Verdict
from .searching import Search
from .streams import Stream

_MAGIC = b"SQLite format 3\0"
_WAL = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
_JOURNAL = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
_TABLE_LEAF, _TABLE_INNER, _INDEX_LEAF, _INDEX_INNER = 13, 5, 10, 2
_BROKEN = (IndexError, struct.error, ValueError, RecursionError)
Ranges = dict[int, list[tuple[int, int]]]


def knows(head: bytes) -> bool:
    """A database, a write-ahead log or a journal."""
    return head.startswith((_MAGIC, *_WAL, _JOURNAL))


def is_journal(beside: str | None) -> bool:
    """Whether a file is the rollback journal of a database beside it: once it is done with, its magic is zeros."""
    if beside is None or not beside.endswith("-journal"):
        return False
    try:
        with open(beside.removesuffix("-journal"), "rb") as database:
            return database.read(16) == _MAGIC
    except OSError:
        return False


class _Pages:
    """The newest committed copy of each page: in the database, or in the write-ahead log."""

    def __init__(self, database: Stream, log: Stream | None) -> None:
        self._database, self._log = database, log
        database.seek(0)
        head = database.read(100)
        self.size = {1: 65536}.get(size := int.from_bytes(head[16:18], "big"), size)
        self.usable = self.size - head[20]
        self.frames: dict[int, int] = {}  # page: where its newest committed copy begins in the log
        if log is not None:
            self._read_log(log)
        whole = database.seek(0, os.SEEK_END) // self.size if self.size else 0
        self.numbers = [*range(1, whole + 1), *sorted(number for number in self.frames if number > whole)]
        self.known = frozenset(self.frames) | frozenset(range(1, whole + 1))

    def _read_log(self, log: Stream) -> None:
        log.seek(0)
        head = log.read(32)
        salts, waiting, at = head[16:24], dict[int, int](), 32
        if not head.startswith(_WAL):
            return
        while len(frame := log.read(24)) == 24 and frame[8:16] == salts:
            number, committed = struct.unpack_from(">II", frame)
            waiting[number] = at + 24
            if committed:
                self.frames |= waiting
                waiting = {}
            at += 24 + self.size
            log.seek(at)

    def page(self, number: int) -> bytes:
        """The bytes a reader is served. Raises ValueError where there is no such page."""
        if number not in self.known:
            raise ValueError("no such page")
        if number in self.frames and self._log is not None:
            self._log.seek(self.frames[number])
            return self._log.read(self.size)
        self._database.seek((number - 1) * self.size)
        return self._database.read(self.size)


def look(search: Search, stream: Stream, path: str, beside: str | None) -> None:
    """Every byte as it is, told apart by the page it is in; then what runs from page to page."""
    stream = search.held(stream)
    head = stream.read(32)
    stream.seek(0)
    if head.startswith(_JOURNAL) or is_journal(beside):
        search.plain(stream, path, "a rollback journal", "UNRECLAIMED")
        return
    is_log = not head.startswith(_MAGIC)
    other = _other(beside, is_log=is_log)
    with other or nullcontext():
        try:
            pages = _Pages(stream, other) if not is_log else _Pages(other, stream) if other else None
        except _BROKEN:
            pages = None
        if pages is None or pages.size < 512:
            search.plain(stream, path, "a write-ahead log without its database", "UNRECLAIMED")
            return
        _look(search, stream, path, pages, is_log=is_log)


def _other(beside: str | None, *, is_log: bool) -> FileIO | None:
    """The log that belongs to a database, or the database that a log belongs to, where it is on the disk."""
    if beside is None or (is_log and not beside.endswith("-wal")):
        return None
    try:
        return open(beside.removesuffix("-wal") if is_log else f"{beside}-wal", "rb", buffering=0)
    except OSError:
        return None


def _look(search: Search, stream: Stream, path: str, pages: _Pages, *, is_log: bool) -> None:
    stream.seek(0)
    hits = list(search.matcher.search(stream))
    seams = list(_seams(search, pages)) if not is_log else []
    if not hits and not seams:
        return
    served, whole = _served(pages)
    for hit in hits:
        if is_log:
            number, at, newest = _frame(stream, pages, hit.offset)
        else:
            number, at = hit.offset // pages.size + 1, hit.offset % pages.size
            newest = number not in pages.frames
        live = newest and (not whole or _within(served.get(number, []), at))
        place = f"page {number}" if newest else f"an old copy of page {number}"
        search.found(hit, path, *_told(live, place))
    for hit, number, at in seams:
        live = not whole or number in served
        search.found(hit, path, *_told(live, f"page {number} and what it continues on"), offset=at)


def _told(live: bool, place: str) -> tuple[Verdict, str]:
    return ("LIVE", place) if live else ("UNRECLAIMED", place)


def _within(ranges: list[tuple[int, int]], at: int) -> bool:
    place = bisect_right(ranges, (at, 1 << 62)) - 1
    return place >= 0 and at < ranges[place][1]


def _frame(log: Stream, pages: _Pages, offset: int) -> tuple[int, int, bool]:
    """Of an offset in the log: the page, where in it, and whether this is its newest committed copy."""
    index, at = divmod(offset - 32, pages.size + 24)
    start = 32 + index * (pages.size + 24)
    log.seek(start)
    number = int.from_bytes(log.read(4), "big")
    return number, at - 24, pages.frames.get(number) == start + 24


# ---------------------------------------------------------------- what is served
def _served(pages: _Pages) -> tuple[Ranges, bool]:
    """The bytes of each page that a reader is served, and whether every tree could be read to its end."""
    served: Ranges = {}
    whole = True
    roots = [1]
    for root in roots:  # grows by what page 1 lists
        stack = [root]
        while stack:
            number = stack.pop()
            if number in served:
                continue
            try:
                page = pages.page(number)
                below, cells = _read(page, 100 if number == 1 else 0, pages.usable)
                served[number] = sorted((start, end) for start, end, _, _ in cells)
                if number == 1:
                    served[1].insert(0, (0, 100))
                stack += below
                for start, end, rest, next_page in cells:
                    _follow(pages, served, next_page, rest)
                    if root == 1 and page[100 if number == 1 else 0] == _TABLE_LEAF and not rest:
                        roots += _listed(page[start:end])
            except _BROKEN:
                whole = False
    return served, whole


def _read(page: bytes, head: int, usable: int) -> tuple[list[int], list[tuple[int, int, int, int]]]:
    """A page of a tree: the pages below it, and its cells as (from, to, bytes on other pages, the first of those)."""
    kind, count = page[head], int.from_bytes(page[head + 3 : head + 5], "big")
    if kind not in (_TABLE_LEAF, _TABLE_INNER, _INDEX_LEAF, _INDEX_INNER):
        raise ValueError("no page of a tree")
    inner = kind in (_TABLE_INNER, _INDEX_INNER)
    first = head + (12 if inner else 8)
    below = [int.from_bytes(page[head + 8 : head + 12], "big")] if inner else []
    cells = []
    for (start,) in struct.iter_unpack(">H", page[first : first + 2 * count]):
        at = start
        if inner:
            below.append(int.from_bytes(page[at : at + 4], "big"))
            at += 4
        if kind == _TABLE_INNER:
            cells.append((start, _varint(page, at)[1], 0, 0))
            continue
        size, at = _varint(page, at)
        if kind == _TABLE_LEAF:
            at = _varint(page, at)[1]
        local = _local(size, usable, table=kind == _TABLE_LEAF)
        pointer = int.from_bytes(page[at + local : at + local + 4], "big") if local < size else 0
        cells.append((start, at + local, size - local, pointer))
    return below, cells


def _local(size: int, usable: int, *, table: bool) -> int:
    """How much of a payload stands on the page itself."""
    most = usable - 35 if table else (usable - 12) * 64 // 255 - 23
    if size <= most:
        return size
    least = (usable - 12) * 32 // 255 - 23
    some = least + (size - least) % (usable - 4)
    return some if some <= most else least


def _varint(page: bytes, at: int) -> tuple[int, int]:
    value = 0
    for count in range(9):
        byte = page[at + count]
        if count == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + count + 1
    raise ValueError("unreachable")


def _follow(pages: _Pages, served: Ranges, number: int, rest: int) -> None:
    while rest > 0 and number and number not in served:
        size = min(rest, pages.usable - 4)
        served[number] = [(4, 4 + size)]
        rest -= size
        number = int.from_bytes(pages.page(number)[:4], "big")


def _listed(cell: bytes) -> list[int]:
    """The root page that a row of the schema names, if any: its fourth column."""
    at = _varint(cell, _varint(cell, 0)[1])[1]
    size, column = _varint(cell, at)
    body, kinds = at + size, []
    while column < at + size:
        kind, column = _varint(cell, column)
        kinds.append(kind)
    widths = [{5: 6, 6: 8, 7: 8, 8: 0, 9: 0}.get(kind, kind if kind < 5 else (kind - 12) // 2) for kind in kinds]
    start = body + sum(widths[:3])
    if kinds[3] in (8, 9):
        return [kinds[3] - 8] if kinds[3] == 9 else []
    root = int.from_bytes(cell[start : start + widths[3]], "big")
    return [root] if root else []


# ---------------------------------------------------------------- from page to page
def _seams(search: Search, pages: _Pages) -> Iterator[tuple[Hit, int, int]]:
    """Hits that begin on one page and end on the next of a payload: of rows, and of what was freed."""
    reach = min(search.matcher.reach, pages.usable - 4)
    for number in pages.numbers:
        page = pages.page(number)
        if not page:
            continue
        ends = []
        if page[0] == 0 and number > 1:
            ends.append((pages.usable, int.from_bytes(page[:4], "big"), 4))
        else:
            try:
                cells = _read(page, 100 if number == 1 else 0, pages.usable)[1]
            except _BROKEN:
                continue
            ends += [(end, next_page, start) for start, end, rest, next_page in cells if rest]
        for end, next_page, start in ends:
            if next_page not in pages.known:
                continue
            before = page[max(start, end - reach) : end]
            after, following = b"", next_page
            while len(after) < reach and following in pages.known:
                more = pages.page(following)
                after += more[4 : pages.usable]
                following = int.from_bytes(more[:4], "big")
            for hit in search.matcher.inside(before + after[:reach]):
                if hit.offset < len(before) < hit.end:
                    yield hit, number, (number - 1) * pages.size + end - len(before) + hit.offset
