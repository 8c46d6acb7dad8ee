"""An audit bundle: a run of a vault's receipts as JSON lines, with what ties them to the log. docs/audit-bundle.md.

    {"first":1,"format":"muniment-bundle/1","head":{…},"last":412,"limits":[…],"made_at":…,"previous_chain_hash":…,"vault":…}
    {"pinned":{"keys":{…},"leaf":{…},"proof":…,"segment":[…]}}    or {"log":"not yet in the log"}
    {"checkpoints":[{"consistency":[…],"note":…},…]}
    {"chain_hash":…,"receipt":{…}}                                one for each receipt
    {"heads":[{"index":…,"seq":…},…]}                             none, or as many as it takes
    {"erasures":[…]}
    {"end":{"chain_hash":…,"digest":…,"receipts":412}}

What a check needs stands before the receipts, so that they are read once, a few at a time, however many there are. The
chain vouches for the receipts, and the digest in the last line for every other line.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from .checkpoint import Checkpoint, parse_signed
from .encoding import row_of
from .leaf import MOST_RECEIPTS
from .members import A_TIME, A_VAULT_ID, a_hex, a_list, a_number, a_text, an_object, strict_json, within
from .merkle import check_consistency
from .note import check_signatures
from .pinned import PINNED_MEMBERS, Pinned
from .receipt_file import NOT_YET, limits_of
from .strict import MOST, Malformed, Unproven, inbase64, unbase64_hash
from .turn import jcs
from .verdict import Altered

BUNDLE = "muniment-bundle/1"
ERASURE = "erasure."  # how the kinds of receipts begin that say that something was erased
HEADS_A_LINE = 1_000
MOST_EARLIER = 16  # checkpoints before the newest
MAKERS_WORD = (
    "When it was made, how far the ledger reached then, and where its other heads stand in the log, is the word of its "
    "maker."
)
NOT_TO_THE_END = (
    "The log does not hold its last receipts yet: until it does, its instance could still write others in their place."
)

_MANIFEST = ("first", "format", "head", "last", "limits", "made_at", "previous_chain_hash", "vault")


class Entry(NamedTuple):
    """A receipt on its way into a bundle: its number and kind, its canonical bytes, its chain hash."""

    seq: int
    kind: str
    text: bytes
    chain_hash: bytes


@dataclass(frozen=True, slots=True)
class LoggedHead:
    """Where a head of the vault's chain stands in the log."""

    index: int
    seq: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a bundle is of: the vault (a typed id), its receipts from `first` to `last`, and what stands before them.

    `head` is the seq and chain hash of the vault's newest receipt when it was made, `made_at` the time as a receipt
    writes it.
    """

    vault: str
    first: int
    last: int
    previous_chain_hash: bytes
    head: tuple[int, bytes]
    made_at: str
    limits: tuple[str, ...]

    def line(self) -> bytes:
        """The first line of the bundle."""
        return json_line(
            {
                "format": BUNDLE,
                "vault": self.vault,
                "first": self.first,
                "last": self.last,
                "previous_chain_hash": self.previous_chain_hash.hex(),
                "head": {"seq": self.head[0], "chain_hash": self.head[1].hex()},
                "made_at": self.made_at,
                "limits": list(self.limits),
            }
        )

    @classmethod
    def read(cls, found: Any) -> "Manifest":
        """Read the object of the first line. Raises Altered."""
        said = an_object(found, _MANIFEST, "")
        first, last = (a_number(said[name], name, MOST_RECEIPTS) for name in ("first", "last"))
        if not 1 <= first <= last:
            raise Altered("first", "a bundle has a receipt, and the first has number 1")
        if not A_VAULT_ID.fullmatch(a_text(said["vault"], "vault")):
            raise Altered("vault", "a vault is named by vlt_ and 32 hex digits")
        if not A_TIME.fullmatch(a_text(said["made_at"], "made_at")):
            raise Altered("made_at", "a time is written as in a receipt")
        head = an_object(said["head"], ("seq", "chain_hash"), "head")
        newest = a_number(head["seq"], "head.seq", MOST_RECEIPTS)
        if newest < last:
            raise Altered("head.seq", f"the vault's newest receipt cannot come before receipt {last}, which is here")
        return cls(
            said["vault"],
            first,
            last,
            a_hex(said["previous_chain_hash"], "previous_chain_hash"),
            (newest, a_hex(head["chain_hash"], "head.chain_hash")),
            said["made_at"],
            tuple(a_text(each, f"limits[{at}]") for at, each in enumerate(a_list(said["limits"], "limits"))),
        )


@dataclass(frozen=True, slots=True)
class Earlier:
    """A checkpoint from before the one that pins the bundle, and the hashes (RFC 6962 §2.1.2) that lead on from it."""

    note: bytes
    consistency: tuple[bytes, ...]

    def to_json(self) -> dict[str, Any]:
        """The members, JSON-ready."""
        return {"consistency": [inbase64(each) for each in self.consistency], "note": self.note.decode()}

    @classmethod
    def read(cls, found: Any, where: str) -> "Earlier":
        """Read one of them. Raises Altered."""
        said = an_object(found, ("consistency", "note"), where)
        try:
            hashes = tuple(
                unbase64_hash(a_text(each, within(where, "consistency")), "a hash of it")
                for each in a_list(said["consistency"], within(where, "consistency"))
            )
            return cls(a_text(said["note"], within(where, "note")).encode(), hashes)
        except (Malformed, UnicodeEncodeError) as problem:
            raise Altered(where, str(problem)) from None

    def hold(self, pinned: Pinned, tree: Checkpoint, where: str) -> Checkpoint:
        """Is it signed by keys that signed the tree, and a beginning of it. Returns what it says. Raises Altered."""
        try:
            checkpoint, note = parse_signed(self.note)
            signers = check_signatures(note.text.encode(), note.signatures, pinned.keys)
            if len(signers) != len(note.signatures) or checkpoint.origin != tree.origin or checkpoint.size >= tree.size:
                raise Unproven("it is no earlier checkpoint of this log, signed by the keys in this file")
            if checkpoint.origin not in {each.key.name for each in signers}:
                raise Unproven("the log itself has not signed it")
            check_consistency(checkpoint.size, checkpoint.root, tree.size, tree.root, self.consistency)
        except (Malformed, Unproven) as problem:
            raise Altered(where, str(problem)) from None
        return checkpoint


def limits_of_bundle(last: int, pinned_to: int | None, cosigned: bool) -> tuple[str, ...]:
    """What a bundle to this receipt does not show, if the log pins its chain up to that one. None of it is a choice."""
    found = (*limits_of(pinned_to is not None, cosigned), MAKERS_WORD)
    return found if pinned_to is None or pinned_to >= last else (*found, NOT_TO_THE_END)


def bundle_lines(
    manifest: Manifest,
    pinned: Pinned | None,
    earlier: Sequence[Earlier],
    receipts: Iterable[Sequence[Entry]],
    heads: Iterable[LoggedHead],
) -> Iterator[bytes]:
    """The bundle's bytes, some lines at a time. `receipts` are those of the manifest, in order, as many at once as
    shall be written at once; `heads` are those of the range that the tree of `pinned` holds, in order."""
    digest = hashlib.sha256()

    def noted(*lines: bytes) -> bytes:
        written = b"".join(lines)
        digest.update(written)
        return written

    yield noted(
        manifest.line(),
        json_line({"pinned": pinned.to_json()} if pinned else {"log": NOT_YET}),
        json_line({"checkpoints": [each.to_json() for each in earlier]}),
    )
    erasures: list[int] = []
    count, chain_hash = 0, b""
    for batch in receipts:
        yield b"".join([row_of(text, chained) for _, _, text, chained in batch])
        erasures += [seq for seq, kind, _, _ in batch if kind.startswith(ERASURE)]
        count, chain_hash = count + len(batch), batch[-1].chain_hash
    remaining = iter(heads)
    while some := [{"index": each.index, "seq": each.seq} for each in islice(remaining, HEADS_A_LINE)]:
        yield noted(json_line({"heads": some}))
    yield noted(json_line({"erasures": erasures}))
    end = {"chain_hash": chain_hash.hex(), "digest": digest.hexdigest(), "receipts": count}
    yield json_line({"end": end})


def json_line(found: Any) -> bytes:
    """A line of a bundle that is no receipt's: RFC 8785 and a newline."""
    return jcs(found) + b"\n"


# ---------------------------------------------------------------- the lines, read
def read_line(line: bytes, where: str) -> Any:
    """The JSON of a line as `json_line` writes it. Raises Altered."""
    try:
        found = strict_json(line)
        if json_line(found) != line:
            raise Malformed("this line is not written as RFC 8785 says, or not to its end")
    except Malformed as problem:
        raise Altered(where, str(problem)) from None
    return found


def read_pinned(found: Any) -> Pinned | None:
    """The second line's object. None where the log holds nothing of the bundle yet. Raises Altered."""
    if type(found) is dict and "log" in found:
        if an_object(found, ("log",), "")["log"] != NOT_YET:
            raise Altered("log", f"this says nothing but: {NOT_YET}")
        return None
    said = an_object(found, ("pinned",), "")["pinned"]
    return Pinned.read(an_object(said, PINNED_MEMBERS, "pinned"), "pinned")


def read_earlier(found: Any) -> tuple[Earlier, ...]:
    """The third line's object. Raises Altered."""
    said = a_list(an_object(found, ("checkpoints",), "")["checkpoints"], "checkpoints")
    if len(said) > MOST_EARLIER:
        raise Altered("checkpoints", f"there are at most {MOST_EARLIER}")
    return tuple(Earlier.read(each, f"checkpoints[{at}]") for at, each in enumerate(said))


def read_heads(found: Any) -> list[LoggedHead]:
    """The object of a line of heads, each beyond the one before. Raises Altered."""
    heads = []
    for each in a_list(found["heads"], "heads"):
        said = an_object(each, ("index", "seq"), "heads")
        index = a_number(said["index"], "heads", MOST)
        heads.append(LoggedHead(index, a_number(said["seq"], "heads", MOST_RECEIPTS)))
    return heads
