"""What a witness does with a request: decide, remember, and only then answer."""

import hashlib
import logging
import sqlite3
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..format.checkpoint import Checkpoint, parse_signed
from ..format.keys import VerifierKey
from ..format.note import Note
from ..format.strict import Malformed, Unproven
from ..format.witness import SIZE_CONTENT_TYPE, Known, Request, answer, with_signatures
from .forks import keep_fork
from .state import State

PLAIN = "text/plain; charset=utf-8"

Logs = Mapping[str, tuple[VerifierKey, ...]]  # the keys of each log that is followed, by its origin

log = logging.getLogger("muniment.witness")


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes back over HTTP."""

    status: int
    body: bytes
    content_type: str = PLAIN


@dataclass(frozen=True, slots=True)
class Witness:
    """A state, and the logs that are followed.

    Where the state cannot be read or kept, both methods raise sqlite3.Error, and nothing was cosigned.
    """

    state: State
    logs: Logs

    def add_checkpoint(self, body: bytes) -> Reply:
        """Answer an `add-checkpoint` request: C2SP tlog-witness v1.0.0."""
        while True:
            said = answer(body, _Standings(self))
            signed = self._signed(body)
            if said.cosign is None or signed is None:
                if signed is not None:
                    self._keep_refused(signed, said.status, said.reason)
                return Reply(said.status, said.body.encode(), PLAIN if said.size is None else SIZE_CONTENT_TYPE)
            kept = self.state.keep(said.cosign, signed.to_bytes(), said.old, int(time.time()))
            if kept is not None:
                log.info("Cosigned %s at %d leaves.", said.cosign.origin, kept.size)
                self._compare(said.cosign, signed)
                return Reply(200, kept.cosignature.encode())
            # Another request was first: decide anew, from what it has left.

    def checkpoint(self, origin_hash: str) -> bytes | None:
        """The checkpoint last cosigned of the log whose origin has this SHA-256 (hex), with our line; None before."""
        for origin in self.logs:
            if hashlib.sha256(origin.encode()).hexdigest() == origin_hash:
                standing = self.state.standing(origin)
                return with_signatures(standing.note, standing.cosignature.encode()) if standing.note else None
        return None

    def _signed(self, body: bytes) -> Note | None:
        """The checkpoint of a request with the signatures of its log alone; None where its log has not signed it."""
        try:
            checkpoint, note = parse_signed(Request.parse(body).checkpoint)
            keys = self.logs.get(checkpoint.origin, ())
            note.verify(keys)
        except (Malformed, Unproven):
            return None
        ours = {(key.name, key.key_id) for key in keys}
        lines = (each for each in note.signatures if (each.name, each.key_id) in ours)
        return Note(note.text, tuple(dict.fromkeys(lines)))

    def _keep_refused(self, signed: Note, status: int, reason: str) -> None:
        """What a log has signed and we refuse may be proof against it. The refusal stands, kept or not."""
        checkpoint = Checkpoint.parse(signed.text)
        log.warning("Refused %s at %d leaves with %d: %s.", checkpoint.origin, checkpoint.size, status, reason)
        try:
            self.state.keep_refused(checkpoint, status, reason, int(time.time()), signed.to_bytes())
        except sqlite3.Error as error:
            log.error("That refusal could not be kept: %s.", error)
        self._compare(checkpoint, signed)

    def _compare(self, checkpoint: Checkpoint, signed: Note) -> None:
        """A signed tree of the same size with another root is the proof of a fork, whichever of the two we cosigned."""
        try:
            for other in self.state.contradicting(checkpoint):
                made = keep_fork(self.state.folder, self.logs[checkpoint.origin], other, signed.to_bytes())
                if made is not None:
                    log.critical("%s has signed two histories. The proof is %s.", checkpoint.origin, made)
        except (sqlite3.Error, OSError) as error:
            log.error("A proof that %s has signed two histories could not be kept: %s.", checkpoint.origin, error)


class _Standings(Mapping[str, Known]):
    """Where each followed log stands, read when it is asked for."""

    def __init__(self, witness: Witness) -> None:
        self._witness = witness

    def __getitem__(self, origin: str) -> Known:
        keys = self._witness.logs[origin]
        standing = self._witness.state.standing(origin)
        return Known(keys, standing.size, standing.root)

    def __iter__(self) -> Iterator[str]:
        return iter(self._witness.logs)

    def __len__(self) -> int:
        return len(self._witness.logs)
