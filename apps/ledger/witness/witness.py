"""What a witness does with a request: decide, remember, and only then answer."""

import hashlib
import logging
import sqlite3
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..format.checkpoint import Checkpoint, parse_signed
from ..format.keys import VerifierKey
from ..format.strict import Malformed, Unproven
from ..format.witness import SIZE_CONTENT_TYPE, Known, Request, answer, with_signatures
from .forks import find_fork, keep_fork, only_by
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
            asked = self._signed(body)
            if said.cosign is None or asked is None:
                if asked is not None:
                    self._keep_refused(asked, said.status, said.reason)
                return Reply(said.status, said.body.encode(), PLAIN if said.size is None else SIZE_CONTENT_TYPE)
            kept = self.state.keep(said.cosign, asked.note, said.old, int(time.time()))
            if kept is not None:
                log.info("Cosigned %s at %d leaves.", said.cosign.origin, kept.size)
                self._look_for_forks(asked)
                return Reply(200, kept.cosignature.encode())
            # Another request was first: decide anew, from what it has left.

    def checkpoint(self, origin_hash: str) -> bytes | None:
        """The checkpoint last cosigned of the log whose origin has this SHA-256 (hex), with our line; None before."""
        for origin in self.logs:
            if hashlib.sha256(origin.encode()).hexdigest() == origin_hash:
                standing = self.state.standing(origin)
                return with_signatures(standing.note, standing.cosignature.encode()) if standing.note else None
        return None

    def _signed(self, body: bytes) -> "_Asked | None":
        """What a request asks for, with the signatures of the log alone; None where the log has not signed it."""
        try:
            request = Request.parse(body)
            checkpoint, note = parse_signed(request.checkpoint)
            keys = self.logs.get(checkpoint.origin, ())
            note.verify(keys)
        except (Malformed, Unproven):
            return None
        return _Asked(checkpoint, only_by(keys, note).to_bytes(), request.old, request.proof)

    def _keep_refused(self, asked: "_Asked", status: int, reason: str) -> None:
        """What a log has signed and we refuse may be proof against it. The refusal stands, kept or not."""
        checkpoint = asked.checkpoint
        log.warning("Refused %s at %d leaves with %d: %s.", checkpoint.origin, checkpoint.size, status, reason)
        try:
            self.state.keep_refused(checkpoint, status, reason, int(time.time()), asked.note)
        except sqlite3.Error as error:
            log.error("That refusal could not be kept: %s.", error)
        self._look_for_forks(asked)

    def _look_for_forks(self, asked: "_Asked") -> None:
        """Does it contradict anything that we know the log has signed, whichever of the two we have cosigned."""
        origin, size = asked.checkpoint.origin, asked.checkpoint.size
        try:
            for note in self.state.notes_of(origin, {asked.old, size}):
                fork = find_fork(self.logs[origin], note, asked.note, asked.proof)
                made = keep_fork(self.state.folder, fork) if fork is not None else None
                if made is not None:
                    log.critical("%s has signed two histories. The proof is %s.", origin, made)
        except (sqlite3.Error, OSError) as error:
            log.error("A proof that %s has signed two histories could not be kept: %s.", origin, error)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request that its log has signed."""

    checkpoint: Checkpoint
    note: bytes
    old: int
    proof: tuple[bytes, ...]


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
