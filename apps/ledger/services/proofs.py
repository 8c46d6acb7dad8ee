"""A receipt as a file: what it says, how it hangs in its vault's chain, and that the instance's log holds that chain.

The file is checked by anybody, offline: docs/transparency-log.md says how.
"""

from typing import Any
from uuid import UUID

from apps.ledger import store, tree
from apps.ledger.format.checkpoint import parse_signed
from apps.ledger.format.encoding import genesis
from apps.ledger.format.keys import VerifierKey
from apps.ledger.format.leaf import Leaf
from apps.ledger.format.merkle import check_inclusion, inclusion_proof, leaf_hash
from apps.ledger.format.note import Note
from apps.ledger.format.proof import Proof
from apps.ledger.format.tiles import Tile, TileNodes
from apps.ledger.log import reading
from apps.ledger.services.receipts import body_of
from apps.policy.types import Receipt

FORMAT = "muniment-receipt-file/1"
NOT_YET = "not yet in the log"
LIMITS = (
    "It shows what was recorded, and that the record was not changed after its checkpoint was signed.",
    "It does not show that the recipient used the value, or received it: the receipt is written first.",
    "It does not show that no value left by another road: whoever has both the database and the root key reads "
    "without a receipt.",
    "Its time is the clock of the instance's database.",
    "The value is not in it and is not checked by it.",
)
NO_WITNESS = (
    "No witness has cosigned this checkpoint: whoever holds the log's key could show another history to somebody else."
)
UNPINNED = "The log does not hold it yet: until it does, its instance could still write another in its place."


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
        return {
            "format": FORMAT,
            "receipt": body_of(receipt),
            "digest": receipt.digest.hex(),
            "chain_hash": receipt.chain_hash.hex(),
            "previous_chain_hash": previous.hex(),
            **(_logged(receipt) or {"log": NOT_YET, "limits": [*LIMITS, UNPINNED]}),
        }


def _logged(receipt: Receipt) -> dict[str, Any] | None:
    """What ties a receipt to the newest published checkpoint; None while no leaf under it pins the receipt."""
    newest = tree.newest_checkpoint()
    found = tree.place(receipt.vault_id, receipt.seq, newest[0]) if newest else None
    if newest is None or found is None:
        return None
    index, upto, entry, pseudonym = found
    checkpoint, note = parse_signed(newest[1])
    hashes = inclusion_proof(TileNodes(checkpoint.size, _read), index, checkpoint.size)
    check_inclusion(leaf_hash(entry), index, checkpoint.size, hashes, checkpoint.root)  # no file is given that fails
    leaf = Leaf.parse(entry)
    keys = _keys_of(note)
    witnessed = len(note.signatures) > len(keys)
    return {
        "segment": [digest.hex() for digest in store.digests(receipt.vault_id, receipt.seq + 1, upto)],
        "leaf": {
            "index": index,
            "tag": leaf.tag.hex(),
            "seq": leaf.seq,
            "chain_hash": leaf.chain_hash.hex(),
            "pseudonym_key": pseudonym.hex(),
        },
        "proof": Proof(index, tuple(hashes), newest[1]).to_bytes().decode(),
        "keys": keys,
        "limits": [*LIMITS, *([] if witnessed else [NO_WITNESS])],
    }


def _keys_of(note: Note) -> dict[str, str]:
    """The log's keys that a note is signed with, by their ids."""
    by_name = {(key.name, key.key_id): key for key in map(VerifierKey.parse, tree.keys())}
    signers = [by_name[name] for each in note.signatures if (name := (each.name, each.key_id)) in by_name]
    return {f"{key.key_id:08x}": str(key) for key in signers}


def _read(name: Tile) -> bytes:
    return tree.tile(name) or b""
