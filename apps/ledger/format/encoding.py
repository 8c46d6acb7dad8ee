"""A receipt's canonical bytes, its digest, and its vault's chain (docs/receipt-format.md).

Bytes are RFC 8785 (JSON Canonicalization Scheme) of one flat object of strings and two integers; for such an
object `json.dumps` with sorted keys, no blanks and literal UTF-8 gives exactly them.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from struct import Struct
from typing import Any, NamedTuple

from .strict import Malformed

VERSION = "muniment-receipt/1"
FIELDS = (
    "actor",
    "category",
    "commitment",
    "form",
    "kind",
    "memory",
    "object",
    "on_behalf_of",
    "purpose",
    "reason",
    "recipient",
    "request",
    "salt",
    "seq",
    "time",
    "turn",
    "v",
    "vault",
    "version",
)


class Line(NamedTuple):
    """A receipt as exported: its bytes, and the digest and chain hash (32 bytes each) it was stored with."""

    text: bytes
    digest: bytes
    chain_hash: bytes


@dataclass(frozen=True, slots=True)
class Problem:
    """What does not hold, and at which line of the chain. `what` is form, gap, digest, chain, time, vault or head."""

    seq: int
    what: str


def canonical(body: Mapping[str, str | int]) -> bytes:
    """The canonical bytes of a receipt's object. Raises ValueError where a field is missing or unknown."""
    if tuple(sorted(body)) != FIELDS:
        raise ValueError("a receipt has exactly the fields of docs/receipt-format.md")
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest_of(body: Mapping[str, str | int]) -> bytes:
    """SHA-256 of the canonical bytes."""
    return hashlib.sha256(canonical(body)).digest()


def genesis(vault: str) -> bytes:
    """What stands before the first receipt of a vault, named by its hyphenated UUID."""
    return hashlib.sha256(f"muniment-chain/1\n{vault}\n".encode()).digest()


def next_hash(previous: bytes, digest: bytes) -> bytes:
    """SHA-256(previous chain hash ‖ digest): 64 bytes in, so never a receipt's own bytes."""
    return hashlib.sha256(previous + digest).digest()


def verify_chain(lines: Iterable[Line], vault: str, head: tuple[int, bytes] | None = None) -> tuple[int, list[Problem]]:
    """Check a vault's whole chain from its first line. Returns how many lines were read and what does not hold.

    `head` is the (seq, chain hash) the chain is said to end with; without it a cut-off tail goes unseen.
    """
    name = "vlt_" + vault.replace("-", "")
    at = _Place(0, genesis(vault), b"")
    problems: list[Problem] = []
    shapes: dict[int, _Shape] = {}
    remaining = iter(lines)
    while batch := list(islice(remaining, _BATCH)):
        at = _flawless(batch, name, at, shapes) or _line_by_line(batch, name, at, problems)
    if head is not None and head != (at.seq, at.chain_hash):
        problems.append(Problem(head[0], "head"))
    return at.seq, problems


class _Place(NamedTuple):
    """How far a chain has been read: its last line's seq, chain hash and time."""

    seq: int
    chain_hash: bytes
    time: bytes


def read(text: bytes) -> dict[str, str | int]:
    """The object that canonical bytes are of. Raises Malformed for any other bytes."""
    try:
        body = json.loads(text)
        if canonical(body) == text and all(type(body[name]) is (int if name in _NUMBERS else str) for name in FIELDS):
            return dict(body)
    except (ValueError, TypeError, RecursionError):
        pass
    raise Malformed("a receipt is the canonical bytes of an object with the fields of docs/receipt-format.md")


def _line_by_line(batch: Sequence[Line], name: str, at: _Place, problems: list[Problem]) -> _Place:
    """Read some lines and name what does not hold in each."""
    sha256 = hashlib.sha256
    count, previous, time = at
    for line in batch:
        count += 1
        try:
            body: Any = read(line.text)
        except Malformed:
            body = {"seq": count, "vault": name, "time": time.decode()}
            problems.append(Problem(count, "form"))
        seq = body["seq"]
        if seq != count:
            problems.append(Problem(seq, "gap"))
            count = seq
        if body["vault"] != name:
            problems.append(Problem(seq, "vault"))
        written = body["time"].encode()
        if written < time:
            problems.append(Problem(seq, "time"))
        time = max(time, written)
        digest = sha256(line.text).digest()
        if digest != line.digest:
            problems.append(Problem(seq, "digest"))
        previous = sha256(previous + digest).digest()
        if previous != line.chain_hash:
            problems.append(Problem(seq, "chain"))
            previous = line.chain_hash
    return _Place(count, previous, time)


_NUMBERS = ("seq", "version")
_VARY = ("actor", "commitment", "memory", "object", "recipient", "request", "salt", "seq", "time")
_SEQ, _TIME = (2 * _VARY.index(name) + 1 for name in ("seq", "time"))
_PLAIN = bytes(set(range(0x20, 0x7F)) - set(b'"\\'))  # what stands for itself in JSON, and for nothing else
_BATCH = 128


class _Shape:
    """What lines of one length are cut by: most of them differ from one another in a few fields alone.

    Where everything but these is as in a line that was read whole, and they hold what stands for itself in JSON, a line
    would read back as well. To look is several times as fast as to read.
    """

    def __init__(self, body: Mapping[str, str | int], text: bytes) -> None:
        sizes, start = [], 0
        for name in _VARY:
            mark = (f'"{name}":' if name in _NUMBERS else f'"{name}":"').encode()
            begin = text.index(mark, start) + len(mark)
            sizes += [begin - start, len(str(body[name]).encode())]
            start = begin + sizes[-1]
        self.struct = Struct("".join(f"{size}s" for size in (*sizes, len(text) - start)))
        self.fixed = self.struct.unpack(text)[::2]

    def fits(self, texts: Sequence[bytes], seq: int, time: bytes) -> bytes | None:
        """The last line's time, if these follow a line with that `seq` and `time`; None where one may not."""
        columns = tuple(zip(*self.struct.iter_unpack(b"".join(texts)), strict=True))
        if any(column.count(fixed) != len(texts) for column, fixed in zip(columns[::2], self.fixed, strict=True)):
            return None
        if columns[_SEQ] != tuple([b"%d" % number for number in range(seq + 1, seq + 1 + len(texts))]):
            return None
        times = list(columns[_TIME])
        if times[0] < time or times != sorted(times):
            return None
        varied = b"".join([b"".join(column) for column in columns[1::2]])
        return None if varied.translate(None, _PLAIN) else times[-1]


def _flawless(batch: Sequence[Line], name: str, at: _Place, shapes: dict[int, _Shape]) -> _Place | None:
    """The place after these lines if all of them hold and are shaped like lines before them, else None.

    `shapes` holds those by the length of their bytes. A line that is read whole leaves its own.
    """
    sha256 = hashlib.sha256
    texts, stored, hashes = zip(*batch, strict=True)
    seq, previous, time = at
    for length, run in groupby(texts, len):
        alike = list(run)
        found = shapes[length].fits(alike, seq, time) if length in shapes else None
        if found is None:
            try:
                body = read(alike[0])
            except Malformed:
                return None
            if body["vault"] != name:
                return None
            shapes[length] = _Shape(body, alike[0])
            found = shapes[length].fits(alike, seq, time)
        if found is None:
            return None
        seq, time = seq + len(alike), found
    digests = tuple([sha256(text).digest() for text in texts])
    chained = []
    for digest in digests:
        previous = sha256(previous + digest).digest()
        chained.append(previous)
    return _Place(seq, previous, time) if digests == stored and tuple(chained) == hashes else None
