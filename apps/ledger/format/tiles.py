"""A log as files that never change: C2SP tlog-tiles v1.0.0.

A tile is up to 256 hashes side by side. At level 0 they are leaf hashes; at every level above, each is the root of a
whole tile of the level below. Tile (level, number) begins at hash `256 * number` of its level. A log's right edge is
its partial tiles: enough to append leaves, to write the new tiles, and to know the root.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .merkle import EMPTY_ROOT, node_hash, pair_up, whole_nodes
from .strict import HASH_BYTES, MOST, Malformed, decimal

WIDTH = 256
HEIGHT = 8  # WIDTH = 2 ** HEIGHT
ENTRIES = -1  # the level of an entry bundle, which has a path like a tile's
LONGEST_ENTRY = 65_535  # bytes

_HIGHEST_LEVEL = 63
_LAST_TILE = MOST // WIDTH
_PATH = re.compile(r"tile/(entries|[0-9]{1,2})/((?:x[0-9]{3}/)*[0-9]{3})(?:\.p/([0-9]{1,3}))?", re.ASCII)


class Tile(NamedTuple):
    """The name of a tile, or of a bundle of entries (level ENTRIES); `width` is how many it holds, 1 to 256."""

    level: int
    number: int
    width: int

    @property
    def path(self) -> str:
        """Where it is served, after the log's prefix: `tile/0/x001/x234/067`, with `.p/<width>` if partial."""
        digits = f"{self.number:03d}"
        digits = digits.zfill(-(-len(digits) // 3) * 3)
        groups = [digits[at : at + 3] for at in range(0, len(digits), 3)]
        level = "entries" if self.level == ENTRIES else self.level
        partial = f".p/{self.width}" if self.width < WIDTH else ""
        return f"tile/{level}/{'/'.join(['x' + group for group in groups[:-1]] + groups[-1:])}{partial}"

    @classmethod
    def parse(cls, path: str) -> "Tile":
        """Read a path. Raises Malformed for any but the one spelling of it."""
        parts = _PATH.fullmatch(path)
        if parts is None:
            raise Malformed("a tile's path is tile/<level>/<number> or tile/entries/<number>, .p/<width> if partial")
        level = ENTRIES if parts[1] == "entries" else decimal(parts[1], "a tile's level", _HIGHEST_LEVEL)
        digits = parts[2].replace("x", "").replace("/", "").lstrip("0") or "0"
        width = WIDTH if parts[3] is None else decimal(parts[3], "a tile's width", WIDTH - 1)
        tile = cls(level, decimal(digits, "a tile's number", _LAST_TILE), width)
        if not width or tile.path != path:
            raise Malformed("a tile's path has one spelling: groups of three digits, no more of them than needed")
        return tile


def tiles_of(size: int, old: int = 0) -> list[Tile]:
    """The tiles a tree of this size has and one of the old size had not: those to write, level by level.

    Each is as wide as the tree makes it. Bundles of entries are those of level 0 with level ENTRIES.
    """
    found = []
    for level in range(_levels(size)):
        before, after = old >> HEIGHT * level, size >> HEIGHT * level
        if before == after:
            continue
        for number in range(before // WIDTH, -(-after // WIDTH)):
            found.append(Tile(level, number, min(WIDTH, after - number * WIDTH)))
    return found


ReadTile = Callable[[Tile], bytes]


class TileNodes:
    """The nodes of a tree of one size, out of its tiles: what merkle.py makes roots and proofs from.

    `read` gives a tile's bytes. For a partial tile it may give the whole one instead, as a log may when the partial one
    is gone. Each tile is read once. What comes out is as trustworthy as the tiles: check a proof against a checkpoint.
    """

    def __init__(self, size: int, read: ReadTile) -> None:
        self.size = size
        self._read = read
        self._rows: dict[Tile, list[list[bytes]]] = {}

    def __call__(self, level: int, index: int) -> bytes:
        """The hash of a whole node. Raises ValueError where the tree has none there, Malformed for a tile's bytes."""
        if level < 0 or not 0 <= index < self.size >> level:
            raise ValueError(f"a tree of {self.size} has no whole node at level {level}, index {index}")
        tile_level, row = divmod(level, HEIGHT)
        number, place = divmod(index, WIDTH >> row)
        held = (self.size >> HEIGHT * tile_level) - number * WIDTH
        return self._row(Tile(tile_level, number, min(WIDTH, held)), row)[place]

    def _row(self, tile: Tile, row: int) -> list[bytes]:
        rows = self._rows.get(tile)
        if rows is None:
            rows = self._rows[tile] = [split_tile(self._read(tile), tile.width)]
        while len(rows) <= row:
            below = rows[-1]
            rows.append(pair_up(below[: len(below) & ~1]))
        return rows[row]


def split_tile(data: bytes, width: int) -> list[bytes]:
    """The first `width` hashes of a tile's bytes. Raises Malformed unless it has these, whole, and 256 at most."""
    if len(data) % HASH_BYTES or not width * HASH_BYTES <= len(data) <= WIDTH * HASH_BYTES:
        raise Malformed(f"a tile of width {width} is {width * HASH_BYTES} bytes")
    return [data[at : at + HASH_BYTES] for at in range(0, width * HASH_BYTES, HASH_BYTES)]


@dataclass(frozen=True, slots=True)
class Edge:
    """A tree's right edge: its size, and of each level the hashes of the partial tile, empty where there is none."""

    size: int = 0
    levels: tuple[tuple[bytes, ...], ...] = ()

    @classmethod
    def read(cls, size: int, read: ReadTile) -> "Edge":
        """The edge of a tree of this size, from its partial tiles. Raises Malformed for their bytes."""
        levels = []
        for level in range(_levels(size)):
            number, width = divmod(size >> HEIGHT * level, WIDTH)
            tile = Tile(level, number, width)
            levels.append(tuple(split_tile(read(tile), width)) if width else ())
        return cls(size, tuple(levels))

    def root(self) -> bytes:
        """The root hash; SHA-256 of nothing for an empty tree."""
        made = b""
        for hashes in self.levels:
            peaks = [_subtree(hashes, *node) for node in whole_nodes(0, len(hashes))]
            for peak in reversed(peaks):
                made = node_hash(peak, made) if made else peak
        return made or EMPTY_ROOT

    def integrate(self, hashes: Sequence[bytes]) -> tuple["Edge", dict[Tile, bytes]]:
        """Append leaf hashes. Returns the new edge and every tile to be written, whole and partial, with its bytes."""
        size = self.size + len(hashes)
        levels: list[tuple[bytes, ...]] = []
        written: dict[Tile, bytes] = {}
        added = list(hashes)
        for level in range(_levels(size)):
            held = self.levels[level] if level < len(self.levels) else ()
            row = [*held, *added]
            first = (self.size >> HEIGHT * level) // WIDTH
            if added:
                for at in range(0, len(row), WIDTH):
                    part = row[at : at + WIDTH]
                    written[Tile(level, first + at // WIDTH, len(part))] = b"".join(part)
            whole = len(row) - len(row) % WIDTH
            levels.append(tuple(row[whole:]))
            added = _rise(row[:whole], HEIGHT)
        return Edge(size, tuple(levels)), written


def encode_bundle(entries: Sequence[bytes]) -> bytes:
    """An entry bundle: each entry after its length in 2 bytes, big-endian. Raises Malformed unless 1 to 256 entries."""
    if not 1 <= len(entries) <= WIDTH or any(len(entry) > LONGEST_ENTRY for entry in entries):
        raise Malformed(f"an entry bundle is 1 to {WIDTH} entries of at most {LONGEST_ENTRY} bytes")
    return b"".join(len(entry).to_bytes(2, "big") + entry for entry in entries)


def decode_bundle(data: bytes, width: int) -> list[bytes]:
    """The first `width` entries of a bundle. Raises Malformed unless it has these, 256 at most, and no byte besides."""
    entries, at = [], 0
    while at < len(data):
        end = at + 2 + int.from_bytes(data[at : at + 2], "big")
        if end > len(data):
            raise Malformed("an entry bundle ends within an entry")
        entries.append(data[at + 2 : end])
        at = end
    if not width <= len(entries) <= WIDTH:
        raise Malformed(f"an entry bundle of width {width} has {width} entries")
    return entries[:width]


def _levels(size: int) -> int:
    """How many levels of tiles a tree of this size has."""
    return -(-size.bit_length() // HEIGHT)


def _rise(hashes: list[bytes], levels: int) -> list[bytes]:
    """The row of nodes so many levels above whole siblings."""
    for _ in range(levels):
        hashes = pair_up(hashes)
    return hashes


def _subtree(hashes: Sequence[bytes], level: int, index: int) -> bytes:
    return _rise(list(hashes[index << level : (index + 1) << level]), level)[0]
