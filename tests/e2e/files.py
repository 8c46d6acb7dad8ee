"""Files to check beside those of the corpus: bundles, hostile text, and what damage does to any of them."""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from apps.ledger.format.bundle_parts import Earlier, Entry, LoggedHead, Manifest, bundle_lines, limits_of_bundle
from apps.ledger.format.encoding import canonical, digest_of, genesis, next_hash
from apps.ledger.format.fork import Fork
from apps.ledger.format.leaf import hyphenated
from apps.ledger.format.merkle import consistency_proof, inclusion_proof
from apps.ledger.format.pinned import Pinned
from apps.ledger.format.proof import Proof
from apps.ledger.format.receipt_file import ReceiptFile, limits_of
from tests.ledger.files import (
    ALICE,
    ENTRIES,
    FORKED,
    LENGTH,
    LOG_KEY,
    PLACES,
    chain,
    leaf_of,
    nodes_of,
    pseudonym_key,
    receipts,
    signed,
)

HOSTILE = 'mdl_"küche" \\ud800 \u2028\x7f\x01😀\n</script>'


def bundle(first: int = 1, last: int = 8, pinned: bool = True, earlier: bool = True) -> bytes:
    """A bundle of Alice's receipts, pinned by her last leaf."""
    index, tree = 9, nodes_of(ENTRIES)
    tied = Pinned(
        tuple(digest_of(each) for each in receipts(ALICE)[last:8]),
        leaf_of(ALICE, 8),
        pseudonym_key(ALICE),
        Proof(index, tuple(inclusion_proof(tree, index, len(ENTRIES))), signed(ENTRIES)),
        (LOG_KEY.verifier,),
    )
    manifest = Manifest(
        ALICE,
        first,
        last,
        chain(ALICE)[first - 1],
        (LENGTH, chain(ALICE)[LENGTH]),
        "2026-01-01T00:01:00.000000Z",
        limits_of_bundle(last, min(8, last) if pinned else None, False),
    )
    entries = [
        Entry(seq, str(body["kind"]), canonical(body), chain(ALICE)[seq])
        for seq, body in enumerate(receipts(ALICE)[first - 1 : last], first)
    ]
    heads = [
        LoggedHead(at, seq) for at, (vault, seq) in PLACES.items() if pinned and vault == ALICE and first <= seq <= last
    ]
    before = [
        Earlier(signed(ENTRIES[:size]), tuple(consistency_proof(tree, size, len(ENTRIES))))
        for size in (3, 8)
        if pinned and earlier
    ]
    return b"".join(bundle_lines(manifest, tied if pinned else None, before, [entries], heads))


def hostile_file() -> dict[str, Any]:
    """A receipt with a text in it that every reader has to read alike; not yet in the log."""
    body = {**receipts(ALICE)[0], "recipient": HOSTILE}
    digest, before = digest_of(body), genesis(hyphenated(ALICE))
    return ReceiptFile(body, digest, next_hash(before, digest), before, None, limits_of(False, False)).to_json()


def forks() -> list[bytes]:
    """Proofs that the log's key signed two histories: of one size, and of two."""
    larger, other = signed(FORKED), signed(ENTRIES)
    two = Fork.make(LOG_KEY.verifier, other, larger, nodes_of(FORKED))
    one = Fork.make(LOG_KEY.verifier, other, signed(FORKED[: len(ENTRIES)]))
    return [one.to_bytes(), two.to_bytes(), replace(two, hashes=two.hashes[1:]).to_bytes()]


def damaged(data: bytes, seed: int, often: int) -> Iterator[bytes]:
    """The file with one thing wrong, each time another: a bit, a byte lost or doubled, a piece or a line moved, the end
    lost."""
    chance = random.Random(seed)
    lines = data.splitlines(keepends=True)
    for _ in range(often):
        at, to = sorted(chance.sample(range(len(data)), 2))
        yield data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
        yield data[:at] + data[at + 1 :]
        yield data[:at] + data[at : at + 1] + data[at:]
        yield data[:at] + data[to : to + 9] + data[at + 9 :]
        yield data[:at]
        one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        yield b"".join([*lines[:one], lines[other], *lines[one + 1 :]])
        yield b"".join([*lines[:one], *lines[one + 1 :]])
