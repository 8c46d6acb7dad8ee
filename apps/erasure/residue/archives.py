"""What is packed: gzip, bzip2, xz, lz4 and zlib streams, zip and tar archives, and what a mail carries."""

import binascii
import bz2
import io
import lzma
import re
import tarfile
import zipfile
import zlib
from bisect import bisect
from collections.abc import Callable, Iterator
from typing import Any

from . import packed
from .limits import CUT_OFF, Unreadable
from .searching import Search, Unpacked
from .streams import Prefixed, Source, Stream, pieces

PIECE = 1 << 20
Look = Callable[[Stream, str, int], None]


# ---------------------------------------------------------------- one stream
def unpack(name: str, stream: Source) -> Iterator[bytes]:
    """The pieces of a packed stream by the name of its format, one stream after another."""
    if name == "lz4":
        yield from packed.lz4_frames(stream)
        return
    make: Callable[[], Any] = {
        "gzip": lambda: zlib.decompressobj(31),
        "zlib": zlib.decompressobj,
        "bzip2": bz2.BZ2Decompressor,
        "xz": lambda: lzma.LZMADecompressor(memlimit=PIECE << 8),
    }[name]
    machine, begun = make(), False
    for piece in pieces(stream):
        data = piece
        while data or begun:
            out = machine.decompress(data, PIECE)
            begun = True
            if out:
                yield out
            if machine.eof:
                data, begun = machine.unused_data, False
                machine = make()
                if not data.strip(b"\0"):
                    break
                continue
            data = getattr(machine, "unconsumed_tail", b"")
            if not data and (getattr(machine, "needs_input", True)):
                break
    if begun:
        raise Unreadable(CUT_OFF)


def is_zlib(head: bytes) -> bool:
    """Whether it begins as zlib's streams do, and goes on as one: their first bytes alone may be anything's."""
    if not (head.startswith(b"x") and len(head) > 2 and (head[0] << 8 | head[1]) % 31 == 0):
        return False
    try:
        zlib.decompressobj().decompress(head)
    except zlib.error:
        return False
    return True


def look_unpacked(search: Search, name: str, stream: Stream, path: str, depth: int, look: Look) -> None:
    """A packed stream: its header as it is, then what it holds."""
    search.member()
    with Unpacked(search, unpack(name, stream), path) as inner:
        look(inner, f"{path}!", depth + 1)


# ---------------------------------------------------------------- zip
def look_zip(search: Search, stream: Stream, path: str, depth: int, look: Look) -> None:
    """The members, and the bytes between them: a deleted member stays in the file."""
    held = search.held(stream)
    ranges: list[tuple[int, int]] = []
    with zipfile.ZipFile(held) as archive:
        for info in archive.infolist():
            inner = f"{path}!{search.shown(info.filename)}"
            search.member()
            search.name(info.filename, inner)
            try:
                with archive.open(info) as member, Unpacked(search, pieces(member), inner) as counted:
                    look(counted, inner, depth + 1)
                    if not counted.broken:
                        ranges.append(_data_of(held, info))
            except RuntimeError:  # also NotImplementedError
                why = "it is encrypted" if info.flag_bits & 1 else "it is packed in a way that is not known here"
                search.unopened(inner, why)
    ranges.sort()
    held.seek(0)
    for hit in search.matcher.search(held):
        place = bisect(ranges, (hit.offset, 1 << 62)) - 1
        if place < 0 or hit.offset >= ranges[place][1]:
            search.found(hit, path, "PLAIN", "between the members")


def _data_of(stream: Stream, info: zipfile.ZipInfo) -> tuple[int, int]:
    stream.seek(info.header_offset + 26)
    sizes = stream.read(4)
    first = info.header_offset + 30 + int.from_bytes(sizes[:2], "little") + int.from_bytes(sizes[2:], "little")
    return first, first + info.compress_size


# ---------------------------------------------------------------- tar
def look_tar(search: Search, stream: Stream, path: str, depth: int, look: Look) -> None:
    """The members, each as a file."""
    opened: Any = tarfile.open  # its types know neither a mode that is chosen nor the list of members
    seekable = stream.seekable()
    with opened(fileobj=stream, mode="r:" if seekable else "r|") as archive:
        for info in archive:
            inner = f"{path}!{search.shown(info.name)}"
            search.member()
            search.name(info.name, inner)
            if info.linkname:
                search.name(info.linkname, inner)
            for text in info.pax_headers.values():
                search.name(str(text), inner)
            if info.isreg() and (member := archive.extractfile(info)) is not None:
                look(member if seekable else Prefixed(b"", member), inner, depth + 1)
            archive.members = []  # of a long archive, not all at once
    for piece in pieces(stream):  # behind the end mark
        for hit in search.matcher.inside(piece):
            search.found(hit, path, "PLAIN", "behind the end")


# ---------------------------------------------------------------- mail
_ENCODED = re.compile(rb"[A-Za-z0-9+/]{2,1000}={0,2}\r?\n?\Z")


def look_mail(search: Search, stream: Stream, path: str, depth: int, look: Look) -> None:
    """What its parts say once decoded: quoted-printable as one text, each run of base64 as a file."""
    stream.seek(0)
    with Unpacked(search, _quoted(stream), path) as text:
        search.plain(text, path, "decoded from quoted-printable")
    stream.seek(0)
    for number, data in enumerate(_runs(search, stream)):
        search.member()
        search.spend(len(data))
        look(io.BytesIO(data), f"{path}!base64 {number + 1}", depth + 1)


def _quoted(stream: Stream) -> Iterator[bytes]:
    while line := stream.readline(PIECE):
        yield binascii.a2b_qp(line)


def _runs(search: Search, stream: Stream) -> Iterator[bytes]:
    run = bytearray()
    while True:
        line = stream.readline(2048)
        if line and _ENCODED.match(line) and len(run) < search.limits.memory:
            run += line.strip()
            continue
        if len(run) >= 8:
            yield binascii.a2b_base64(run[: len(run) & ~3])
        run.clear()
        if not line:
            return
