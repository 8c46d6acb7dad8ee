"""PostgreSQL's pages of 8 kB, as they are on the disk: tables, indexes and the side tables of long values (TOAST).

Read without the server and without its catalogue (src/include/storage/bufpage.h, access/htup_details.h, varatt.h of
PostgreSQL 12 to 18, little-endian). A row is LIVE unless its header, or the commit log beside it, says that it was
deleted, or never committed: where that cannot be told, it is LIVE. Long values are put together, packed ones unpacked.
"""

import os
import re
import struct
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate
from pathlib import Path

from . import packed
from .report import Verdict
from .searching import Search
from .streams import Stream

PAGE = 8192
MOST_REMEMBERED = 1 << 18
_HEADER = struct.Struct("<HHHHHI")  # from byte 10: flags, lower, upper, special, size and version, prune xid
_TUPLE = struct.Struct("<III6xHHB")  # xmin, xmax, field3, ctid, infomask2, infomask, hoff
_XMIN_COMMITTED, _XMIN_INVALID, _XMAX_COMMITTED, _XMAX_INVALID = 0x100, 0x200, 0x400, 0x800
_LOCK_ONLY, _IS_MULTI = 0x80, 0x1000
_COMMITTED, _ABORTED = 1, 2
_BTREE_DELETED = 0x04 | 0x10  # deleted, half dead

# A value packed within a row: 4 bytes of length with the flag 10, 4 of unpacked size and method. Both are small there.
_PACKED = re.compile(
    rb"[%s](?=[\x00-\x7f]\x00\x00..[\x00-\x1f][\x00\x40])" % re.escape(bytes(range(2, 256, 4))), re.DOTALL
)
# A row of a TOAST table: three columns, a header of 24 bytes. From byte 18 of the row.
_TOAST = re.compile(rb"\x03(?=[\x00\x20\x40\x60\x80\xa0\xc0\xe0]..\x18.)", re.DOTALL)


def knows(head: bytes) -> bool:
    """Whether it is a page. One that was never filled is zeros, and no page."""
    if len(head) < PAGE:
        return False
    _, lower, upper, special, size, _ = _HEADER.unpack_from(head, 10)
    return bool(size & 0xFF00 == PAGE and 1 <= size & 0xFF <= 16 and 24 <= lower <= upper <= special <= PAGE)


@dataclass(frozen=True, slots=True)
class _Chunk:
    offset: int
    size: int
    live: bool


class CommitLog:
    """What became of transactions: pg_xact of the data directory a file is in. Unknown where there is none."""

    def __init__(self, beside: str | None) -> None:
        self._folder = _commit_log(os.path.dirname(beside or "/"))
        self._segments: dict[int, bytes] = {}

    def of(self, xid: int) -> int:
        """0 running or unknown, 1 committed, 2 aborted, 3 committed within another."""
        if self._folder is None or xid < 3:
            return 0
        number, at = divmod(xid, 32 * PAGE * 4)
        if number not in self._segments:
            try:
                self._segments[number] = (self._folder / f"{number:04X}").read_bytes()
            except OSError:
                self._segments[number] = b""
        segment = self._segments[number]
        return segment[at // 4] >> 2 * (at % 4) & 3 if at // 4 < len(segment) else 0


@lru_cache(64)
def _commit_log(folder: str) -> Path | None:
    return next((each / "pg_xact" for each in Path(folder, "_").parents if (each / "pg_xact").is_dir()), None)


def look(search: Search, stream: Stream, path: str, beside: str | None) -> None:
    """Every byte as it is, told apart by its page; then what lies packed or in pieces."""
    stream = search.held(stream)
    log = CommitLog(beside)
    pages: dict[int, list[tuple[int, int, bool]]] = {}
    for hit in search.matcher.search(stream):
        number, at = divmod(hit.offset, PAGE)
        if number not in pages:
            back = stream.tell()
            stream.seek(number * PAGE)
            pages = {number: items(stream.read(PAGE), log)}
            stream.seek(back)
        verdict, place = _verdict(pages[number], at, number)
        search.found(hit, path, verdict, place)
    stream.seek(0)
    chunks = _look_packed(search, stream, path, log)
    for each in chunks.values():
        _look_long(search, stream, path, each)


def items(page: bytes, log: CommitLog) -> list[tuple[int, int, bool]]:
    """The rows or entries that a page's pointers lead to: from, to, and whether it is live."""
    if not knows(page):
        return []
    _, lower, _, special, _, _ = _HEADER.unpack_from(page, 10)
    heap = special == PAGE
    gone = special == PAGE - 16 and bool(int.from_bytes(page[special + 12 : special + 14], "little") & _BTREE_DELETED)
    found = []
    for (pointer,) in struct.iter_unpack("<I", page[24 : lower - (lower - 24) % 4]):
        start, state, size = pointer & 0x7FFF, pointer >> 15 & 3, pointer >> 17
        if state in (1, 3) and size and start + size <= PAGE:
            live = state == 1 and not gone and (not heap or size < 23 or _visible(page, start, log))
            found.append((start, start + size, live))
    return found


def _visible(page: bytes, start: int, log: CommitLog) -> bool:
    xmin, xmax, _, _, mask, _ = _TUPLE.unpack_from(page, start)
    if not mask & _XMIN_COMMITTED and (mask & _XMIN_INVALID or log.of(xmin) == _ABORTED):
        return False
    if mask & (_XMAX_INVALID | _LOCK_ONLY | _IS_MULTI) or not xmax:
        return True
    return not (mask & _XMAX_COMMITTED or log.of(xmax) == _COMMITTED)


def _verdict(found: list[tuple[int, int, bool]], at: int, number: int) -> tuple[Verdict, str]:
    for start, end, live in found:
        if start <= at < end:
            return ("LIVE", f"page {number}, a row") if live else ("UNRECLAIMED", f"page {number}, a dead row")
    return "UNRECLAIMED", f"page {number}, free space"


# ---------------------------------------------------------------- packed, and in pieces
class _Rows:
    """The rows of a block of pages, read where they are asked for."""

    def __init__(self, block: bytes, base: int, log: CommitLog) -> None:
        self._block, self._base, self._log = block, base, log
        self._pages: dict[int, list[tuple[int, int, bool]]] = {}

    def at(self, at: int) -> tuple[Verdict, str]:
        return _verdict(self._of(at), at % PAGE, (self._base + at) // PAGE)

    def end(self, at: int) -> int | None:
        """Where the row ends that this is in; None in free space."""
        start = at - at % PAGE
        return next((start + end for first, end, _ in self._of(at) if first <= at % PAGE < end), None)

    def _of(self, at: int) -> list[tuple[int, int, bool]]:
        number = at // PAGE
        if number not in self._pages:
            self._pages[number] = items(self._block[number * PAGE : (number + 1) * PAGE], self._log)
        return self._pages[number]


def _look_packed(search: Search, stream: Stream, path: str, log: CommitLog) -> dict[int, dict[int, list[_Chunk]]]:
    """Unpack what rows hold packed; return the pieces of long values by their id and number."""
    chunks: dict[int, dict[int, list[_Chunk]]] = defaultdict(lambda: defaultdict(list))
    base = 0
    while block := stream.read(PAGE << 7):
        rows = _Rows(block, base, log)
        for at, text in _packed_in(search, block, rows):
            verdict, place = rows.at(at)
            search.bytes(text, path, f"{place}, packed", verdict, base + at)
        for at, size, key, seq in _toast_in(block):
            chunks[key][seq].append(_Chunk(base + at, size, rows.at(at)[0] == "LIVE"))
        base += len(block)
    return chunks


def _packed_in(search: Search, block: bytes, rows: _Rows) -> Iterator[tuple[int, bytes]]:
    """Where something packed begins, and what it is unpacked: whole in a row, and what is left of it in free space."""
    for found in _PACKED.finditer(block):
        at = found.start()
        if at % 4:
            continue
        size, told = int.from_bytes(block[at : at + 4], "little") >> 2, int.from_bytes(block[at + 4 : at + 8], "little")
        whole, method = told & 0x3FFFFFFF, told >> 30
        if size > PAGE - at % PAGE or not _plausible(size - 8, whole, method):
            continue
        end = rows.end(at)
        if end is None or at + size <= end:
            text = _unpacked(search, block[at + 8 : at + size], whole, method)
            if len(text) == whole or (end is None and len(text) >= 64):
                yield at, text


def _plausible(size: int, whole: int, method: int) -> bool:
    """Whether so many bytes may unpack to so many: what is short is not packed, and pglz saves a quarter at least."""
    return size > 4 and 32 <= whole <= size * 256 and (size <= whole * 3 // 4 if method == 0 else size < whole)


def _unpacked(search: Search, data: bytes, whole: int, method: int) -> bytes:
    """Nothing where it does not begin as its method does, with a literal, or where the same held nothing before."""
    if method not in (0, 1) or not (data[0] & 1 == 0 if method == 0 else data[0] >> 4):
        return b""
    if (same := blake2b(data, digest_size=16).digest()) in search.held_nothing:
        return b""
    text = packed.pglz(data, whole) if method == 0 else packed.lz4(data, whole)
    search.spend(len(text))
    if len(search.held_nothing) < MOST_REMEMBERED and not search.matcher.inside(text):
        search.held_nothing.add(same)
    return text


def _toast_in(block: bytes) -> Iterator[tuple[int, int, int, int]]:
    """The pieces of long values: where the bytes begin, how many they are, of which value, and which piece."""
    for found in _TOAST.finditer(block):
        at = found.start()
        start = at - 18
        if start % 8 or start < 0 or at % PAGE + 18 > PAGE:
            continue
        key, seq, head = struct.unpack_from("<III", block.ljust(start + 36, b"\0"), start + 24)
        if head & 3 == 0:
            first, size = start + 36, (head >> 2) - 4
        elif head & 1:
            first, size = start + 33, (head >> 1 & 0x7F) - 1
        else:
            continue
        if key and seq < 1 << 20 and 0 < size <= PAGE - first % PAGE:
            yield first, size, key, seq


def _look_long(search: Search, stream: Stream, path: str, pieces: dict[int, list[_Chunk]]) -> None:
    """Put the pieces of a long value together: each was looked at by itself, but what runs over their seams was not."""
    for choose in (_newest, _oldest):
        run: list[_Chunk] = []
        begins = 0
        for seq in sorted(pieces):
            if run and seq - 1 not in pieces:
                _look_run(search, stream, path, run, first=begins == 0)
                run = []
            begins = begins if run else seq
            run.append(choose(pieces[seq]))
        _look_run(search, stream, path, run, first=begins == 0)
        if all(len(some) == 1 for some in pieces.values()):
            return


def _newest(some: list[_Chunk]) -> _Chunk:
    return max(some, key=lambda one: one.live)


def _oldest(some: list[_Chunk]) -> _Chunk:
    return min(some, key=lambda one: one.live)


def _look_run(search: Search, stream: Stream, path: str, run: list[_Chunk], *, first: bool) -> None:
    if sum(each.size for each in run) > search.limits.memory:
        search.unopened(path, "a value in it is too large to be put together in memory")
        return
    parts = []
    for each in run:
        stream.seek(each.offset)
        parts.append(stream.read(each.size))
    data = b"".join(parts)
    verdict: Verdict = "LIVE" if all(each.live for each in run) else "UNRECLAIMED"
    place = f"page {run[0].offset // PAGE}, a long value"
    seams = list(accumulate(map(len, parts[:-1])))
    for hit in search.matcher.inside(data) if seams else ():
        if any(hit.offset < seam < hit.end for seam in seams):
            search.found(hit, path, verdict, place, run[0].offset)
    told = int.from_bytes(data[:4], "little")
    whole, method = told & 0x3FFFFFFF, told >> 30
    if first and method in (0, 1) and _plausible(len(data) - 4, whole, method):
        if whole > search.limits.memory:
            search.unopened(path, "a packed value in it is larger than what may be held in memory")
            return
        text = _unpacked(search, data[4:], whole, method)
        search.bytes(text, path, f"{place}, packed", verdict, run[0].offset)
