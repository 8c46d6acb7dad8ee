"""Does the tree continue what this log has signed, and what shows that it does not."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from apps.ledger import tree
from apps.ledger.format.checkpoint import Checkpoint, parse_signed
from apps.ledger.format.fork import Fork
from apps.ledger.format.keys import VerifierKey
from apps.ledger.format.merkle import Nodes, check_consistency, consistency_proof
from apps.ledger.format.strict import Malformed, Unproven
from apps.ledger.format.tiles import Tile, TileNodes


class LogProblem(Exception):
    """The log must not go on: one sentence that says why and what to do."""


class Forked(LogProblem):
    """This log's key has signed two histories, or one that the database no longer holds.

    `evidence` shows it to anybody: a fork proof where one can be made, else the signed checkpoint that our tree does
    not continue.
    """

    def __init__(self, sentence: str, evidence: bytes) -> None:
        super().__init__(sentence)
        self.evidence = evidence


def committed() -> Checkpoint:
    """The tree as it is integrated, signed or not. Raises LogProblem where it is gone."""
    found = tree.integrated(tree.LOG)
    if found is None:
        raise LogProblem("The log has no tree although it has begun: restore the database.")
    return found


def nodes(size: int) -> Nodes:
    """The tree's nodes, as far as it had this size."""
    return TileNodes(size, read)


def read(name: Tile) -> bytes:
    """A tile on the log's connection; nothing where it is not there."""
    return tree.tile(name, tree.LOG) or b""


def continues(new: Checkpoint, old: Checkpoint) -> bool:
    """Is the tree `new`, which the database holds, the tree `old` with leaves appended."""
    if new.origin != old.origin or new.size < old.size:
        return False
    try:
        path: Sequence[bytes] = consistency_proof(nodes(new.size), old.size, new.size)
        check_consistency(old.size, old.root, new.size, new.root, path)
    except (Unproven, Malformed):
        return False
    return True


def contradiction(signed: bytes) -> bytes | None:
    """What shows that the tree does not continue a checkpoint which a key of this log has signed.

    It is a fork proof where the log has also signed a tree as large, else that checkpoint as it is given.

    None where it does, and where no such key signed it under the log's name: anybody may say anything.
    """
    try:
        seen, note = parse_signed(signed)
        signers = [each.key for each in note.verify(known_keys(seen.origin))]
    except (Malformed, Unproven):
        return None
    ours = committed()  # after the keys, and after whoever fetched what is judged: the tree only grows
    if ours.origin != seen.origin or continues(ours, seen):
        return None
    return next(_fork_proofs(seen.size, signed, signers), signed)


def _fork_proofs(size: int, signed: bytes, signers: Iterable[VerifierKey]) -> Iterator[bytes]:
    """Proofs, from our own tree, that one of these keys signed both this checkpoint and another history."""
    newest = tree.newest_checkpoint(tree.LOG)
    if newest is None or newest[0] < size:
        return  # it would take the hashes of their tree
    for other in (tree.checkpoint_of(size, tree.LOG), newest[1]):
        for key in signers:
            with suppress(Malformed, Unproven):
                yield Fork.make(key, signed, other or b"", nodes(newest[0])).to_bytes()


def known_keys(origin: str) -> Iterable[VerifierKey]:
    """The keys that the log has signed with under this name, as the database knows them."""
    return [key for key in map(VerifierKey.parse, tree.keys(tree.LOG)) if key.name == origin]
