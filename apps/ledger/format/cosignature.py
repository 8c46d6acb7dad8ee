"""What a witness signs: C2SP tlog-cosignature v1.0.1, the Ed25519 kind, `cosignature/v1`.

The statement: as of this time, the largest tree of this log that I have seen, and found to follow all before it, is
the one in this checkpoint. It does not name the witness: a witness has a key of its own for each name.
"""

from .ed25519 import SIGNATURE_BYTES
from .strict import MOST, Malformed, bounded

_TIME_BYTES = 8


def cosigned_message(text: bytes, time: int) -> bytes:
    """The bytes a witness signs: two header lines and the whole checkpoint text with its last newline.

    `time` is POSIX seconds. Raises Malformed where it cannot be written.
    """
    return f"cosignature/v1\ntime {bounded(time, 'the time of a cosignature')}\n".encode() + text


def timestamped(time: int, signature: bytes) -> bytes:
    """The signature field of a cosignature: 8 bytes of time, big-endian, and the 64 of Ed25519."""
    return bounded(time, "the time of a cosignature").to_bytes(_TIME_BYTES, "big") + signature


def untimestamped(field: bytes) -> tuple[int, bytes]:
    """The time and the Ed25519 signature in a signature field of 72 bytes. Raises Malformed."""
    time = int.from_bytes(field[:_TIME_BYTES], "big")
    if len(field) != _TIME_BYTES + SIGNATURE_BYTES or time > MOST:
        raise Malformed("a cosignature is 8 bytes of time, at most 2^63 - 1, and 64 of signature")
    return time, field[_TIME_BYTES:]
