"""One entry's proof that it is logged and witnessed, to be checked offline: C2SP tlog-proof, version 1.

c2sp.org/tlog-proof@v1
extra <base64>                      only if there is any; nobody vouches for it
index <decimal>
<base64 of a hash>                  the inclusion proof, the leaf's sibling first

<the signed checkpoint, verbatim>
"""

from collections.abc import Iterable
from dataclasses import dataclass

from .keys import VerifierKey
from .merkle import LONGEST_PROOF, check_inclusion, leaf_hash
from .policy import Policy, Witnessed
from .strict import MOST, Malformed, bounded, decimal, inbase64, unbase64, unbase64_hash, utf8

PROOF_VERSION = "c2sp.org/tlog-proof@v1"
MOST_PROOF_BYTES = 2_000_000


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof as parsed or to be written. `checkpoint` is the signed note's bytes; `extra` is not authenticated."""

    index: int
    hashes: tuple[bytes, ...]
    checkpoint: bytes
    extra: bytes = b""

    @classmethod
    def parse(cls, data: bytes) -> "Proof":
        """Read a proof file. The checkpoint within is read when it is checked. Raises Malformed."""
        if len(data) > MOST_PROOF_BYTES:
            raise Malformed(f"a proof is at most {MOST_PROOF_BYTES} bytes")
        head, parted, checkpoint = data.partition(b"\n\n")
        version, *lines = utf8(head, "a proof").split("\n")
        if version != PROOF_VERSION or not parted:
            raise Malformed(f"a proof begins with {PROOF_VERSION} and has an empty line before its checkpoint")
        extra = b""
        if lines and lines[0].startswith("extra "):
            extra = unbase64(lines.pop(0).removeprefix("extra "), "the extra data of a proof")
        if not lines or not lines[0].startswith("index "):
            raise Malformed("a proof says `index` and the entry's place before its hashes")
        index = decimal(lines.pop(0).removeprefix("index "), "the index of a proof", MOST - 1)
        if len(lines) > LONGEST_PROOF or not checkpoint:
            raise Malformed(f"a proof has at most {LONGEST_PROOF} hashes, and a checkpoint")
        return cls(index, tuple(unbase64_hash(line, "a hash of a proof") for line in lines), checkpoint, extra)

    def to_bytes(self) -> bytes:
        """The proof file. Raises Malformed where it would not read back as this proof."""
        lines = [PROOF_VERSION]
        if self.extra:
            lines.append(f"extra {inbase64(self.extra)}")
        lines.append(f"index {bounded(self.index, 'the index of a proof', MOST - 1)}")
        lines += map(inbase64, self.hashes)
        made = "".join(f"{line}\n" for line in lines).encode() + b"\n" + self.checkpoint
        if Proof.parse(made) != self:
            raise Malformed("a proof has hashes of 32 bytes and a signed checkpoint")
        return made

    def check(self, entry: bytes, policy: Policy, logs: Iterable[VerifierKey] = ()) -> Witnessed:
        """Is the entry in a log that the policy accepts. Returns the checkpoint and who stands for it.

        `logs` are trusted beside the policy's own. Raises Malformed for the checkpoint, Unproven where something fails.
        """
        witnessed = policy.check(self.checkpoint, logs)
        tree = witnessed.checkpoint
        check_inclusion(leaf_hash(entry), self.index, tree.size, self.hashes, tree.root)
        return witnessed
