"""Checking an audit bundle: its receipts one after the other, and that everything beside them agrees with them.

In constant memory, whatever its length: a batch of receipts, and the few lines that are no receipts.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from .bundle_parts import (
    BUNDLE,
    ERASURE,
    LoggedHead,
    Manifest,
    limits_of_bundle,
    read_earlier,
    read_heads,
    read_line,
    read_pinned,
)
from .encoding import BATCH, ROW_BEGINS, Problem, Walk, genesis, line_of, read
from .leaf import hyphenated
from .members import a_hex, a_list, a_number, an_object
from .opening import Binder
from .pinned import Pinned, Standing, judge
from .receipt_file import NOTHING_SIGNED
from .strict import MOST, counted, span
from .verdict import (
    ALWAYS,
    NOTHING_KNOWN,
    Altered,
    Finding,
    Report,
    Trust,
    Unreadable,
    Verdict,
    altered,
    cant_check,
)

MOST_LINE_BYTES = 16 << 20
MOST_FINDINGS = 20
_NEWLINE = 10
_ALTERED = "This bundle was altered: it is not as it was made of the ledger."
_NOT_IN_IT = "are not in it; they are bound to it by their hashes"
_WHAT_FAILS = {
    "form": "its line is not written as a receipt's line is",
    "gap": "it stands where another number should stand",
    "vault": "it is of another vault",
    "time": "its time is before the time of a receipt before it",
    "digest": "its bytes are not those of its digest",
    "chain": "its chain hash does not follow from the one before and its bytes",
}


def verify_bundle(lines: Iterable[bytes], trust: Trust = NOTHING_KNOWN, openings: Sequence[bytes] = ()) -> Report:
    """Check a bundle, given as its lines with their newlines. Raises nothing, whatever the bytes are."""
    reading = BundleReading(lines, openings)
    for _ in reading.batches():
        pass
    return reading.report(trust)


class BundleReading:
    """A bundle while it is read, once. Go through `batches`, then ask for the report.

    `manifest` is there from the first batch on; `kinds` counts the receipts read so far.
    """

    def __init__(self, lines: Iterable[bytes], openings: Sequence[bytes] = ()) -> None:
        self._lines = _Lines(lines)
        self._binder = Binder(openings) if openings else None
        self._failed: Report | None = None
        self._manifest: Manifest | None = None
        self._pinned: Pinned | None = None
        self._standing: Standing | None = None
        self._earlier: list[int] = []  # sizes
        self._at_leaf = b""
        self._erasures: list[int] = []
        self._began, self._ended = "", ""
        self._chain_hash = b""
        self.kinds: Counter[str] = Counter()

    @property
    def manifest(self) -> Manifest:
        assert self._manifest is not None, "the first batch comes after the manifest"
        return self._manifest

    def is_not_before(self, other: "BundleReading") -> bool:
        """Does the other bundle begin right after this one's last receipt, and after another chain hash."""
        said, theirs = self._manifest, other._manifest
        if said is None or theirs is None or theirs.first != said.last + 1:
            return False
        return theirs.previous_chain_hash != self._chain_hash

    def batches(self) -> Iterator[tuple[int, list[bytes]]]:
        """Read on: the number of the first of some receipts, and their lines, which follow from the lines before.

        Ends before what does not hold; that they all end in the ledger is known when there are no more."""
        try:
            yield from self._read()
        except Altered as problem:
            self._failed = altered("bundle", _ALTERED, problem.finding)
        except _AlteredReceipts as problem:
            self._failed = altered("bundle", _ALTERED, *problem.findings)
        except Unreadable as problem:
            self._failed = cant_check("bundle", str(problem))

    def _read(self) -> Iterator[tuple[int, list[bytes]]]:
        self._read_manifest()
        self._pinned = read_pinned(self._lines.read("pinned"))
        self._read_checkpoints()
        said = self.manifest
        walk = Walk(said.vault, said.first - 1, said.previous_chain_hash)
        while batch := self._some_receipts(walk):
            first = walk.seq + 1
            _raise(walk.rows(batch))
            self._note(walk, batch, first)
            yield first, batch
        if walk.seq < said.last:
            raise Altered(str(walk.seq + 1), f"it is missing: the first line says that receipts go on to {said.last}")
        self._check_chain(walk)
        self._check_rest(walk)

    # ------------------------------------------------------------ before the receipts
    def _read_manifest(self) -> None:
        found = self._lines.read("manifest")
        name = found.get("format") if type(found) is dict else None
        if type(name) is str and name != BUNDLE:
            raise Unreadable(f"This bundle is of the format {name[:80]}, not {BUNDLE}: check it with another program.")
        said = self._manifest = Manifest.read(found)
        if said.first == 1 and said.previous_chain_hash != genesis(hyphenated(said.vault)):
            raise Altered("previous_chain_hash", "before receipt 1 stands the vault's genesis")

    def _read_checkpoints(self) -> None:
        earlier = read_earlier(self._lines.read("checkpoints"))
        if self._pinned is None:
            if earlier:
                raise Altered("checkpoints", "none belongs here while the log holds nothing of it")
            return
        if self._pinned.leaf.seq < self.manifest.first:
            raise Altered("pinned.leaf.seq", "the leaf pins none of the receipts here")
        self._standing = self._pinned.signed("pinned")
        for at, each in enumerate(earlier):
            where = f"checkpoints[{at}]"
            size = each.hold(self._pinned, self._standing.checkpoint, where).size
            if self._earlier and size <= self._earlier[-1]:
                raise Altered(where, "each is larger than the one before it")
            self._earlier.append(size)

    # ------------------------------------------------------------ the receipts
    def _some_receipts(self, walk: Walk) -> list[bytes]:
        """The next lines that begin like receipts', up to the receipt that the leaf names or the last one."""
        leaf = self._pinned.leaf.seq if self._pinned else 0
        ends = leaf if walk.seq < leaf < self.manifest.last else self.manifest.last
        return self._lines.receipts(min(BATCH, ends - walk.seq))

    def _note(self, walk: Walk, batch: Sequence[bytes], first: int) -> None:
        for run in walk.runs:
            self.kinds[run.kind] += run.length
            if run.kind.startswith(ERASURE):
                self._erasures += range(run.first, run.first + run.length)
        if first == self.manifest.first:
            self._began = str(read(line_of(batch[0]).text)["time"])
        self._ended, self._chain_hash = walk.time, walk.chain_hash
        if self._pinned and self._pinned.leaf.seq == walk.seq:
            self._at_leaf = walk.chain_hash
        if self._binder:
            for row in batch:
                self._binder.look(line_of(row).text)

    # ------------------------------------------------------------ after the receipts
    def _check_chain(self, walk: Walk) -> None:
        """Does the chain lead to the leaf, and to the head that is said to be the vault's."""
        said, pinned = self.manifest, self._pinned
        if said.head[0] == said.last and said.head[1] != walk.chain_hash:
            raise Altered("head.chain_hash", f"it is not the chain hash of receipt {said.last}")
        if pinned is None:
            return
        assert self._standing is not None
        if pinned.leaf.seq == said.head[0] and pinned.leaf.chain_hash != said.head[1]:
            raise Altered("head.chain_hash", "it is not the chain hash that the leaf names")
        seq, chain_hash = (said.last, walk.chain_hash)
        if pinned.leaf.seq < said.last:
            seq, chain_hash = pinned.leaf.seq, self._at_leaf
        pinned.hold(self._standing.checkpoint, hyphenated(said.vault), seq, chain_hash, "pinned")

    def _check_rest(self, walk: Walk) -> None:
        found = self._check_heads(self._lines.read("heads"))
        erasures = a_list(an_object(found, ("erasures",), "")["erasures"], "erasures")
        if erasures != self._erasures or any(type(each) is not int for each in erasures):
            raise Altered("erasures", "these are not the receipts here that say that something was erased")
        cosigned = self._standing is not None and self._standing.cosigned
        if self.manifest.limits != limits_of_bundle(self.manifest.last, self._pinned_to, cosigned):
            raise Altered("limits", "these are not the sentences that belong to such a bundle")
        digest = self._lines.digest
        end = an_object(
            an_object(self._lines.read("end"), ("end",), "")["end"], ("chain_hash", "digest", "receipts"), "end"
        )
        if a_number(end["receipts"], "end.receipts", MOST) != self.manifest.last - self.manifest.first + 1:
            raise Altered("end.receipts", "there are another number of receipts")
        if a_hex(end["chain_hash"], "end.chain_hash") != walk.chain_hash:
            raise Altered("end.chain_hash", "it is not the chain hash of the last receipt")
        if a_hex(end["digest"], "end.digest") != digest:
            raise Altered("end.digest", "one of the lines that are no receipts was changed")
        if self._lines.more():
            raise Altered("end", "something stands after the last line")

    def _check_heads(self, found: Any) -> Any:
        """Are the heads in order and in the log. Returns the object of the line after them."""
        last = LoggedHead(-1, self.manifest.first - 1)
        pinned = False
        while type(found) is dict and "heads" in found:
            for head in read_heads(an_object(found, ("heads",), "")):
                if head.index <= last.index or not last.seq < head.seq <= self.manifest.last:
                    raise Altered("heads", "they are heads of receipts here, each beyond the one before")
                if self._standing is None or head.index >= self._standing.checkpoint.size:
                    raise Altered("heads", f"leaf {head.index} is not in the tree that pins this bundle")
                pinned |= self._leaf_is(head)
                last = head
            found = self._lines.read("heads")
        if not pinned and self._pinned and self._pinned.leaf.seq <= self.manifest.last:
            raise Altered("heads", "the leaf that pins this bundle is not among them")
        return found

    def _leaf_is(self, head: LoggedHead) -> bool:
        """Is it the head that pins the bundle. Raises Altered where it is that one at another place."""
        assert self._pinned is not None
        same = (head.seq == self._pinned.leaf.seq, head.index == self._pinned.proof.index)
        if any(same) and not all(same):
            raise Altered("heads", "the leaf that pins this bundle stands elsewhere")
        return all(same)

    @property
    def _pinned_to(self) -> int | None:
        """The last receipt here that the log pins."""
        return min(self._pinned.leaf.seq, self.manifest.last) if self._pinned else None

    # ------------------------------------------------------------ what is said about it
    def report(self, trust: Trust = NOTHING_KNOWN) -> Report:
        """The report, when there are no more batches."""
        if self._failed is not None:
            return self._failed
        verdict, says, signed = self._judged(trust)
        verdict, says, content, findings = (self._binder or Binder(())).settle(verdict, says, "bundle")
        return Report(
            kind="bundle",
            checked=(*self._checked(), *signed),
            coverage=self._coverage(),
            limits=(*self.manifest.limits, *ALWAYS),
            verdict=verdict,
            says=says,
            findings=findings,
            content=content,
            checkpoint=self._standing.signed if self._standing else None,
        )

    def _judged(self, trust: Trust) -> tuple[Verdict, str, tuple[str, ...]]:
        """The verdict, in a sentence, and what was found of who signed."""
        said, pinned_to = self.manifest, self._pinned_to
        these, one = span(said.first, said.last), said.first == said.last
        if trust.vault is not None and trust.vault != said.vault:
            return Verdict.UNKNOWN_KEY, f"This is a bundle of {said.vault}, not of {trust.vault}.", ()
        if self._standing is None:
            verdict = Verdict.CANT_CHECK if trust.logs or trust.policy else Verdict.NOT_CHECKED
            follow = "is a link of a chain" if one else "follow from one another"
            return verdict, f"{these} {follow}. {NOTHING_SIGNED}", ()
        verdict, why, signed = judge(self._standing, trust)
        if verdict is Verdict.NOT_CHECKED:
            return (
                verdict,
                f"{these} {'is' if one else 'are'} unaltered in {'itself' if one else 'themselves'}. {why}",
                signed,
            )
        if verdict is not Verdict.IN_LEDGER:
            return verdict, why, signed
        logged = said.last if pinned_to is None else pinned_to
        these, one = span(said.first, logged), said.first == logged
        says = f"{these} {'is' if one else 'are'} unaltered and {'is this line' if one else 'are these lines'} of "
        says += "this vault's ledger"
        if logged == said.last:
            return verdict, f"{says}.", signed
        follow = "follows from that and is" if logged + 1 == said.last else "follow from that and are"
        return verdict, f"{says}; {span(logged + 1, said.last).lower()} {follow} not in the log yet.", signed

    def _checked(self) -> tuple[str, ...]:
        said = self.manifest
        found = [
            f"{span(said.first, said.last)} of {said.vault}, each one: its members, its number, its time, and that its "
            "chain hash follows from the one before."
        ]
        if said.first == 1:
            found.append("That the chain begins with this vault's first receipt.")
        if self._pinned is not None:
            leaf, index = self._pinned.leaf, self._pinned.proof.index
            found.append(f"That the chain leads to receipt {leaf.seq}, whose hash is leaf {index} of the log.")
        if self._earlier:
            sizes = self._earlier
            earlier, lead = counted(len(sizes), "earlier checkpoint"), "lead" + "s" * (len(sizes) == 1)
            found.append(f"That {earlier}, from {counted(sizes[0], 'leaf', 'leaves')} on, {lead} to this one.")
        return tuple(found)

    def _coverage(self) -> tuple[str, ...]:
        said = self.manifest
        found = [f"{counted(self.kinds.total(), 'receipt')}, from {self._began} to {self._ended}."]
        if said.first > 1:
            bound = "is not in it; it is bound to it by its hash" if said.first == 2 else _NOT_IN_IT
            found.append(f"{span(1, said.first - 1)} {bound}.")
        if said.head[0] > said.last:
            found.append(f"The ledger had {said.head[0]} receipts; those after {said.last} are not in it.")
        if self._standing is not None:
            tree = self._standing.checkpoint
            found.append(
                f"The log {tree.origin} at {counted(tree.size, 'leaf', 'leaves')}, up to receipt {self._pinned_to}."
            )
        if self._erasures:
            say = "says" if len(self._erasures) == 1 else "say"
            found.append(f"{len(self._erasures)} of them {say} that something was erased.")
        return tuple(found)


class _AlteredReceipts(Exception):
    """Receipts that do not hold: a finding for each thing in each of them."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__(f"{len(findings)} findings")
        self.findings = findings


def _raise(problems: Sequence[Problem]) -> None:
    """Raises _AlteredReceipts for what does not hold, or Unreadable where a receipt is only of another version."""
    found = [problem for problem in problems if problem.what != "version"]
    if found:
        raise _AlteredReceipts([Finding(str(each.seq), _WHAT_FAILS[each.what]) for each in found[:MOST_FINDINGS]])
    if problems:
        raise Unreadable(f"Receipt {problems[0].seq} is of another version: check the bundle with a newer program.")


class _Lines:
    """The lines of a file, in whatever pieces they come. `digest` is that of the lines read as JSON so far."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._rest = iter(lines)
        self._back: list[bytes] = []
        self._hash = hashlib.sha256()

    @property
    def digest(self) -> bytes:
        return self._hash.digest()

    def read(self, where: str) -> Any:
        """The JSON of the next line. Raises Altered."""
        line = self._line()
        if not line:
            raise Altered(where, "the file ends before this line: it is cut off")
        if line.startswith(ROW_BEGINS):
            raise Altered(where, "a receipt stands where this line belongs")
        self._hash.update(line)
        return read_line(line, where)

    def receipts(self, most: int) -> list[bytes]:
        """The next lines as far as they are receipts', at most so many."""
        batch = self._pieces(most)
        if {row[-1] for row in batch} - {_NEWLINE}:
            self._back = batch + self._back
            batch = [line for _ in range(most) if (line := self._line())]
        if batch and not batch[-1].startswith(ROW_BEGINS):
            ends = next(at for at, row in enumerate(batch) if not row.startswith(ROW_BEGINS))
            self._back = batch[ends:] + self._back
            batch = batch[:ends]
        return batch

    def more(self) -> bool:
        """Is there anything left."""
        return any(self._pieces(1))

    def _pieces(self, most: int) -> list[bytes]:
        taken, self._back = self._back[:most], self._back[most:]
        return taken + list(islice(self._rest, most - len(taken)))

    def _line(self) -> bytes:
        """The next whole line; at the end of the file what there is. Raises Altered for one that is too long."""
        parts: list[bytes] = []
        size = 0
        while piece := self._pieces(1):
            parts += piece
            size += len(piece[0])
            if size > MOST_LINE_BYTES:
                raise Altered("file", f"a line is longer than {MOST_LINE_BYTES >> 20} MiB, which none of a bundle is")
            if piece[0].endswith(b"\n"):
                break
        return b"".join(parts)
