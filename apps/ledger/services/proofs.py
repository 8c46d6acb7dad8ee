"""A receipt as a file: what it says, how it hangs in its vault's chain, and that the instance's log holds that chain.

The file is checked by anybody, offline: docs/transparency-log.md says how.
"""

from typing import Any
from uuid import UUID

from apps.ledger import cosigned, store, tree
from apps.ledger.format.checkpoint import parse_signed
from apps.ledger.format.encoding import genesis
from apps.ledger.format.keys import VerifierKey
from apps.ledger.format.leaf import Leaf
from apps.ledger.format.merkle import check_inclusion, inclusion_proof, leaf_hash
from apps.ledger.format.note import Note
from apps.ledger.format.pinned import Pinned
from apps.ledger.format.proof import Proof
from apps.ledger.format.receipt_file import ReceiptFile, limits_of
from apps.ledger.format.tiles import Tile, TileNodes
from apps.ledger.log import reading
from apps.ledger.services.receipts import body_of
from apps.ledger.services.serving import with_cosignatures


def proof(vault_id: UUID, actor: str, seq: int, *, own: bool = False) -> dict[str, Any] | None:
    """The receipt file of one receipt, as JSON-ready members; None where there is no such receipt.

    With `own` (a client's look) only if that client is its actor. Until its leaf is published, within seconds, the file
    has no leaf and no proof and says `"log": "not yet in the log"`.
    """
    with reading(vault_id, actor):
        receipt = store.receipt(vault_id, seq, actor if own else None)
        if receipt is None:
            return None
        previous = store.chain_hash(vault_id, seq - 1) if seq > 1 else genesis(str(vault_id))
        assert previous is not None, "a chain has no gaps"
        held = pinned(vault_id, seq)
        witnessed = held is not None and held.cosigned
        limits = limits_of(held is not None, witnessed)
        return ReceiptFile(body_of(receipt), receipt.digest, receipt.chain_hash, previous, held, limits).to_json()


def pinned(vault_id: UUID, seq: int) -> Pinned | None:
    """What ties a vault's chain, at this receipt, to a checkpoint: the newest that has met the policy if it holds a
    leaf that pins the receipt, else the newest that is signed, else None.

    To be called while reading as that vault.
    """
    signed, found = _checkpoint_over(vault_id, seq)
    if found is None:
        return None
    index, upto, entry, pseudonym = found
    checkpoint, note = parse_signed(signed)
    hashes = inclusion_proof(TileNodes(checkpoint.size, read_tile), index, checkpoint.size)
    check_inclusion(leaf_hash(entry), index, checkpoint.size, hashes, checkpoint.root)  # no file is given that fails
    segment = tuple(store.digests(vault_id, seq + 1, upto))
    return Pinned(
        segment, Leaf.parse(entry), pseudonym, Proof(index, tuple(hashes), signed), _keys_of(checkpoint.size, note)
    )


def _checkpoint_over(vault_id: UUID, seq: int) -> tuple[bytes, tree.Place | None]:
    """The signed checkpoint to prove a receipt with, and its leaf's place there; no place where there is none yet."""
    for newest in (cosigned.newest_quorum, tree.newest_checkpoint):
        found = newest()
        place = tree.place(vault_id, seq, found[0]) if found else None
        if found and place:
            return with_cosignatures(*found), place
    return b"", None


def _keys_of(size: int, note: Note) -> tuple[VerifierKey, ...]:
    """The keys that the checkpoint of this size is signed with: the log's and its witnesses'."""
    known = map(VerifierKey.parse, (*cosigned.cosignatures(size), *tree.keys()))
    by_name = {(key.name, key.key_id): key for key in known}
    found = [by_name[name] for each in note.signatures if (name := (each.name, each.key_id)) in by_name]
    return tuple(dict.fromkeys(found))


def read_tile(name: Tile) -> bytes:
    """A tile as anybody may read it; nothing where it is not there."""
    return tree.tile(name) or b""
