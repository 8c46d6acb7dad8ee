"""Files to check, made by the format's own hands under keys of the tests, and what damage does to them."""

import json
import random
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from apps.ledger.format.checkpoint import Checkpoint
from apps.ledger.format.encoding import FIELDS, digest_of, genesis, next_hash
from apps.ledger.format.fork import Fork
from apps.ledger.format.keys import COSIGNATURE, ED25519, SigningKey
from apps.ledger.format.leaf import Leaf, tag_of
from apps.ledger.format.merkle import inclusion_proof, leaf_hash, root_of
from apps.ledger.format.note import Note
from apps.ledger.format.pinned import Pinned
from apps.ledger.format.proof import Proof
from apps.ledger.format.receipt_file import ReceiptFile, limits_of

VAULT = UUID("018f6a5e-2c00-7000-8000-000000000001")
LOG = SigningKey("vault.example/log", ED25519, bytes(range(32)))
OTHER_LOG = SigningKey("elsewhere.example/log", ED25519, bytes(range(1, 33)))
WITNESS = SigningKey("witness.example", COSIGNATURE, bytes(range(2, 34)))
PSEUDONYM_KEY = bytes(range(3, 35))


def receipt(seq: int) -> dict[str, str | int]:
    told = {
        "kind": "value.read" if seq > 1 else "vault.opened",
        "actor": "cli_" + "2" * 32,
        "recipient": 'mdl_küche "1"\n\u2028😀',
        "category": "ordinary",
        "v": "muniment-receipt/1",
        "seq": seq,
        "version": 1,
        "vault": f"vlt_{VAULT.hex}",
        "time": f"2026-01-01T00:00:{seq:02}.000000Z",
        "salt": f"{seq:032x}",
    }
    return {**dict.fromkeys(FIELDS, "-"), **told}


def receipt_file(seq: int = 3, more: int = 2, leaves: int = 7, *signers: SigningKey) -> dict[str, Any]:
    """A receipt's file: `more` receipts follow it up to its leaf, which is the last but one of `leaves`."""
    chain, hashes = genesis(str(VAULT)), [genesis(str(VAULT))]
    for each in range(1, seq + more + 1):
        chain = next_hash(chain, digest_of(receipt(each)))
        hashes.append(chain)
    leaf = Leaf(tag_of(PSEUDONYM_KEY, str(VAULT)), seq + more, chain)
    tree = [leaf_hash(b"%d" % number) for number in range(leaves)]
    tree[-2] = leaf_hash(leaf.to_bytes())
    signed = note(leaves, root_of(tree), *(signers or (LOG,)))
    path = inclusion_proof(lambda level, at: root_of(tree[at << level : (at + 1) << level]), leaves - 2, leaves)
    pinned = Pinned(
        tuple(digest_of(receipt(each)) for each in range(seq + 1, seq + more + 1)),
        leaf,
        PSEUDONYM_KEY,
        Proof(leaves - 2, tuple(path), signed),
        tuple(each.verifier for each in signers or (LOG,)),
    )
    limits = limits_of(True, WITNESS in signers)
    return ReceiptFile(receipt(seq), digest_of(receipt(seq)), hashes[seq], hashes[seq - 1], pinned, limits).to_json()


def waiting_file() -> dict[str, Any]:
    """A receipt's file from before the log held it."""
    digest, before = digest_of(receipt(1)), genesis(str(VAULT))
    return ReceiptFile(receipt(1), digest, next_hash(before, digest), before, None, limits_of(False, False)).to_json()


def forks() -> list[bytes]:
    """Proofs that the log's key signed two histories: of one size, and of two."""
    one, other = ([leaf_hash(b"%d" % (number * step)) for number in range(9)] for step in (1, 2))
    small, large = note(6, root_of(one[:6]), LOG), note(9, root_of(other), LOG)
    nodes = lambda level, at: root_of(other[at << level : (at + 1) << level])  # noqa: E731
    same = Fork.make(LOG.verifier, note(9, root_of(one), LOG), large)
    return [same.to_bytes(), Fork.make(LOG.verifier, large, small, nodes).to_bytes()]


def note(size: int, root: bytes, *signers: SigningKey) -> bytes:
    """A checkpoint of this tree, signed."""
    text = Checkpoint(signers[0].name, size, root).text
    times = [1_800_000_000 + at if each.type == COSIGNATURE else None for at, each in enumerate(signers)]
    made = [each.sign(text.encode(), time) for each, time in zip(signers, times, strict=True)]
    return Note(text, tuple(made)).to_bytes()


def written(file: dict[str, Any]) -> bytes:
    """As it is downloaded."""
    return json.dumps(file, indent=2).encode()


def damaged(data: bytes, seed: int, often: int) -> Iterator[bytes]:
    """The file with one thing wrong, each time another: a bit, a byte lost or doubled, a piece moved, the end lost."""
    chance = random.Random(seed)
    for _ in range(often):
        at, to = sorted(chance.sample(range(len(data)), 2))
        yield data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
        yield data[:at] + data[at + 1 :]
        yield data[:at] + data[at : at + 1] + data[at:]
        yield data[:at] + data[to : to + 9] + data[at + 9 :]
        yield data[:at]
