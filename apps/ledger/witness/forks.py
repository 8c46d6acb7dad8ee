"""Proofs that a log has signed two histories, one file each in the state folder: for anybody to check."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from ..format.checkpoint import Checkpoint
from ..format.keys import VerifierKey
from ..format.note import Note
from ..format.strict import Unproven
from .key import write_whole

MOST_FORKS = 16  # files: one is proof enough, and a log that forks may do so without end


def keep_fork(folder: Path, keys: Iterable[VerifierKey], first: bytes, second: bytes) -> Path | None:
    """Write the proof made of two signed checkpoints of one size with two roots. Raises OSError.

    None where it is kept already, where enough are, or where no one key has signed both.
    """
    for key in keys:
        try:
            for note in (first, second):
                Note.parse(note).verify([key])
        except Unproven:
            continue
        proof = {"format": "muniment-fork/1", "log": str(key), "first": first.decode(), "second": second.decode()}
        return _write(folder, Checkpoint.parse(Note.parse(first).text).size, json.dumps(proof).encode())
    return None


def _write(folder: Path, size: int, proof: bytes) -> Path | None:
    path = folder / f"fork-{size}-{hashlib.sha256(proof).hexdigest()[:16]}.json"
    if path.exists() or len(list(folder.glob("fork-*.json"))) >= MOST_FORKS:
        return None
    write_whole(path, proof, 0o644)
    return path
