"""What the tests of the formats share: others' vectors, a naive tree, two keys, and hostile bytes."""

import hashlib
import json
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from apps.ledger.format.keys import COSIGNATURE, ED25519, SigningKey
from apps.ledger.format.tiles import Tile

VECTORS = Path(__file__).parent / "vectors"

# Ed25519 seed 00 01 … 1f, as in docs of the formats.
SEED = bytes(range(32))
LOG = SigningKey("vault.example/log1", ED25519, SEED)
WITNESS = SigningKey("witness.example/w1", COSIGNATURE, SEED)

TEXT = st.text(max_size=300)
BYTES = st.binary(max_size=300)
SIZES_REFUSED = ["", "00", "01", "-1", "+1", "1 ", " 1", "1_0", "1.0", "0x1", "¹", "١", str(2**63), "9" * 5000]
BASE64_REFUSED = ["", "=", "AA", "AAA", "AB==", "AA==\n", "A A=", "AA-_", "AAAA=", "é", "AA==AA=="]


def vectors(name: str) -> Any:
    return json.loads((VECTORS / name).read_text())


def tessera_file(tile: Tile) -> bytes:
    return bytes.fromhex(vectors_of_tessera()["files_hex"][tile.path])


@cache
def vectors_of_tessera() -> Any:
    return vectors("tlog-tiles-tessera.json")


def tessera_checkpoints() -> list[bytes]:
    """By size: 0, 1, … 15."""
    found = vectors_of_tessera()["checkpoints"]
    return [found[str(size)].encode() for size in range(len(found))]


# A tree by the words of RFC 6962 §2.1, with nothing clever in it.


def naive_root(entries: list[bytes]) -> bytes:
    if not entries:
        return hashlib.sha256(b"").digest()
    if len(entries) == 1:
        return hashlib.sha256(b"\x00" + entries[0]).digest()
    k = naive_split(len(entries))
    return hashlib.sha256(b"\x01" + naive_root(entries[:k]) + naive_root(entries[k:])).digest()


def naive_path(m: int, entries: list[bytes]) -> list[bytes]:
    if len(entries) == 1:
        return []
    k = naive_split(len(entries))
    if m < k:
        return [*naive_path(m, entries[:k]), naive_root(entries[k:])]
    return [*naive_path(m - k, entries[k:]), naive_root(entries[:k])]


def naive_proof(m: int, entries: list[bytes], whole: bool = True) -> list[bytes]:
    if m == len(entries):
        return [] if whole else [naive_root(entries)]
    k = naive_split(len(entries))
    if m <= k:
        return [*naive_proof(m, entries[:k], whole), naive_root(entries[k:])]
    return [*naive_proof(m - k, entries[k:], False), naive_root(entries[:k])]


def naive_split(n: int) -> int:
    return max(k for k in accumulate([1] * 12, lambda k, _: 2 * k) if k < n)


def flipped(data: bytes, bit: int) -> bytes:
    """The bytes with one bit changed."""
    bit %= 8 * len(data)
    return bytes(byte ^ (1 << bit % 8 if at == bit // 8 else 0) for at, byte in enumerate(data))
