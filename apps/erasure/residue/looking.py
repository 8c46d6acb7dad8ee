"""Tells files by what they begin with, never by their name, and gives each to who reads its format."""

import io
import os
from collections.abc import Callable
from functools import partial

from . import archives, dumps, packed, postgres, sqlite, valkey, wal
from .limits import DAMAGED, Unreadable, no_access
from .matcher import MAIL
from .searching import Search
from .streams import Prefixed, Stream, most

HEAD = postgres.PAGE
_PACKED = (
    (b"\x1f\x8b\x08", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\0", "xz"),
    (packed.LZ4_MAGIC, "lz4"),
)
_CLOSED = (
    (b"\x28\xb5\x2f\xfd", "it is packed with zstd"),
    (b"\x1f\x9d", "it is packed with compress"),
    (b"7z\xbc\xaf\x27\x1c", "it is a 7z archive"),
    (b"Rar!\x1a\x07", "it is a RAR archive"),
    (b"\xff\x06\0\0sNaPpY", "it is packed with snappy"),
    (b"age-encryption.org/", "it is encrypted"),
    (b"-----BEGIN AGE ENCRYPTED FILE-----", "it is encrypted"),
    (b"-----BEGIN PGP MESSAGE-----", "it is encrypted"),
    (b"Salted__", "it is encrypted"),
    (b"LUKS\xba\xbe", "it is encrypted"),
    (b"hsqs", "it is a squashfs image"),
    (b"PAR1", "it is a Parquet file, which packs its columns"),
    (b"%PDF-", "it is a PDF, whose texts are packed and drawn"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "it is an old office document, which may pack its texts"),
)


def look(search: Search, beside: str | None, stream: Stream, path: str, depth: int = 0) -> None:
    """Look into a stream by its content. `beside` is the real path of a file of the disk; None in an archive."""
    if depth > search.limits.depth:
        search.unopened(path, "archives are packed in it more deeply than the limit allows")
        return
    head = most(stream, HEAD)
    if stream.seekable():
        stream.seek(0)
    else:
        stream = io.BufferedReader(Prefixed(head, stream), 1 << 18)
    inner = partial(look, search, None)
    try:
        _reader(search, head, stream, path, depth, beside, inner)()
    except Unreadable as why:
        search.unopened(path, str(why))
    except OSError as error:
        search.unopened(path, no_access(error))
    except Exception:  # of a dozen libraries, and of ours, on bytes from anywhere
        search.unopened(path, DAMAGED)


def _reader(
    search: Search, head: bytes, stream: Stream, path: str, depth: int, beside: str | None, inner: archives.Look
) -> Callable[[], None]:
    """Who reads it."""
    for magic, name in _PACKED:
        if head.startswith(magic):
            search.kind(name)
            if name == "gzip" and head[3:4] and head[3] & 0x1C:
                _header(search, head[:512], path)
            return lambda: archives.look_unpacked(search, name, stream, path, depth, inner)
    if archives.is_zlib(head):
        search.kind("zlib")
        return lambda: archives.look_unpacked(search, "zlib", stream, path, depth, inner)
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")) or _ends_as_zip(stream):
        search.kind("zip")
        return lambda: archives.look_zip(search, stream, path, depth, inner)
    if head[257:262] == b"ustar":
        search.kind("tar")
        return lambda: archives.look_tar(search, stream, path, depth, inner)
    if beside and head == bytes(HEAD) and os.path.exists(os.path.join(os.path.dirname(beside), "PG_VERSION")):
        search.kind("postgres pages")  # the first page was never filled
        return lambda: postgres.look(search, stream, path, beside)
    if sqlite.is_journal(beside):
        search.kind("sqlite")
        return lambda: sqlite.look(search, stream, path, beside)
    for knows, name, reads in (
        (sqlite.knows, "sqlite", sqlite.look),
        (postgres.knows, "postgres pages", postgres.look),
        (wal.knows, "postgres wal", wal.look),
        (dumps.knows, "pg_dump", dumps.look),
        (valkey.knows, "valkey dump", valkey.look),
    ):
        if knows(head):
            search.kind(name)
            return lambda: reads(search, stream, path, beside)
    for magic, why in _CLOSED:
        if head.startswith(magic):
            search.unopened(path, why)
    search.kind("plain")
    return lambda: _plain(search, head, stream, path, depth, inner)


def _plain(search: Search, head: bytes, stream: Stream, path: str, depth: int, inner: archives.Look) -> None:
    if not stream.seekable() and MAIL in head.lower():
        stream = search.held(stream)
    search.matcher.mail = False
    search.plain(stream, path)
    if search.matcher.mail:
        if not stream.seekable():
            raise Unreadable("it holds mail behind its beginning, which was not decoded")
        archives.look_mail(search, stream, path, depth, inner)


def _header(search: Search, head: bytes, path: str) -> None:
    """The header of a packed stream that holds a name or a note."""
    for hit in search.matcher.inside(head):
        search.found(hit, path, "PLAIN", "in the header")


def _ends_as_zip(stream: Stream) -> bool:
    """A program with an archive behind it."""
    if not stream.seekable():
        return False
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - 22))
    ends = stream.read(4) == b"PK\x05\x06"
    stream.seek(0)
    return ends
