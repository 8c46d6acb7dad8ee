"""What stands in the instance's log for a vault whose chain grew: one leaf, which pins every receipt before it.

    muniment-leaf/1
    <hex HMAC-SHA256(instance key, vault)>
    <seq>
    <hex chain hash of the receipt with that seq>

The tag lets the instance find a vault's leaves and tells nobody else whose they are. A holder knows their own by the
chain hash: it follows from receipts that only their chain has (docs/receipt-format.md).
"""

import hashlib
import hmac
import re
from dataclasses import dataclass

from .strict import HASH_BYTES, Malformed, a_hash, bounded, decimal, lines_of, utf8

LEAF_VERSION = "muniment-leaf/1"
MOST_RECEIPTS = 2**53 - 1  # as in a receipt

_HEX_HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)


def hyphenated(typed: str) -> str:
    """The UUID in a typed id (`vlt_` and 32 hex digits), in its usual form."""
    digits = typed[4:]
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def tag_of(instance_key: bytes, vault: str) -> bytes:
    """The 32-byte tag of a vault, named by its hyphenated lower-case UUID. Raises Malformed for either of them."""
    if len(instance_key) < HASH_BYTES:
        raise Malformed(f"the instance key is at least {HASH_BYTES} bytes")
    if not _UUID.fullmatch(vault):
        raise Malformed("a vault is named by its hyphenated lower-case UUID")
    return hmac.digest(instance_key, vault.encode(), hashlib.sha256)


@dataclass(frozen=True, slots=True)
class Leaf:
    """The head of one vault's chain: whose (a tag), how many receipts (seq, from 1), and the last chain hash."""

    tag: bytes
    seq: int
    chain_hash: bytes

    def __post_init__(self) -> None:
        a_hash(self.tag, "the tag in a leaf")
        a_hash(self.chain_hash, "the chain hash in a leaf")
        if bounded(self.seq, "the seq in a leaf", MOST_RECEIPTS) == 0:
            raise Malformed("the seq in a leaf begins at 1")

    @classmethod
    def parse(cls, entry: bytes) -> "Leaf":
        """Read a log entry. Raises Malformed."""
        lines = lines_of(utf8(entry, "a leaf"), "a leaf")
        if len(lines) != 4 or lines[0] != LEAF_VERSION:
            raise Malformed(f"a leaf is {LEAF_VERSION}, a tag, a seq and a chain hash, a line each")
        tag, seq, chain_hash = lines[1:]
        if not _HEX_HASH.fullmatch(tag) or not _HEX_HASH.fullmatch(chain_hash):
            raise Malformed("the tag and the chain hash in a leaf are 64 lower-case hex digits")
        return cls(bytes.fromhex(tag), decimal(seq, "the seq in a leaf", MOST_RECEIPTS), bytes.fromhex(chain_hash))

    def to_bytes(self) -> bytes:
        """The log entry: what `leaf_hash` takes."""
        return f"{LEAF_VERSION}\n{self.tag.hex()}\n{self.seq}\n{self.chain_hash.hex()}\n".encode()
