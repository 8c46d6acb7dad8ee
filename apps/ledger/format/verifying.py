"""Check a file, whichever of ours it is: the one entry for every surface that checks.

A file is told by its member `format`, which JSON lines have on their first line.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from .verdict import NOTHING_KNOWN, Report, Trust, Unreadable, cant_check

MOST_FILE_BYTES = 64 << 20  # of a file that is one JSON object; JSON lines are read as they come
NO_FILE_OF_OURS = (
    "This is no file of Muniment that this program knows: no receipt file, bundle, conversation or proof of a fork. "
    "Take the file as it was downloaded; if it is newer than the program, take a newer program."
)


def verify(data: bytes, trust: Trust = NOTHING_KNOWN, openings: Sequence[bytes] = ()) -> Report:
    """Check any one file, given whole. Never raises, whatever the bytes are.

    `openings` are files of the kind `muniment-opening/1`: each is bound to a receipt or is a finding.
    """
    return verify_stream(_lines(data), trust, openings)


def verify_stream(lines: Iterable[bytes], trust: Trust = NOTHING_KNOWN, openings: Sequence[bytes] = ()) -> Report:
    """Check any one file, given as its lines with their newlines; of JSON lines no more than a batch is held at once.

    A line may be of any length: cut longer ones into pieces if memory matters, they are put together again.
    """
    remaining = iter(lines)
    first = next(remaining, b"")
    try:
        _whole_file(chain([first], remaining))
    except Unreadable as problem:
        return cant_check("unknown", str(problem))
    return cant_check("unknown", NO_FILE_OF_OURS)


def _whole_file(lines: Iterable[bytes]) -> bytes:
    """The bytes of a file that is checked as one. Raises Unreadable for too many, before it has read them all."""
    parts, size = [], 0
    for line in lines:
        size += len(line)
        if size > MOST_FILE_BYTES:
            raise Unreadable(f"This file is larger than {MOST_FILE_BYTES >> 20} MiB, which no file of this kind is.")
        parts.append(line)
    return b"".join(parts)


def _lines(data: bytes) -> Iterator[bytes]:
    """The lines of some bytes, ended by newlines alone, without a copy of them all."""
    at = 0
    while at < len(data):
        end = data.find(b"\n", at) + 1 or len(data)
        yield data[at:end]
        at = end
