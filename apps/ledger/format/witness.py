"""How a witness answers, and how a log reads it: C2SP tlog-witness v1.0.0, `add-checkpoint`. Decisions only.

old <decimal>
<base64 of a hash>                  the consistency proof from the old size, at most 63 lines

<the signed checkpoint>
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from .checkpoint import Checkpoint
from .keys import SigningKey, VerifierKey
from .merkle import EMPTY_ROOT, LONGEST_PROOF, check_consistency
from .note import MOST_NOTE_BYTES, Note, Verified, check_signatures, read_signatures, split_note
from .strict import Malformed, Unproven, bounded, decimal, inbase64, unbase64_hash, utf8

SIZE_CONTENT_TYPE = "text/x.tlog.size"


@dataclass(frozen=True, slots=True)
class Known:
    """A log that a witness follows: the keys it trusts, and the size and root it last cosigned (0 before the first)."""

    keys: Collection[VerifierKey]
    size: int = 0
    root: bytes = EMPTY_ROOT


@dataclass(frozen=True, slots=True)
class Answer:
    """What to answer. With 200 alone `cosign` is set: keep its size and root, then sign its text, then answer.

    Keep them only where the kept size is still `old`, in one step: between the decision and the keeping another request
    may have moved it, and cosigning then would roll the log back. `size` is set with 409 alone.
    """

    status: int
    reason: str = ""
    old: int = 0
    cosign: Checkpoint | None = None
    size: int | None = None

    @property
    def body(self) -> str:
        """The body of a refusal; for 409 it is the size last cosigned, to be sent as `text/x.tlog.size`."""
        return f"{self.reason if self.size is None else self.size}\n"


@dataclass(frozen=True, slots=True)
class Request:
    """An add-checkpoint request: the size the proof starts from, the proof, and the signed checkpoint's bytes."""

    old: int
    proof: tuple[bytes, ...]
    checkpoint: bytes = field(repr=False)

    @classmethod
    def parse(cls, body: bytes) -> "Request":
        """Read a request body. The checkpoint within is read apart. Raises Malformed."""
        if len(body) > 2 * MOST_NOTE_BYTES:
            raise Malformed(f"a request is at most {2 * MOST_NOTE_BYTES} bytes")
        head, parted, checkpoint = body.partition(b"\n\n")
        first, *lines = utf8(head, "a request").split("\n")
        if not parted or not first.startswith("old "):
            raise Malformed("a request says `old` and a size, and has an empty line before its checkpoint")
        if len(lines) > LONGEST_PROOF:
            raise Malformed(f"a request has at most {LONGEST_PROOF} hashes")
        old = decimal(first.removeprefix("old "), "the old size")
        return cls(old, tuple(unbase64_hash(line, "a hash of the consistency proof") for line in lines), checkpoint)

    def to_bytes(self) -> bytes:
        """The request body. Raises Malformed for a size that cannot be written."""
        lines = [f"old {bounded(self.old, 'the old size')}", *map(inbase64, self.proof)]
        return "".join(f"{line}\n" for line in lines).encode() + b"\n" + self.checkpoint


def answer(body: bytes, known: Mapping[str, Known]) -> Answer:
    """Decide on a request body, given the logs that are followed by their origins. Never raises."""
    try:
        request = Request.parse(body)
        text, lines = split_note(request.checkpoint)
        checkpoint = Checkpoint.parse(text)
    except Malformed as problem:
        return Answer(400, str(problem))
    log = known.get(checkpoint.origin)
    if log is None:
        return Answer(404, "this witness does not follow a log with this origin")
    try:
        Note(text, read_signatures(lines)).verify(log.keys)
    except (Malformed, Unproven) as problem:  # a line that cannot be read is a signature that does not hold
        return Answer(403, str(problem))
    return _judge(request, checkpoint, log)


def _judge(request: Request, checkpoint: Checkpoint, log: Known) -> Answer:
    """The answer to a request that the log has signed."""
    if request.old > checkpoint.size:
        return Answer(400, "the old size is larger than the checkpoint's")
    if request.old != log.size:
        return Answer(409, "the old size is not the one last cosigned", size=log.size)
    try:
        check_consistency(log.size, log.root, checkpoint.size, checkpoint.root, request.proof)
    except Unproven as problem:
        return Answer(422, str(problem))
    return Answer(200, old=request.old, cosign=checkpoint)


def cosignature_line(key: SigningKey, checkpoint: Checkpoint, time: int) -> str:
    """A line of a 200's body: this witness's cosignature, as of `time` (POSIX seconds, not 0). Raises Malformed."""
    if time == 0:
        raise Malformed("a witness says when it saw the checkpoint")
    return key.sign(checkpoint.text.encode(), time).line()


def read_cosignatures(body: bytes, checkpoint: Checkpoint, keys: Iterable[VerifierKey]) -> tuple[Verified, ...]:
    """What a log finds in a 200's body: the cosignatures by witnesses it knows; others' are passed over.

    Raises Malformed for the body, Unproven where a known witness's signature fails.
    """
    if len(body) > MOST_NOTE_BYTES:
        raise Malformed(f"a witness's answer is at most {MOST_NOTE_BYTES} bytes")
    signatures = read_signatures(utf8(body, "a witness's answer"))
    return check_signatures(checkpoint.text.encode(), signatures, keys)


def read_size(body: bytes) -> int:
    """What a log finds in a 409's body: the size the witness last cosigned. Raises Malformed."""
    text = utf8(body, "a witness's answer")
    if not text.endswith("\n"):
        raise Malformed("a size in a witness's answer ends in a newline")
    return decimal(text[:-1], "the size in a witness's answer")


def with_signatures(signed: bytes, lines: bytes) -> bytes:
    """A signed checkpoint with a witness's lines after its own. Raises Malformed for either."""
    note = Note.parse(signed)
    added = read_signatures(utf8(lines, "signature lines"))
    return Note(note.text, tuple(dict.fromkeys((*note.signatures, *added)))).to_bytes()
