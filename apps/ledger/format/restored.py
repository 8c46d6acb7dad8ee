"""What a log that begins anew says of the one before, in public and for ever: an entry among the leaves.

    muniment-restored/1
    <origin of the log that ended>
    <size of the tree here, before this entry>
    <hex root hash of that tree>
    <size of the largest tree that was signed under that origin, as far as its keeper knows>
    <hex root hash of that>

Two lines that are equal twice say that nothing was lost that anybody knows of.
"""

import re
from dataclasses import dataclass

from .checkpoint import Checkpoint
from .strict import Malformed, decimal, lines_of, utf8

RESTORED_VERSION = "muniment-restored/1"

_HEX = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Restored:
    """`here` is the tree the log goes on from, `signed` the one that was signed: both under the name that ended."""

    here: Checkpoint
    signed: Checkpoint

    def __post_init__(self) -> None:
        if self.here.origin != self.signed.origin:
            raise Malformed("both trees of a restored log are of the log that ended")

    @classmethod
    def parse(cls, entry: bytes) -> "Restored":
        """Read a log entry. Raises Malformed."""
        lines = lines_of(utf8(entry, "a restored entry"), "a restored entry")
        if len(lines) != 6 or lines[0] != RESTORED_VERSION:
            raise Malformed(f"a restored entry is {RESTORED_VERSION}, an origin, and a size and a root hash twice")
        origin, trees = lines[1], []
        for size, root in (lines[2:4], lines[4:6]):
            if not _HEX.fullmatch(root):
                raise Malformed("a root hash in a restored entry is 64 lower-case hex digits")
            trees.append(Checkpoint(origin, decimal(size, "a size in a restored entry"), bytes.fromhex(root)))
        return cls(*trees)

    def to_bytes(self) -> bytes:
        """The log entry: what `leaf_hash` takes."""
        lines = [RESTORED_VERSION, self.here.origin]
        for tree in (self.here, self.signed):
            lines += [str(tree.size), tree.root.hex()]
        return "".join(f"{line}\n" for line in lines).encode()
