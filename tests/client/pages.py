"""Pages and log segments as a PostgreSQL that packs with LZ4 writes them, which the tests' server does not.

LZ4's bytes are those of its reference library.
"""

import struct

VALUE = "Ann Lee, 12 Main Street, Café"
TEXT = ("the quick brown fox jumps over the lazy dog. " * 20 + VALUE + " and again. " * 30).encode()
_BODY = (
    "f01074686520717569636b2062726f776e20666f78206a756d7073206f766572201f00916c617a7920646f672e0e000f2d00ffffff43ff1b"
    "416e6e204c65652c203132204d61696e205374726565742c20436166c3a920616e6420616761696e2e200c00ff455061696e2e20"
)
LZ4_BLOCK = bytes.fromhex(_BODY)
LZ4_FRAME = bytes.fromhex(f"04224d186c400a05000000000000066c000000{_BODY}00000000cacaf256")
LZ4_FRAME_CHECKED = bytes.fromhex(f"04224d187040ad6c000000{_BODY}7b70737c00000000")
PAGE = 8192


def page(datum: bytes) -> bytes:
    """A page of a table with one live row of one column, as PostgreSQL 18 writes it."""
    row = struct.pack("<III6xHHBx", 700, 0, 0, 1, 0x0902, 24) + datum
    row += bytes(-len(row) % 8)
    first = PAGE - len(row)
    head = struct.pack("<QHHHHHHI", 1 << 20, 0, 4, 28, first, PAGE, PAGE | 4, 0)
    return (head + struct.pack("<I", first | 1 << 15 | len(row) << 17)).ljust(first, b"\0") + row


def segment(how: int, image: bytes) -> bytes:
    """A segment of PostgreSQL 18's write-ahead log with one record of one packed page image."""
    block = struct.pack("<BBHHHB", 0, 0x10, 0, len(image), 0, how) + struct.pack("<IIII", 1663, 5, 16384, 0)
    record = struct.pack("<IIQBB2xI", 24 + len(block) + len(image), 700, 0, 0, 0, 0) + block + image
    head = struct.pack("<HHIQI4xQII", 0xD118, 2, 1, 1 << 24, 0, 7, 1 << 24, PAGE)
    return (head + record).ljust(2 * PAGE, b"\0")
