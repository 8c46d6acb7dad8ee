"""Audit bundles of any length, as an instance writes them, without an instance: a log in which the vault is alone."""

import hashlib
from datetime import UTC, datetime, timedelta
from pathlib import Path

from apps.ledger.format.bundle_parts import Entry, LoggedHead, Manifest, bundle_lines, limits_of_bundle
from apps.ledger.format.encoding import canonical, genesis, next_hash
from apps.ledger.format.leaf import Leaf, hyphenated, tag_of
from apps.ledger.format.pinned import Pinned
from apps.ledger.format.proof import Proof
from tests.ledger.files import ALICE, LOG_KEY, pseudonym_key, receipts, signed

OPENED, READ = receipts(ALICE)[0], receipts(ALICE)[2]
BATCH = 1_000


def entries(length: int, rewritten_from: int = 0) -> list[Entry]:
    """A vault's first receipts: opened, then reads. Those from a number on may be others than they were."""
    made, chained = [], genesis(hyphenated(ALICE))
    begun = datetime(2026, 1, 1, tzinfo=UTC)
    for seq in range(1, length + 1):
        history = "another" if 0 < rewritten_from <= seq else "one"
        told = {
            "seq": seq,
            "time": (begun + timedelta(seconds=seq)).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
            "salt": hashlib.sha256(f"{history} {seq}".encode()).hexdigest()[:32],
        }
        text = canonical({**(OPENED if seq == 1 else READ), **told})
        chained = next_hash(chained, hashlib.sha256(text).digest())
        made.append(Entry(seq, str((OPENED if seq == 1 else READ)["kind"]), text, chained))
    return made


def write_bundle(path: Path, receipts: list[Entry]) -> Path:
    """The bundle of all of them, pinned by the log's only leaf, signed by LOG_KEY."""
    last = receipts[-1]
    leaf = Leaf(tag_of(pseudonym_key(ALICE), hyphenated(ALICE)), last.seq, last.chain_hash)
    note = signed([leaf.to_bytes()])
    pinned = Pinned((), leaf, pseudonym_key(ALICE), Proof(0, (), note), (LOG_KEY.verifier,))
    manifest = Manifest(
        ALICE,
        1,
        last.seq,
        genesis(hyphenated(ALICE)),
        (last.seq, last.chain_hash),
        "2026-02-01T00:00:00.000000Z",
        limits_of_bundle(last.seq, last.seq, False),
    )
    batches = (receipts[at : at + BATCH] for at in range(0, len(receipts), BATCH))
    with path.open("wb") as file:
        file.writelines(bundle_lines(manifest, pinned, (), batches, [LoggedHead(0, last.seq)]))
    return path
