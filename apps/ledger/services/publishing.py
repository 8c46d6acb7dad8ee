"""The life of a leaf: a chain grows → *integrated*, in the committed tree → *published*, under a signed checkpoint.

Every step may be cut off at any point and taken again by anybody. What has been signed binds for ever, so the order is:
the tree's head is committed, then it is signed, then the signature is remembered on the disk, then it is shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apps.ledger import tree
from apps.ledger.format.checkpoint import Checkpoint, parse_signed
from apps.ledger.format.leaf import Leaf, tag_of
from apps.ledger.format.merkle import EMPTY_ROOT, check_consistency, consistency_proof, leaf_hash
from apps.ledger.format.strict import Malformed, Unproven
from apps.ledger.format.tiles import Edge, Tile, TileNodes
from apps.ledger.signing import KeyProblem, LogKeys, load

BATCH = 32_768  # leaves in one transaction


class LogProblem(Exception):
    """The log must not go on: one sentence that says why and what to do."""


def publisher(key_file: Path, *, signer: str = "", origin: str, new_key: bool = False) -> "Publisher":
    """Begin or go on with the instance's log. Keys are made where the log has none yet; `origin` is taken then, too.

    Raises KeyProblem where the keys cannot be used or, without `new_key`, are not among those the log has signed with.
    """
    known = tree.keys(tree.LOG)
    keys = load(key_file, signer, make=not known)
    tree.begin(origin, EMPTY_ROOT)
    vkey = str(keys.verifier(_tree().origin))
    if known and vkey not in known and not new_key:
        raise KeyProblem(
            f"The key in {key_file} has never signed for this log, whose newest key is {known[0]}: put the right file "
            "back, or say --new-key to sign with this one from now on."
        )
    tree.add_key(vkey)
    return Publisher(keys)


@dataclass(frozen=True, slots=True)
class Publisher:
    """One process's work on the log. Several may be at it at once: none undoes or repeats what another did."""

    keys: LogKeys

    def step(self, *, everything: bool) -> Checkpoint | None:
        """Integrate what has grown and publish the tree if it did. Returns the checkpoint if there is a new one.

        Looks at every chain, or at those that grew in the last minutes. Raises LogProblem where the tree does not
        continue what was signed, KeyProblem where nothing can be signed.
        """
        self.check_memory()
        while self.integrate(everything) == BATCH:
            pass
        return self.publish()

    def check_memory(self) -> None:
        """Does the tree continue the checkpoint that was last signed with these keys. Raises LogProblem."""
        last = self.keys.memory.last()  # before the tree: it may only be read to be larger
        if last is not None:
            _check_continues(_tree(), last, f"the checkpoint in {self.keys.memory.path}")

    def integrate(self, everything: bool = True) -> int:
        """Append a leaf for each chain that has grown, at most BATCH. Returns how many; 0 also where another process
        was first. Raises LogProblem where the tree's head is not that of its leaves."""
        old = _tree()  # before the heads: whoever moves the tree meanwhile makes the append fail, not repeat a leaf
        heads = tree.changed_heads(everything, BATCH)
        if not heads:
            return 0
        edge = Edge.read(old.size, _read)
        if edge.root() != old.root:
            raise LogProblem("The log's tree is not what its leaves make: run manage.py fsck_ledger, and restore.")
        leaves = [self._leaf(head) for head in heads]
        grown, tiles = edge.integrate([leaf.leaf_hash for leaf in leaves])
        new = Checkpoint(old.origin, grown.size, grown.root())
        return len(leaves) if tree.append(old, new, leaves, tiles) else 0

    def publish(self) -> Checkpoint | None:
        """Sign the committed tree, if it is not yet. Raises LogProblem where it does not continue what was signed."""
        newest = tree.newest_checkpoint(tree.LOG)
        last = self.keys.memory.last()
        committed = _tree()  # last: what was signed is looked at before, and the tree only grows
        if newest is not None:
            if newest[0] == committed.size:
                return None
            _check_continues(committed, parse_signed(newest[1])[0], "the checkpoint that was published last")
        if last is not None:
            _check_continues(committed, last, f"the checkpoint in {self.keys.memory.path}")
        note = self.keys.sign(committed)
        self.keys.memory.keep(note)
        tree.add_checkpoint(committed.size, note)
        return committed

    def _leaf(self, head: tree.Head) -> tree.NewLeaf:
        """A vault keeps the pseudonym it has; a new vault's is derived from the key in the file."""
        vault = str(head.vault_id)
        pseudonym = head.pseudonym or tag_of(self.keys.pseudonyms, vault)
        entry = Leaf(tag_of(pseudonym, vault), head.seq, head.chain_hash).to_bytes()
        return tree.NewLeaf(head.vault_id, head.seq, pseudonym, entry, leaf_hash(entry))


def _tree() -> Checkpoint:
    found = tree.integrated(tree.LOG)
    if found is None:
        raise LogProblem("The log has no tree although it has begun: restore the database.")
    return found


def _check_continues(new: Checkpoint, old: Checkpoint, which: str) -> None:
    """Is the tree `new` the signed tree `old` with leaves appended. Raises LogProblem."""
    fork = (
        f"The log's tree of {new.size} leaves does not continue {which}, of {old.size}: the database was restored or "
        "rewritten. Nothing is signed, because two histories under one name are a fork. See docs/transparency-log.md."
    )
    if new.origin != old.origin or new.size < old.size:
        raise LogProblem(fork)
    try:
        path: Sequence[bytes] = consistency_proof(TileNodes(new.size, _read), old.size, new.size)
        check_consistency(old.size, old.root, new.size, new.root, path)
    except (Unproven, Malformed):
        raise LogProblem(fork) from None


def _read(name: Tile) -> bytes:
    return tree.tile(name, tree.LOG) or b""
