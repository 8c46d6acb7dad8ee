"""The proof that a log's key signed two histories: whoever holds it can show it to anybody.

    {"format": "muniment-fork/1", "log": "<vkey>", "first": "<note>", "second": "<note>", "root": "<base64>",
     "hashes": ["<base64>", …]}

`first` and `second` are signed checkpoints, the smaller tree first, with the log's own signatures and no others. Of one
size, two roots are the proof: `root` and `hashes` are left out. Of two sizes, `root` is what the second tree was at the
first's size, and `hashes` is the consistency proof (RFC 9162 §2.1.4) from there to the second: it is another root than
the one the key signed.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .checkpoint import Checkpoint, parse_signed
from .keys import ED25519, VerifierKey
from .members import a_list, a_text, an_object, strict_json
from .merkle import Nodes, check_consistency, consistency_proof, root_from
from .note import Note
from .pinned import KEY_CAME_WITH_IT, NO_KNOWN_KEY, names_of
from .strict import Malformed, Unproven, counted, inbase64, unbase64_hash
from .verdict import Altered, Report, Trust, Verdict, altered

FORK = "muniment-fork/1"
_FORK_MEMBERS = ("format", "log", "first", "second")
_BETWEEN_SIZES = ("root", "hashes")
_BETWEEN = "It does not show what either history holds, which is the true one, or who it was that signed with the key."


@dataclass(frozen=True, slots=True)
class Fork:
    """A proof of a fork as parsed or to be written. `first` and `second` are signed notes' bytes."""

    log: VerifierKey
    first: bytes
    second: bytes
    root: bytes | None = None
    hashes: tuple[bytes, ...] = ()

    @classmethod
    def make(cls, log: VerifierKey, one: bytes, other: bytes, nodes: Nodes | None = None) -> "Fork":
        """Prove that the key signed both checkpoints, in either order, and that they do not belong together.

        `nodes` are those of the larger tree; two trees of one size need none. Raises Malformed for the notes, Unproven
        where they are no fork, or where it takes nodes to show it.
        """
        first, second = sorted((_by_log_alone(log, one), _by_log_alone(log, other)), key=lambda note: _tree(note).size)
        small, large = _tree(first).size, _tree(second).size
        if small == large:
            made = cls(log, first, second)
        elif nodes is None:
            raise Unproven("two trees of different sizes need the larger one's hashes to be shown to differ")
        else:
            made = cls(log, first, second, root_from(nodes, small), tuple(consistency_proof(nodes, small, large)))
        made.check()
        return made

    def check(self) -> tuple[Checkpoint, Checkpoint]:
        """The two trees that one key signed and that do not belong together. Raises Malformed or Unproven."""
        for note in (self.first, self.second):
            if _by_log_alone(self.log, note) != note:
                raise Malformed("a checkpoint in a proof of a fork is signed by the log and nobody else")
        one, other = _tree(self.first), _tree(self.second)
        if self.log.type != ED25519 or not self.log.name == one.origin == other.origin:
            raise Unproven("the checkpoints are not of the log whose key signed them")
        if one.size == other.size:
            if one.root == other.root or self.root is not None or self.hashes:
                raise Unproven("of one size, two checkpoints are a fork only by two roots, and no hashes belong there")
        elif self.root is None or self.root == one.root:
            raise Unproven("the second tree was not shown to have had another root at the first's size")
        else:
            check_consistency(one.size, self.root, other.size, other.root, self.hashes)
        return one, other

    def to_bytes(self) -> bytes:
        """The proof's file: JSON, indented for people."""
        members: dict[str, Any] = {
            "format": FORK,
            "log": str(self.log),
            "first": self.first.decode(),
            "second": self.second.decode(),
        }
        if self.root is not None:
            members |= {"root": inbase64(self.root), "hashes": [inbase64(each) for each in self.hashes]}
        return json.dumps(members, indent=1, ensure_ascii=False).encode() + b"\n"

    @classmethod
    def parse(cls, data: bytes) -> "Fork":
        """Read a proof's file. Raises Malformed."""
        try:
            return cls.read(strict_json(data))
        except Altered as problem:
            raise Malformed(str(problem)) from None

    @classmethod
    def read(cls, found: Any) -> "Fork":
        """Read the JSON object. Raises Altered."""
        between = type(found) is dict and not {*_BETWEEN_SIZES}.isdisjoint(found)
        said = an_object(found, (*_FORK_MEMBERS, *(_BETWEEN_SIZES if between else ())), "")
        if said["format"] != FORK:
            raise Altered("format", f"a proof of a fork is of the format {FORK}")
        hashes = a_list(said["hashes"], "hashes") if between else []
        return cls(
            _key_in(said["log"]),
            _note_in(said["first"], "first"),
            _note_in(said["second"], "second"),
            _hash_in(said["root"], "root") if between else None,
            tuple(_hash_in(each, f"hashes[{at}]") for at, each in enumerate(hashes)),
        )


def verify_fork(found: dict[str, Any], trust: Trust, openings: Sequence[bytes] = ()) -> Report:
    """Check a proof of a fork, given as its JSON object. No opening belongs to one. Raises nothing."""
    try:
        fork = Fork.read(found)
        _check_notes(fork)
        one, other = _check_whole(fork)
    except Altered as problem:
        return altered("fork", "This proves no fork.", problem.finding)
    says = f"Proof of a fork: one key signed two histories of the log {one.origin}."
    verdict = Verdict.FORKED
    if fork.log not in (known := (*trust.keys, *trust.logs)):
        says = f"{says} {KEY_CAME_WITH_IT}"
        if known:
            verdict, says = Verdict.UNKNOWN_KEY, f"{NO_KNOWN_KEY} Who signed: {names_of([fork.log])}."
    return Report(
        kind="fork",
        checked=(
            f"Both checkpoints, of {one.size} and of {counted(other.size, 'leaf', 'leaves')}, are signed by "
            f"{names_of([fork.log])}.",
            "They have different roots at one size."
            if one.size == other.size
            else "The larger tree had another root at the smaller one's size.",
        ),
        coverage=(f"The log {one.origin}: every receipt that is shown to be in it.",),
        limits=(_BETWEEN,),
        verdict=verdict,
        says=says,
        checkpoint=fork.second,
    )


def _check_notes(fork: Fork) -> None:
    for where, note in (("first", fork.first), ("second", fork.second)):
        try:
            alone = _by_log_alone(fork.log, note) == note
        except (Malformed, Unproven) as problem:
            raise Altered(where, str(problem)) from None
        if not alone:
            raise Altered(where, "it is signed by the log and nobody else")


def _check_whole(fork: Fork) -> tuple[Checkpoint, Checkpoint]:
    try:
        return fork.check()
    except (Malformed, Unproven) as problem:
        raise Altered("root" if fork.root is not None else "second", str(problem)) from None


def _tree(signed: bytes) -> Checkpoint:
    return parse_signed(signed)[0]


def _by_log_alone(log: VerifierKey, signed: bytes) -> bytes:
    """The signed checkpoint with the signatures by this key, which hold, and no others."""
    note = Note.parse(signed)
    Checkpoint.parse(note.text)
    note.verify([log])
    kept = [each for each in note.signatures if (each.name, each.key_id) == (log.name, log.key_id)]
    return Note(note.text, (kept[0],)).to_bytes()


def _key_in(found: Any) -> VerifierKey:
    try:
        return VerifierKey.parse(a_text(found, "log"))
    except Malformed as problem:
        raise Altered("log", str(problem)) from None


def _note_in(found: Any, where: str) -> bytes:
    try:
        return a_text(found, where).encode()
    except UnicodeEncodeError:
        raise Altered(where, "this must be text that UTF-8 can write") from None


def _hash_in(found: Any, where: str) -> bytes:
    try:
        return unbase64_hash(a_text(found, where), where)
    except Malformed as problem:
        raise Altered(where, str(problem)) from None
