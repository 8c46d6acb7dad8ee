"""Files as an instance gives them, made of fixed seeds: two vaults, a log with three witnesses, and a fork of it."""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from apps.ledger.format.certificate import CERTIFICATE_FILE, CERTIFIED, EARLIER, certificate, commitment
from apps.ledger.format.checkpoint import Checkpoint
from apps.ledger.format.encoding import digest_of, genesis, next_hash
from apps.ledger.format.keys import COSIGNATURE, ED25519, SigningKey
from apps.ledger.format.leaf import Leaf, hyphenated, tag_of
from apps.ledger.format.merkle import inclusion_proof, leaf_hashes
from apps.ledger.format.note import Note
from apps.ledger.format.opening import Opening
from apps.ledger.format.pinned import Pinned
from apps.ledger.format.proof import Proof
from apps.ledger.format.receipt_file import ReceiptFile, limits_of
from apps.ledger.format.tiles import Edge, TileNodes
from apps.ledger.format.verdict import Trust

LOG_KEY = SigningKey("vault.example/log", ED25519, b"log key".ljust(32, b"."))
OTHER_LOG_KEY = SigningKey("vault.example/log", ED25519, b"another key".ljust(32, b"."))
WITNESSES = tuple(
    SigningKey(f"{name}.example", COSIGNATURE, name.encode().ljust(32, b".")) for name in ("w1", "w2", "w3")
)
SEEN = 1_767_225_600  # 2026-01-01T00:00:00Z
QUORUM_OF_TWO = "".join(
    (
        f"log {LOG_KEY.verifier}\n",
        *(f"witness w{at} {key.verifier}\n" for at, key in enumerate(WITNESSES, 1)),
        "group two 2 w1 w2 w3\nquorum two\n",
    )
)
TRUSTED = Trust(keys=(LOG_KEY.verifier,))

ALICE, BOB = "vlt_018f6a5e2c0070008000000000000001", "vlt_018f6a5e2c0070008000000000000002"
VALUE = Opening(
    ALICE,
    "mem_018f6a5e2c00700080000000000000a1",
    1,
    "ordinary",
    False,
    hashlib.sha256(b"the key of its commitments").digest(),
    "One 24 cm frying pan — no oven, “un four” no more\n",
)
READS = (3, 5)  # Alice's receipts that carry the value's commitment
LENGTH = 9  # receipts of each vault

CAROL, ORDER = "vlt_018f6a5e2c0070008000000000000003", "ord_018f6a5e2c00700080000000000000c1"
CERTIFIES = 5  # the number of Carol's receipt that a certificate is bound to
SAID: dict[str, Any] = {
    "vault": CAROL,
    "order": ORDER,
    "coverage": ["backups", "memory", "sealed.key", "sealed.value", "turn", "zeppelin"],
    "basis": "consent-withdrawn",
    "whole_vault": False,
    "made_at": "2026-01-01T00:00:02.000000Z",
    "done_at": "2026-01-01T00:00:05.000000Z",
    "memories": 2,
    "counts": {"keys": 3, "memories": 2, "values": 3},
    "derived": "erase",
    "kept": 0,
    "still_held": 1,
    "residue": {
        "result": "partly",
        "live": 0,
        "unreclaimed": 0,
        "plain": 0,
        "files": 12,
        "bytes_read": 81920,
        "unopened": 1,
    },
    "horizon_days": 14,
    "not_overwritten": 2,
}  # what a certificate of hers says, beside its format and limits
BEFORE = {name: told for name, told in SAID.items() if name != "not_overwritten"}  # and in the format before this one
CERTIFIED_BEFORE = 3  # the number of the receipt that such a one is bound to


@cache
def receipts(vault: str) -> tuple[dict[str, str | int], ...]:
    """A vault's receipts: opened, then reads of one memory and others."""
    return tuple(_receipt(vault, seq) for seq in range(1, LENGTH + 1))


def _receipt(vault: str, seq: int) -> dict[str, str | int]:
    names = "actor category commitment form kind memory object on_behalf_of purpose reason recipient request turn"
    told: dict[str, str | int] = {"kind": "client.registered", "actor": "hld_" + "1" * 32, "object": "cli_" + "2" * 32}
    if seq == 1:
        told |= {"kind": "vault.opened", "object": vault}
    elif vault == CAROL and seq == CERTIFIES:
        told |= {"kind": CERTIFIED, "object": ORDER, "commitment": commitment(certificate(SAID))}
    elif vault == CAROL and seq == CERTIFIED_BEFORE:
        told |= {"kind": CERTIFIED, "object": ORDER, "commitment": commitment(certificate(BEFORE, EARLIER))}
    elif vault == ALICE and seq in READS:
        told = {
            "kind": "value.read",
            "actor": "cli_" + "2" * 32,
            "recipient": "mdl_models.example",
            "object": "gra_" + "3" * 32,
            "memory": VALUE.memory,
            "version": VALUE.version,
            "category": VALUE.category,
            "form": "value",
            "purpose": "answer",
            "commitment": VALUE.commitment,
        }
    return {
        **dict.fromkeys(names.split(), "-"),
        "version": 0,
        **told,
        "v": "muniment-receipt/1",
        "seq": seq,
        "vault": vault,
        "time": f"2026-01-01T00:00:{seq:02d}.000000Z",
        "salt": hashlib.sha256(f"{vault} {seq}".encode()).hexdigest()[:32],
    }


@cache
def chain(vault: str) -> tuple[bytes, ...]:
    """The chain hashes, genesis first: `chain(vault)[seq]` is that of the receipt with this number."""
    made = [genesis(hyphenated(vault))]
    for receipt in receipts(vault):
        made.append(next_hash(made[-1], digest_of(receipt)))
    return tuple(made)


def pseudonym_key(vault: str) -> bytes:
    return hashlib.sha256(f"pseudonym of {vault}".encode()).digest()


def leaf_of(vault: str, seq: int) -> Leaf:
    return Leaf(tag_of(pseudonym_key(vault), hyphenated(vault)), seq, chain(vault)[seq])


# What the log holds. Alice's leaves are the ones with index 2, 5 and 9, Bob's the one with index 4.
PLACES = {2: (ALICE, 2), 4: (BOB, 4), 5: (ALICE, 6), 9: (ALICE, 8)}
ENTRIES = [
    leaf_of(*PLACES[at]).to_bytes() if at in PLACES else Leaf(bytes([at]) * 32, at + 1, bytes([at]) * 32).to_bytes()
    for at in range(11)
]
CAROLS = {3: (CAROL, 6)}  # a log of hers: the same but for her leaf
WITH_CAROL = [leaf_of(*CAROLS[at]).to_bytes() if at in CAROLS else entry for at, entry in enumerate(ENTRIES)]
FORKED = [*ENTRIES[:6], *(Leaf(b"f" * 32, at + 1, b"f" * 32).to_bytes() for at in range(6, 13))]


def nodes_of(entries: list[bytes]) -> TileNodes:
    edge, tiles = Edge().integrate(leaf_hashes(entries))
    return TileNodes(edge.size, tiles.__getitem__)


def signed(entries: list[bytes], witnesses: int = 0, log: SigningKey = LOG_KEY) -> bytes:
    """The checkpoint of these entries, signed by the log and so many witnesses."""
    edge, _ = Edge().integrate(leaf_hashes(entries))
    tree = Checkpoint(log.name, edge.size, edge.root())
    text = tree.text.encode()
    lines = (log.sign(text), *(key.sign(text, SEEN + at) for at, key in enumerate(WITNESSES[:witnesses])))
    return Note(tree.text, lines).to_bytes()


def receipt_file(
    vault: str = ALICE,
    seq: int = 3,
    *,
    witnesses: int = 0,
    pinned: bool = True,
    log: SigningKey = LOG_KEY,
    entries: list[bytes] = ENTRIES,
    places: Mapping[int, tuple[str, int]] = PLACES,
) -> dict[str, Any]:
    """A receipt's file as JSON. The leaf is the vault's first that pins the receipt."""
    tied = None
    if pinned:
        index, upto = next((at, upto) for at, (whose, upto) in places.items() if whose == vault and upto >= seq)
        tied = Pinned(
            tuple(digest_of(receipt) for receipt in receipts(vault)[seq:upto]),
            leaf_of(vault, upto),
            pseudonym_key(vault),
            Proof(
                index,
                tuple(inclusion_proof(nodes_of(entries), index, len(entries))),
                signed(entries, witnesses, log),
            ),
            (log.verifier, *(key.verifier for key in WITNESSES[:witnesses])),
        )
    receipt, hashes = receipts(vault)[seq - 1], chain(vault)
    limits = limits_of(pinned, witnesses > 0)
    return ReceiptFile(receipt, digest_of(receipt), hashes[seq], hashes[seq - 1], tied, limits).to_json()


def carols_receipt(seq: int = CERTIFIES, **more: Any) -> dict[str, Any]:
    """A receipt's file of Carol's, in her log."""
    return receipt_file(CAROL, seq, entries=WITH_CAROL, places=CAROLS, **more)


def certificate_file(**more: Any) -> dict[str, Any]:
    """A certificate's file as JSON, with the file of the receipt it is bound to."""
    return {
        "format": CERTIFICATE_FILE,
        "certificate": json.loads(certificate(SAID)),
        "receipt": carols_receipt(**more),
    }


def certificate_file_before() -> dict[str, Any]:
    """The same, as an instance gave it that wrote certificates in the format before this one."""
    said, receipt = json.loads(certificate(BEFORE, EARLIER)), carols_receipt(CERTIFIED_BEFORE)
    return {"format": CERTIFICATE_FILE, "certificate": said, "receipt": receipt}


def written(file: Mapping[str, Any]) -> bytes:
    """The file's bytes, as an instance writes them."""
    return json.dumps(file, indent=2).encode()
