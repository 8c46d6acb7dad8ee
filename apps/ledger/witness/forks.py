"""Proofs that a log has signed two histories, one file each in the state folder, for anybody to check."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from ..format.checkpoint import parse_signed
from ..format.fork import Fork
from ..format.keys import VerifierKey
from ..format.merkle import roots_between
from ..format.note import Note
from ..format.strict import Malformed, Unproven
from .key import write_whole

MOST_FORKS = 16  # files: one is proof enough, and a log that forks may do so without end


def find_fork(keys: Iterable[VerifierKey], ours: bytes, theirs: bytes, hashes: tuple[bytes, ...] = ()) -> Fork | None:
    """The proof that one of a log's keys signed both checkpoints and they do not belong together, or None.

    Of one size the checkpoints are enough. Where `theirs` is larger, the hashes that were sent to show how it grew tell
    what root it grew from, unless our size is a power of two: then that root is not among what is sent.
    """
    (one, first), (other, second) = parse_signed(ours), parse_signed(theirs)
    for key in keys:
        try:
            if one.size == other.size:
                return Fork.make(key, ours, theirs)
            if 0 < one.size < other.size and one.size & (one.size - 1):
                root, _ = roots_between(one.size, other.size, hashes)
                fork = Fork(key, only_by([key], first).to_bytes(), only_by([key], second).to_bytes(), root, hashes)
                fork.check()
                return fork
        except (Malformed, Unproven):  # no fork, not by this key, or the hashes lead nowhere
            continue
    return None


def only_by(keys: Iterable[VerifierKey], note: Note) -> Note:
    """The note with the signature of each of these keys, the first that it has made, and no others."""
    lines = {(each.name, each.key_id): each for each in reversed(note.signatures)}
    names = ((key.name, key.key_id) for key in keys)
    return Note(note.text, tuple(lines[name] for name in names if name in lines))


def keep_fork(folder: Path, fork: Fork) -> Path | None:
    """Write a proof; None where it is kept already, or enough are. Raises OSError."""
    proof, size = fork.to_bytes(), parse_signed(fork.first)[0].size
    path = folder / f"fork-{size}-{hashlib.sha256(proof).hexdigest()[:16]}.json"
    if path.exists() or len(list(folder.glob("fork-*.json"))) >= MOST_FORKS:
        return None
    write_whole(path, proof, 0o644)
    return path
