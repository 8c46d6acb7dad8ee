"""A receipt's canonical bytes, its digest, and its vault's chain (docs/receipt-format.md).

Bytes are RFC 8785 (JSON Canonicalization Scheme) of one flat object of strings and two integers; for such an
object `json.dumps` with sorted keys, no blanks and literal UTF-8 gives exactly them.
"""

import hashlib
import json
import re
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
    """What does not hold, and at which line of the chain: form, gap, digest, chain, time, vault, version or head."""

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
    walk = Walk("vlt_" + vault.replace("-", ""), 0, genesis(vault))
    problems: list[Problem] = []
    remaining = iter(lines)
    while batch := list(islice(remaining, BATCH)):
        problems += walk.lines(batch)
    if head is not None and head != (walk.seq, walk.chain_hash):
        problems.append(Problem(head[0], "head"))
    return walk.seq, problems


def row_of(text: bytes, chain_hash: bytes) -> bytes:
    """A receipt as a line of a file: RFC 8785 of an object of its chain hash in hex and itself, and a newline."""
    return b"%b%b%b%b%b" % (ROW_BEGINS, chain_hash.hex().encode(), _ROW_PARTS, text, _ROW_ENDS)


def line_of(row: bytes) -> Line:
    """What `row_of` made, read; the digest is made anew of the bytes, which nobody has looked at. Raises Malformed."""
    text, written = row[_ROW_TEXT], row[_ROW_HASH]
    if _HASH_IN_HEX.fullmatch(written):
        chain_hash = bytes.fromhex(written.decode())
        if row_of(text, chain_hash) == row:
            return Line(text, hashlib.sha256(text).digest(), chain_hash)
    raise Malformed("a receipt's line is an object of its chain hash in hex and its canonical bytes")


class Run(NamedTuple):
    """Receipts of one kind that follow one another: the first one's seq, how many, and the kind."""

    first: int
    length: int
    kind: str


class Walk:
    """A vault's chain, read on from any place. The vault is named by its typed id.

    `seq`, `chain_hash` and `time` (as written) are those of the last receipt read; `runs` are those read last.
    """

    def __init__(self, vault: str, seq: int, chain_hash: bytes) -> None:
        self._vault, self._at = vault, _Place(seq, chain_hash, b"")
        self._of_lines: dict[int, _Shape] = {}
        self._of_rows: dict[int, _Shape] = {}
        self._unlike = 0  # looks during which receipts are not taken to be alike
        self.runs: list[Run] = []

    @property
    def seq(self) -> int:
        return self._at.seq

    @property
    def chain_hash(self) -> bytes:
        return self._at.chain_hash

    @property
    def time(self) -> str:
        return self._at.time.decode()

    def lines(self, batch: Sequence[Line]) -> list[Problem]:
        """Read some receipts. Returns what does not hold."""
        texts, stored, hashes = zip(*batch, strict=True)
        look, problems = self._look(texts, self._of_lines, of_rows=False), list[Problem]()
        if look is not None:
            digests, chained = _chained(self._at.chain_hash, texts)
            if digests == list(stored) and chained == list(hashes):
                self._go_on(look, chained[-1])
                return problems
        self.runs = []
        self._at = _line_by_line(batch, self._vault, self._at, problems, self.runs)
        return problems

    def rows(self, batch: Sequence[bytes]) -> list[Problem]:
        """Read some receipts as `row_of` writes them. Returns what does not hold; of a line that is none, `form`."""
        look, problems = self._look(batch, self._of_rows, of_rows=True), list[Problem]()
        if look is not None:
            _, chained = _chained(self._at.chain_hash, [row[_ROW_TEXT] for row in batch])
            if b"".join(chained).hex().encode() == look.hashes:
                self._go_on(look, chained[-1])
                return problems
        self.runs = []
        for row in batch:
            try:
                self._at = _line_by_line([line_of(row)], self._vault, self._at, problems, self.runs)
            except Malformed:
                self._at = self._at._replace(seq=self._at.seq + 1)
                problems.append(Problem(self._at.seq, "form"))
        return problems

    def _go_on(self, look: "_Look", chain_hash: bytes) -> None:
        self.runs = look.runs
        self._at = _Place(self._at.seq + sum(run.length for run in look.runs), chain_hash, look.time)

    def _look(self, rows: Sequence[bytes], shapes: "dict[int, _Shape]", of_rows: bool) -> "_Look | None":
        """What these receipts say, if they follow and are written without an escape, else None.

        Where they are not alike, the next ones are not either: for a while each is looked at by itself at once.
        """
        if not self._unlike:
            found = self._all_alike(rows, shapes, of_rows)
            if found is not None:
                return found
        self._unlike = (self._unlike or _UNLIKE_FOR) - 1
        return self._one_by_one(rows, of_rows)

    def _one_by_one(self, rows: Sequence[bytes], of_rows: bool) -> "_Look | None":
        """The same, of receipts of any shape."""
        matches = [*map((_PLAIN_ROW if of_rows else _PLAIN_TEXT).fullmatch, rows)]
        if b"".join(rows).translate(None, _PLAIN + b'"') != (b"\n" * len(rows) if of_rows else b""):
            return None
        found = [match.groups() for match in matches if match]
        if len(found) != len(rows):
            return None
        hashes, kinds, seqs, times, versions, vaults = zip(*found, strict=True)
        seq, _, time = self._at
        if seqs != _numbers_after(seq, len(rows)) or times[0] < time or list(times) != sorted(times):
            return None
        if {*versions} != {VERSION.encode()} or {*vaults} != {self._vault.encode()}:
            return None
        runs = []
        for kind, same in groupby(kinds):
            runs.append(Run(seq + 1, sum(1 for _ in same), kind.decode()))
            seq += runs[-1].length
        return _Look(times[-1], runs, b"".join(hashes) if of_rows else b"")

    def _all_alike(self, rows: Sequence[bytes], shapes: "dict[int, _Shape]", of_rows: bool) -> "_Look | None":
        """The same, several times as fast, of receipts shaped like receipts before them.

        `shapes` holds those by the length of their bytes. A receipt that is read whole leaves its own.
        """
        seq, _, time = self._at
        runs: list[Run] = []
        hashes: list[bytes] = []
        for length, alike in _by_length(rows):
            shape = shapes.get(length)
            columns = shape.columns(alike, seq, time) if shape else None
            if shape is None or columns is None:
                try:
                    shape = shapes[length] = self._shape_of(alike[0], of_rows)
                except Malformed:
                    return None
                columns = shape.columns(alike, seq, time)
                if columns is None:
                    return None
            if of_rows:
                hashes.append(b"".join(columns[_CHAIN_HASH]))
            time = columns[shape.time][-1]
            runs.append(Run(seq + 1, len(alike), shape.kind))
            seq += len(alike)
        return _Look(time, runs, b"".join(hashes))

    def _shape_of(self, row: bytes, of_rows: bool) -> "_Shape":
        """The shape of a receipt of this vault. Raises Malformed where it is none."""
        body = read(line_of(row).text if of_rows else row)
        if (body["vault"], body["v"]) != (self._vault, VERSION):
            raise Malformed("a receipt is of its chain's vault, and of this version")
        return _Shape(body | {"chain_hash": "0" * 64}, row, ("chain_hash", *_VARY) if of_rows else _VARY)


class _Look(NamedTuple):
    """What some receipts say: the last one's time, their runs, and, of rows, the hex of their chain hashes."""

    time: bytes
    runs: list[Run]
    hashes: bytes


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


def _line_by_line(
    batch: Sequence[Line], name: str, at: _Place, problems: list[Problem], runs: list[Run] | None = None
) -> _Place:
    """Read some lines and name what does not hold in each; `runs` gets those that can be read."""
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
        if runs is not None and "kind" in body:
            runs.append(Run(seq, 1, body["kind"]))
        if seq != count:
            problems.append(Problem(seq, "gap"))
            count = seq
        if body["vault"] != name:
            problems.append(Problem(seq, "vault"))
        if body.get("v", VERSION) != VERSION:
            problems.append(Problem(seq, "version"))
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


ROW_BEGINS, _ROW_PARTS, _ROW_ENDS = b'{"chain_hash":"', b'","receipt":', b"}\n"
_ROW_HASH = slice(len(ROW_BEGINS), len(ROW_BEGINS) + 64)
_ROW_TEXT = slice(_ROW_HASH.stop + len(_ROW_PARTS), -len(_ROW_ENDS))
_HASH_IN_HEX = re.compile(rb"[0-9a-f]{64}")
_CHAIN_HASH = 0  # the column of a row's first field that varies
_NUMBERS = ("seq", "version")
_VARY = ("actor", "commitment", "memory", "object", "recipient", "request", "salt", "seq", "time")
_PLAIN = bytes(set(range(0x20, 0x7F)) - set(b'"\\'))  # what stands for itself in JSON, and for nothing else
_ASKED = ("kind", "seq", "time", "v", "vault")
_UNLIKE_FOR = 16


def _member(name: str) -> bytes:
    """What stands for a member of a receipt whose texts need no escape; a group of its own if it is asked for."""
    value = rb"(?:0|[1-9][0-9]{0,15})" if name in _NUMBERS else rb'[^"]*'
    asked = b"(%b)" % value if name in _ASKED else value
    return (b'"%b":%b' if name in _NUMBERS else b'"%b":"%b"') % (name.encode(), asked)


# No text in it has a quote; what else would need an escape is looked for in many at once.
_PLAIN_TEXT = re.compile(rb"()\{%b\}" % b",".join(map(_member, FIELDS)))
_PLAIN_ROW = re.compile(rb'\{"chain_hash":"([0-9a-f]{64})","receipt":\{%b\}\}\n' % b",".join(map(_member, FIELDS)))
BATCH = 128  # receipts that are best read at once


class _Shape:
    """What receipts of one length are cut by: most of them differ from one another in a few fields alone.

    Where everything but these is as in one that was read whole, and they hold what stands for itself in JSON, a receipt
    would read back as well. To look is several times as fast as to read.
    """

    def __init__(self, body: Mapping[str, str | int], row: bytes, vary: Sequence[str]) -> None:
        between, sizes, start = [], [], 0
        for name in vary:
            mark = (f'"{name}":' if name in _NUMBERS else f'"{name}":"').encode()
            begin = row.index(mark, start) + len(mark)
            between.append(begin - start)
            sizes.append(len(str(body[name]).encode()))
            start = begin + sizes[-1]
        pairs, tail = list(zip(between, sizes, strict=True)), len(row) - start
        self._fixed = Struct("".join(f"{fixed}s{varied}x" for fixed, varied in pairs) + f"{tail}s")
        self._varied = Struct("".join(f"{fixed}x{varied}s" for fixed, varied in pairs) + f"{tail}x")
        self._alike = self._fixed.unpack(row)
        self._seq = vary.index("seq")
        self.time = vary.index("time")
        self.kind = str(body["kind"])

    def columns(self, rows: Sequence[bytes], seq: int, time: bytes) -> tuple[tuple[bytes, ...], ...] | None:
        """What varies in these receipts, field by field, if they follow one with that `seq` and `time`; None where one
        may not."""
        whole = b"".join(rows)
        if list(self._fixed.iter_unpack(whole)) != [self._alike] * len(rows):
            return None
        columns = tuple(zip(*self._varied.iter_unpack(whole), strict=True))
        if columns[self._seq] != _numbers_after(seq, len(rows)):
            return None
        times = list(columns[self.time])
        if times[0] < time or times != sorted(times):
            return None
        varied = b"".join([b"".join(column) for column in columns])
        return None if varied.translate(None, _PLAIN) else columns


def _numbers_after(seq: int, count: int) -> tuple[bytes, ...]:
    """The next numbers, as receipts write them."""
    return tuple([b"%d" % number for number in range(seq + 1, seq + 1 + count)])


def _by_length(rows: Sequence[bytes]) -> Iterable[tuple[int, Sequence[bytes]]]:
    """Runs of receipts of one length, with that; most often one."""
    if len(set(map(len, rows))) == 1:
        return [(len(rows[0]), rows)]
    return [(length, list(run)) for length, run in groupby(rows, len)]


def _chained(previous: bytes, texts: Sequence[bytes]) -> tuple[list[bytes], list[bytes]]:
    """The digests and the chain hashes of receipts that follow one with this chain hash."""
    sha256 = hashlib.sha256
    digests = [sha256(text).digest() for text in texts]
    chained = []
    for digest in digests:
        previous = sha256(previous + digest).digest()
        chained.append(previous)
    return digests, chained
