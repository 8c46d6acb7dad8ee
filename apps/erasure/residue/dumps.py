"""Archives that `pg_dump --format=custom` writes (src/bin/pg_dump/pg_backup_archiver.c, formats 1.14 to 1.16)."""

import zlib
from collections.abc import Iterator

from . import packed
from .limits import Unreadable
from .searching import Search, Unpacked
from .streams import Stream, exactly

_NOT_READ = "it is an archive of pg_dump in a form that is not known here; only what is not packed was looked into"
_MOST_TEXT = 256 << 20  # bytes of a definition in the list of contents, or of a piece
_CUSTOM, _DATA, _BLOBS = 1, 1, 3
_NONE, _GZIP, _LZ4, _ZSTD = range(4)


def knows(head: bytes) -> bool:
    """Whether it begins as an archive of pg_dump."""
    return head.startswith(b"PGDMP")


def look(search: Search, stream: Stream, path: str, beside: str | None) -> None:
    """The list of contents as it is, then each table's rows unpacked."""
    stream = search.held(stream)
    search.plain(stream, path, "a dump")
    stream.seek(0)
    reader = _Reader(stream)
    for number, (how, block) in enumerate(reader.blocks(), 1):
        if how == _ZSTD:
            raise Unreadable("its tables are packed with zstd")
        search.member()
        with Unpacked(search, _unpacked(how, block), path) as rows:
            place = f"a dump, table {number}" + (", packed" if how else "")
            hits = list(search.matcher.search(rows))
        for hit in hits if how else ():
            search.found(hit, path, "PLAIN", place)
        for _ in block:  # what is left of it, where it was damaged
            pass


class _Reader:
    """Reads an archive's numbers and texts in its own widths."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        if self._take(5) != b"PGDMP":
            raise Unreadable(_NOT_READ)
        self.version = tuple(self._take(3))
        self._width, self._wide, kind = self._take(3)
        if kind != _CUSTOM or not (1, 14, 0) <= self.version < (1, 17, 0) or self._width > 8:
            raise Unreadable(_NOT_READ)
        if self.version >= (1, 15, 0):
            self.how = self._take(1)[0]
        else:
            self.how = _GZIP if self._number() else _NONE
        for _ in range(7):
            self._number()  # the moment it was made
        for _ in range(3):
            self._text()  # the database, and the versions of server and program
        for _ in range(self._number()):
            self._entry()

    def blocks(self) -> Iterator[tuple[int, Iterator[bytes]]]:
        """Each table's rows and each large object's bytes: how they are packed, and their pieces."""
        while kind := self._stream.read(1):
            self._number()
            if kind[0] == _DATA:
                yield self.how, self._pieces()
            elif kind[0] == _BLOBS:
                while self._number():
                    yield self.how, self._pieces()
            else:
                raise Unreadable(_NOT_READ)

    def _pieces(self) -> Iterator[bytes]:
        while size := self._number():
            yield self._take(size)

    def _entry(self) -> None:
        """One line of the list of contents, whose texts were looked at as they are."""
        self._number()
        self._number()
        for _ in range(4):
            self._text()
        self._number()
        for _ in range(5):
            self._text()
        self._text()  # the table's access method
        if self.version >= (1, 16, 0):
            self._number()
        self._text()
        self._text()
        while self._text() is not None:
            pass  # what it depends on
        self._take(1 + self._wide)

    def _take(self, size: int) -> bytes:
        if not 0 <= size <= _MOST_TEXT:
            raise Unreadable(_NOT_READ)
        return exactly(self._stream, size)

    def _number(self) -> int:
        sign, *digits = self._take(1 + self._width)
        return int.from_bytes(bytes(digits), "little") * (-1 if sign else 1)

    def _text(self) -> bytes | None:
        size = self._number()
        return None if size < 0 else self._take(size)


class _Joined:
    """Pieces as something to read from."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._rest = pieces, b""

    def read(self, size: int = -1, /) -> bytes:
        while len(self._rest) < size and (more := next(self._pieces, b"")):
            self._rest += more
        data, self._rest = self._rest[:size], self._rest[size:]
        return data


def _unpacked(how: int, block: Iterator[bytes]) -> Iterator[bytes]:
    if how == _NONE:
        return block
    return _inflated(block) if how == _GZIP else packed.lz4_frames(_Joined(block))


def _inflated(pieces: Iterator[bytes]) -> Iterator[bytes]:
    machine = zlib.decompressobj()
    for piece in pieces:
        while piece:
            if out := machine.decompress(piece, 1 << 20):
                yield out
            piece = machine.unconsumed_tail
    yield machine.flush()
