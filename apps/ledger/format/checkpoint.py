"""What a log says its tree is: C2SP tlog-checkpoint v1.0.0, a signed note whose text is

<origin>
<size>
<base64 of the root hash>
"""

from dataclasses import dataclass

from .note import Note
from .strict import Malformed, a_hash, bounded, decimal, inbase64, lines_of, octets, unbase64_hash

LONGEST_ORIGIN = 255  # bytes: what the other kind of cosignature can name


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The tree of a log at one size. Extension lines are kept and signed, and mean nothing here; we write none."""

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> "Checkpoint":
        """Read a note's text. Raises Malformed."""
        lines = lines_of(text, "a checkpoint")
        if len(lines) < 3:
            raise Malformed("a checkpoint has three lines: an origin, a size and a root hash")
        size = decimal(lines[1], "the size in a checkpoint")
        return cls(lines[0], size, unbase64_hash(lines[2], "the root hash in a checkpoint"), tuple(lines[3:]))

    def __post_init__(self) -> None:
        if not 1 <= len(octets(self.origin, "an origin")) <= LONGEST_ORIGIN:
            raise Malformed(f"an origin is 1 to {LONGEST_ORIGIN} bytes")
        bounded(self.size, "the size in a checkpoint")
        a_hash(self.root, "the root hash in a checkpoint")
        if not all(self.extensions):
            raise Malformed("an extension line in a checkpoint is not empty")
        if any(letter < " " for line in (self.origin, *self.extensions) for letter in line):
            raise Malformed("a checkpoint has no control characters within its lines")

    @property
    def text(self) -> str:
        """The note's text: what a log and its witnesses sign."""
        return "".join(f"{line}\n" for line in (self.origin, self.size, inbase64(self.root), *self.extensions))


def parse_signed(data: bytes) -> tuple[Checkpoint, Note]:
    """Read a checkpoint with its signatures, which nobody has looked at yet. Raises Malformed."""
    note = Note.parse(data)
    return Checkpoint.parse(note.text), note
