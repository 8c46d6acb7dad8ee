"""A text and the signatures under it: C2SP signed-note v1.0.0.

<text, which ends in a newline>

— <key name> <base64 of key id and signature>
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .cosignature import untimestamped
from .keys import COSIGNATURE, Signature, VerifierKey, check_name
from .strict import Malformed, Unproven, octets, unbase64, utf8

MOST_SIGNATURES = 100  # the standard asks for 16 at least
MOST_NOTE_BYTES = 1_000_000


class Verified(NamedTuple):
    """A signature that holds: whose, and, of a cosignature, as of when (POSIX seconds)."""

    key: VerifierKey
    time: int | None


@dataclass(frozen=True, slots=True)
class Note:
    """A note as parsed or to be written. Its text means nothing until `verify` has returned."""

    text: str
    signatures: tuple[Signature, ...]

    @classmethod
    def parse(cls, data: bytes) -> "Note":
        """Read a note. Raises Malformed."""
        text, lines = split_note(data)
        return cls(text, read_signatures(lines))

    def to_bytes(self) -> bytes:
        """The note's bytes. Raises Malformed where they would not read back as this note."""
        lines = "".join(signature.line() for signature in self.signatures)
        made = octets(f"{_check_text(self.text)}\n{lines}", "a note")
        if Note.parse(made) != self:
            raise Malformed("a note has signatures, each with a key name and at least one byte after the key id")
        return made

    def verify(self, keys: Iterable[VerifierKey]) -> tuple[Verified, ...]:
        """The signatures by these keys, in the note's order. Signatures by others are passed over.

        Raises Unproven where a signature by one of them fails, or none is by one of them.
        """
        found = check_signatures(octets(self.text, "a note"), self.signatures, keys)
        if not found:
            raise Unproven("no signature is by a trusted key")
        return found


def split_note(data: bytes) -> tuple[str, str]:
    """A note's text and its signature lines, not looked at yet. The last empty line parts them. Raises Malformed."""
    if len(data) > MOST_NOTE_BYTES:
        raise Malformed(f"a note is at most {MOST_NOTE_BYTES} bytes")
    text, parted, lines = utf8(data, "a note").rpartition("\n\n")
    if not parted:
        raise Malformed("a note has an empty line between its text and its signatures")
    return _check_text(text + "\n"), lines


def read_signatures(text: str) -> tuple[Signature, ...]:
    """The signature lines, one at least. Raises Malformed."""
    if not text.endswith("\n"):
        raise Malformed("a signature line ends in a newline")
    lines = text[:-1].split("\n")
    if len(lines) > MOST_SIGNATURES:
        raise Malformed(f"a note has at most {MOST_SIGNATURES} signatures")
    return tuple(map(_read_signature, lines))


def check_signatures(text: bytes, signatures: Sequence[Signature], keys: Iterable[VerifierKey]) -> tuple[Verified, ...]:
    """The signatures by these keys over a note text; none is an empty tuple. Raises Unproven where one fails."""
    known: dict[tuple[str, int], VerifierKey] = {}
    for key in keys:
        if known.setdefault((key.name, key.key_id), key) != key:
            raise Unproven(f"two trusted keys are both called {key.name}+{key.key_id:08x}")
    found = []
    for signature in signatures:
        by = known.get((signature.name, signature.key_id))
        if by is None:
            continue
        if not by.holds(text, signature.field):
            raise Unproven(f"the signature of {by.name}+{by.key_id:08x} does not hold")
        found.append(Verified(by, untimestamped(signature.field)[0] if by.type == COSIGNATURE else None))
    return tuple(found)


def _check_text(text: str) -> str:
    if not text.endswith("\n") or any(letter < " " and letter != "\n" for letter in text):
        raise Malformed("a note's text ends in a newline and has no other control character")
    return text


def _read_signature(line: str) -> Signature:
    mark, name, written = (*line.split(" "), "", "", "")[:3]
    if mark != "—" or line != f"— {name} {written}":
        raise Malformed("a signature line is an em dash, a key name and base64, with single spaces between")
    field = unbase64(written, "a signature")
    if len(field) < 5:
        raise Malformed("a signature is a key id of 4 bytes and what follows it")
    return Signature(check_name(name), int.from_bytes(field[:4], "big"), field[4:])
