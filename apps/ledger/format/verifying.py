"""Check a file, whichever of ours it is: the one entry for every surface that checks.

A file is told by its member `format`, which JSON lines have on their first line. tests/ledger/corpus/files.jsonl holds
files with the answers that this and every other verifier of ours must give.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from .bundle import verify_bundle
from .bundle_parts import BUNDLE
from .certificate import CERTIFICATE_FILE, verify_certificate_file
from .conversation import CONVERSATION, verify_conversation
from .fork import FORK, verify_fork
from .members import strict_json
from .opening import OPENING, ORDER_OPENING
from .receipt_file import RECEIPT_FILE, verify_receipt_file
from .strict import Malformed
from .verdict import NOTHING_KNOWN, Finding, Report, Trust, Unreadable, altered, cant_check

MOST_FILE_BYTES = 64 << 20  # of a file that is one JSON object; JSON lines are read as they come
UNTOLD_BYTES = 64 << 10  # no more is read of a file that has not named a format of ours by then
MOST_PARTS = 1 << 20  # lists, objects and commas in such a file: of each some bytes make a hundred in memory
NO_FILE_OF_OURS = (
    "This is no file of Muniment that this program knows: no receipt file, bundle, conversation, erasure "
    "certificate or proof of a fork. "
    "Take the file as it was downloaded; if it is newer than the program, take a newer program."
)
AN_OPENING = (
    "This file is an opening: a value with its key, and no receipt. Give it to the program beside the file with the "
    "receipt it belongs to: muniment verify RECEIPT --opening THIS-FILE."
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
    everything = chain([first], remaining)
    stream = next((name for name in _LINES if _is_named(first, name)), None)
    if stream is not None:
        return _LINES[stream](everything, trust, openings)
    try:
        data = _whole_file(everything, (*_LINES, *_OBJECTS))
    except Unreadable as problem:
        return cant_check("unknown", str(problem))
    try:
        if sum(map(data.count, (b"[", b"{", b","))) > MOST_PARTS:
            raise Malformed("it has more parts than any file of this kind")
        found = strict_json(data)
    except Malformed as problem:
        return _no_object(first, data, problem)
    name = found.get("format") if type(found) is dict else None
    if type(name) is str and name in _OBJECTS:
        return _OBJECTS[name][1](found, trust, openings)
    return cant_check("unknown", _no_file(name))


_LINES: dict[str, Callable[[Iterable[bytes], Trust, Sequence[bytes]], Report]] = {
    BUNDLE: verify_bundle,
    CONVERSATION: verify_conversation,
}
_OBJECTS: dict[str, tuple[str, Callable[[dict[str, Any], Trust, Sequence[bytes]], Report]]] = {
    CERTIFICATE_FILE: ("certificate", verify_certificate_file),  # before what may stand in one
    RECEIPT_FILE: ("receipt", verify_receipt_file),
    FORK: ("fork", verify_fork),
}
_BEGINNING = 1_000  # bytes in which a file of ours has named its format


def _is_named(first: bytes, name: str) -> bool:
    """Does the first line begin a file of this format, well or badly written."""
    if name.encode() not in first[:_BEGINNING]:
        return False
    try:
        found = strict_json(first)
    except Malformed:
        return not any(other.encode() in first[:_BEGINNING] for other in _OBJECTS)
    return type(found) is dict and found.get("format") == name


def _no_object(first: bytes, data: bytes, problem: Malformed) -> Report:
    """The report on what is no JSON object: altered, if it begins like one of ours."""
    for name, (kind, _) in _OBJECTS.items():
        if name.encode() in data[:_BEGINNING]:
            says = f"It begins like a {kind}'s file and was altered."
            return altered(kind, says, Finding("file", str(problem)))
    try:
        found = strict_json(first)
    except Malformed:
        found = None
    return cant_check("unknown", _no_file(found.get("format") if type(found) is dict else None))


def _no_file(name: Any) -> str:
    """Why this is not checked, given the format it names."""
    if name in (OPENING, ORDER_OPENING):
        return AN_OPENING
    if type(name) is str and name.startswith("muniment-"):
        return f"This file is of the format {name[:80]}, which this program does not know: take a newer program."
    return NO_FILE_OF_OURS


def _whole_file(lines: Iterable[bytes], names: Collection[str]) -> bytes:
    """The bytes of a file that is checked as one; it names its format, one of these, early.

    Raises Unreadable for too many bytes, before it has read them all, and for rubbish after a few of them.
    """
    data, told = bytearray(), False
    for line in lines:
        data += line
        if len(data) > UNTOLD_BYTES and not told:
            told = any(data.find(name.encode(), 0, UNTOLD_BYTES) >= 0 for name in names)
            if not told:
                raise Unreadable(NO_FILE_OF_OURS)
        if len(data) > MOST_FILE_BYTES:
            raise Unreadable(f"This file is larger than {MOST_FILE_BYTES >> 20} MiB, which no file of this kind is.")
    return bytes(data)


def _lines(data: bytes) -> Iterator[bytes]:
    """The lines of some bytes, ended by newlines alone, without a copy of them all."""
    at = 0
    while at < len(data):
        end = data.find(b"\n", at) + 1 or len(data)
        yield data[at:end]
        at = end
