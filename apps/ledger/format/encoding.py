"""A receipt's canonical bytes, its digest, and its vault's chain (docs/receipt-format.md).

Bytes are RFC 8785 (JSON Canonicalization Scheme) of one flat object of strings and two integers; for such an
object `json.dumps` with sorted keys, no blanks and literal UTF-8 gives exactly them.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

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
    sha256, dumps = hashlib.sha256, json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode
    name = "vlt_" + vault.replace("-", "")
    problems: list[Problem] = []
    count, previous, time = 0, genesis(vault), ""
    for line in lines:
        count += 1
        body: Any = line.body
        seq = body["seq"]
        if seq != count:
            problems.append(Problem(seq, "gap"))
            count = seq
        if body["vault"] != name:
            problems.append(Problem(seq, "vault"))
        if body["time"] < time:
            problems.append(Problem(seq, "time"))
        digest = sha256(dumps(body).encode()).digest()
        if digest != line.digest or len(body) != len(FIELDS):
            problems.append(Problem(seq, "digest"))
        previous = sha256(previous + digest).digest()
        if previous != line.chain_hash:
            problems.append(Problem(seq, "chain"))
            previous = line.chain_hash
        time = body["time"]
    if head is not None and head != (count, previous):
        problems.append(Problem(head[0], "head"))
    return count, problems
