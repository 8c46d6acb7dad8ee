"""Three ways of packing that Python does not bring: PostgreSQL's pglz, LZ4 (blocks and frames) and Valkey's LZF.

Each unpacks a block to at most `most` bytes. What is damaged ends where the damage is: what came before is returned.
"""

from collections.abc import Iterator

from .limits import Unreadable
from .streams import Source, exactly

LZ4_MAGIC = b"\x04\x22\x4d\x18"
_MOST_BLOCK = 4 << 20


def pglz(data: bytes, most: int) -> bytes:
    """PostgreSQL's own (src/common/pg_lzcompress.c): a control byte, then eight literals or back references."""
    out = bytearray()
    at, end = 0, len(data)
    while at < end and len(out) < most:
        control = data[at]
        at += 1
        if not control:
            out += data[at : at + 8]
            at += 8
            continue
        for bit in range(8):
            if at >= end or len(out) >= most:
                break
            if not control >> bit & 1:
                out.append(data[at])
                at += 1
                continue
            if at + 2 > end:
                return bytes(out[:most])
            length, back = (data[at] & 15) + 3, (data[at] & 0xF0) << 4 | data[at + 1]
            at += 2
            if length == 18 and at < end:
                length += data[at]
                at += 1
            if not _again(out, back, length):
                return bytes(out[:most])
    return bytes(out[:most])


def lz4(data: bytes, most: int, before: bytes = b"") -> bytes:
    """One LZ4 block (lz4_Block_format.md). `before` is what earlier blocks gave, where they are linked."""
    out = bytearray(before)
    at, end, most = 0, len(data), most + len(before)
    while at < end and len(out) < most:
        token = data[at]
        at += 1
        literals = token >> 4
        if literals == 15:
            literals, at = _length(data, at, literals)
        out += data[at : at + literals]
        at += literals
        if at + 2 > end:
            break
        back = data[at] | data[at + 1] << 8
        at += 2
        length = token & 15
        if length == 15:
            length, at = _length(data, at, length)
        if not _again(out, back, min(length + 4, most)):
            break
    return bytes(out[len(before) : most])


def lz4_frames(stream: Source) -> Iterator[bytes]:
    """LZ4 frames one after another (lz4_Frame_format.md), as pg_dump and `lz4` write them. Raises Unreadable."""
    while magic := stream.read(4):
        if magic != LZ4_MAGIC:
            raise Unreadable("something that is no LZ4 follows in it")
        flags = exactly(stream, 2)[0]
        exactly(stream, (8 if flags & 8 else 0) + (4 if flags & 1 else 0) + 1)
        before = b""
        while size := int.from_bytes(exactly(stream, 4), "little"):
            count = size & 0x7FFFFFFF
            if count > _MOST_BLOCK + 64:
                raise Unreadable("a block of it is larger than LZ4 allows")
            block = exactly(stream, count)
            out = block if size >> 31 else lz4(block, _MOST_BLOCK, before)
            if flags & 16:
                exactly(stream, 4)
            before = b"" if flags & 32 else (before + out)[-65536:]
            yield out
        if flags & 4:
            exactly(stream, 4)


def lzf(data: bytes, most: int) -> bytes:
    """LibLZF, as the strings of a Valkey or Redis dump are packed."""
    out = bytearray()
    at, end = 0, len(data)
    while at < end and len(out) < most:
        control = data[at]
        at += 1
        if control < 32:
            out += data[at : at + control + 1]
            at += control + 1
            continue
        length = control >> 5
        if length == 7 and at < end:
            length += data[at]
            at += 1
        if at >= end or not _again(out, ((control & 31) << 8 | data[at]) + 1, length + 2):
            break
        at += 1
    return bytes(out[:most])


def _again(out: bytearray, back: int, length: int) -> bool:
    """Append `length` bytes from `back` bytes ago, which may overlap. False where there is nothing so far back."""
    start = len(out) - back
    if back == 0 or start < 0:
        return False
    if back >= length:
        out += out[start : start + length]
    else:
        run = bytes(out[start:])
        out += (run * (length // back + 1))[:length]
    return True


def _length(data: bytes, at: int, length: int) -> tuple[int, int]:
    while at < len(data):
        more = data[at]
        at += 1
        length += more
        if more != 255:
            break
    return length, at
