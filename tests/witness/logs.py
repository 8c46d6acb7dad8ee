"""Logs that ask a witness: honest ones, and one whose history has two sides."""

from collections.abc import Sequence

from apps.ledger.format.checkpoint import Checkpoint
from apps.ledger.format.keys import ED25519, SigningKey
from apps.ledger.format.merkle import consistency_proof, leaf_hashes, root_of
from apps.ledger.format.note import Note
from apps.ledger.format.witness import Request
from tests.ledger.material import LOG

FORKS_AT = 7
MOST = 40
LEFT = leaf_hashes(b"%d" % at for at in range(MOST))
RIGHT = leaf_hashes(b"%d" % (at if at < FORKS_AT else -at) for at in range(MOST))
OTHER = SigningKey("other.example/log", ED25519, b"\x07" * 32)


def signed(size: int, side: Sequence[bytes] = LEFT, *, by: SigningKey = LOG, origin: str = "") -> bytes:
    """The checkpoint of the first leaves of a history, signed."""
    text = Checkpoint(origin or by.name, size, root_of(side[:size])).text
    return Note(text, (by.sign(text.encode()),)).to_bytes()


def proof(old: int, new: int, side: Sequence[bytes] = LEFT) -> list[bytes]:
    """That one history grew from `old` leaves to `new`; nothing where it did not grow."""

    def nodes(level: int, index: int) -> bytes:
        return root_of(side[index << level : (index + 1) << level])

    return consistency_proof(nodes, old, new) if old <= new else []


def request(old: int, new: int, side: Sequence[bytes] = LEFT, *, by: SigningKey = LOG, origin: str = "") -> bytes:
    """What a log sends to have a checkpoint cosigned."""
    return Request(old, tuple(proof(old, new, side)), signed(new, side, by=by, origin=origin)).to_bytes()
