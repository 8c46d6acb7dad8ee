"""A receipt's canonical bytes, its digest, and its vault's chain (docs/receipt-format.md).

Bytes are RFC 8785 (JSON Canonicalization Scheme) of one flat object of strings and two integers; for such an
object `json.dumps` with sorted keys, no blanks and literal UTF-8 gives exactly them.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from typing import Any, NamedTuple

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


@dataclass(frozen=True, slots=True)
class Line:
    """A receipt as exported: its object, and the digest and chain hash (32 bytes each) it was stored with."""

    body: Mapping[str, str | int]
    digest: bytes
    chain_hash: bytes


@dataclass(frozen=True, slots=True)
class Problem:
    """What does not hold, and at which line of the chain. `what` is gap, digest, chain, time, vault or head."""

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
    at = _Place(0, genesis(vault), "")
    problems: list[Problem] = []
    remaining = iter(lines)
    while batch := list(islice(remaining, _BATCH)):
        at = _flawless(batch, name, at) or _line_by_line(batch, name, at, problems)
    if head is not None and head != (at.seq, at.chain_hash):
        problems.append(Problem(head[0], "head"))
    return at.seq, problems


class _Place(NamedTuple):
    """How far a chain has been read: its last line's seq, chain hash and time."""

    seq: int
    chain_hash: bytes
    time: str


def _line_by_line(batch: Sequence[Line], name: str, at: _Place, problems: list[Problem]) -> _Place:
    """Read some lines and name what does not hold in each."""
    sha256, dumps = hashlib.sha256, json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode
    count, previous, time = at
    for line in batch:
        count += 1
        body: Any = line.body
        seq = body.get("seq")
        if seq != count or type(seq) is not int:
            seq = seq if type(seq) is int else count
            problems.append(Problem(seq, "gap"))
            count = seq
        if body.get("vault") != name:
            problems.append(Problem(seq, "vault"))
        written = body.get("time")
        if not isinstance(written, str) or written < time:
            problems.append(Problem(seq, "time"))
        else:
            time = written
        digest = sha256(dumps(body).encode()).digest()
        if digest != line.digest or len(body) != len(FIELDS):
            problems.append(Problem(seq, "digest"))
        previous = sha256(previous + digest).digest()
        if previous != line.chain_hash:
            problems.append(Problem(seq, "chain"))
            previous = line.chain_hash
    return _Place(count, previous, time)


# The road of nearly every line, several times as fast: where no text needs an escape, the canonical bytes are the texts
# laid between fixed pieces. _PIECES is that: fixed pieces at even places, gaps for the fields at odd ones.
_NUMBERS = ("seq", "version")
_QUOTE = {name: "" if name in _NUMBERS else '"' for name in FIELDS}
_PIECES = ["{"]
for _name in FIELDS:
    _PIECES[-1] += f'"{_name}":{_QUOTE[_name]}'
    _PIECES += ["", _QUOTE[_name] + ("," if _name != FIELDS[-1] else "}")]
_SEQ, _TIME, _VAULT, _VERSION = (2 * FIELDS.index(name) + 1 for name in ("seq", "time", "vault", "version"))
_QUOTES = "".join(_PIECES).count('"')
_ESCAPED = bytes(range(0x20)) + b'"\\'
_BATCH = 64
_texts = itemgetter(*FIELDS)


def _flawless(batch: Sequence[Line], name: str, at: _Place) -> _Place | None:
    """The place after these lines if all of them hold and none needs an escape, else None."""
    sha256, join = hashlib.sha256, "".join
    laid: list[Any] = list(_PIECES)
    made: list[bytes] = []
    seq, previous, time = at
    try:
        for line in batch:
            body: Any = line.body
            laid[1::2] = _texts(body)
            seq += 1
            if laid[_SEQ] != seq or laid[_VAULT] != name or laid[_TIME] < time or len(body) != len(FIELDS):
                return None
            if type(laid[_VERSION]) is not int:
                return None
            time = laid[_TIME]
            laid[_SEQ], laid[_VERSION] = str(laid[_SEQ]), str(laid[_VERSION])
            made.append(join(laid).encode())
    except (KeyError, TypeError, UnicodeEncodeError):
        return None
    whole = b"".join(made)
    if len(whole.translate(None, _ESCAPED)) != len(whole) - _QUOTES * len(made):
        return None
    for line, text in zip(batch, made, strict=True):
        digest = sha256(text).digest()
        previous = sha256(previous + digest).digest()
        if digest != line.digest or previous != line.chain_hash:
            return None
    return _Place(seq, previous, time)
