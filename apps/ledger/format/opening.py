"""A value, added by whoever holds it, so that a receipt can be seen to be about it and no other.

    {"format": "muniment-opening/1", "vault": "vlt_…", "memory": "mem_…", "version": 1, "category": "ordinary",
     "attested": false, "key": "<64 hex>", "value": "…"}

`key` opens the commitments of this one version (docs/receipt-format.md §7); it opens no seal.

Or the words that came with an order of erasure, such as the number of a request, with the salt that binds them and the
order's basis to its receipt `erasure.ordered`:

    {"format": "muniment-order-opening/1", "vault": "vlt_…", "order": "ord_…", "basis": "wish", "words": "…",
     "salt": "<64 hex>"}
"""

import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from .encoding import read
from .leaf import MOST_RECEIPTS, hyphenated
from .members import A_MEMORY_ID, A_VAULT_ID, a_hex, a_number, a_text, an_object, strict_json
from .strict import Malformed
from .verdict import CONTENT_NOT_CHECKED, Altered, Finding, Verdict

OPENING, ORDER_OPENING = "muniment-opening/1", "muniment-order-opening/1"
ORDERED = "erasure.ordered"
MOST_OPENING_BYTES = 1 << 20
GIVE_AN_OPENING = (
    f"Give the file of one value, as its holder made it, of the format {OPENING}; where an answer holds several, one "
    "object of its list `openings`, in a file of its own."
)
_OPENING_MEMBERS = ("format", "vault", "memory", "version", "category", "attested", "key", "value")
_OPENING_SHAPES = {
    "vault": A_VAULT_ID,
    "memory": A_MEMORY_ID,
    "category": re.compile(r"[a-z]+(-[a-z]+)*", re.ASCII),
}
_ORDER_MEMBERS = ("format", "vault", "order", "basis", "words", "salt")
_ORDER_SHAPES = {
    "vault": A_VAULT_ID,
    "order": re.compile(r"ord_[0-9a-f]{32}", re.ASCII),
    "basis": re.compile(r"[a-z]+(-[a-z]+)*", re.ASCII),
}


class Opens(Protocol):
    """What can be laid beside receipts: what it is called, what it was committed to as, which receipts are of it."""

    @property
    def named(self) -> str: ...

    @property
    def lost(self) -> str: ...

    @property
    def commitment(self) -> str: ...

    def opens(self, receipt: Mapping[str, str | int]) -> bool: ...


@dataclass(frozen=True, slots=True)
class Opening:
    """One version of one memory, with its value and the key of its commitments. Its text form shows neither."""

    vault: str
    memory: str
    version: int
    category: str
    attested: bool
    key: bytes = field(repr=False)
    value: str = field(repr=False)

    @classmethod
    def parse(cls, data: bytes) -> "Opening":
        """Read an opening's file. Raises Altered."""
        return cls.from_json(_json(data))

    @classmethod
    def from_json(cls, said: Any) -> "Opening":
        """The same from what is read of its JSON. Raises Altered."""
        found = _members(said, OPENING, _OPENING_MEMBERS, _OPENING_SHAPES)
        if type(found["attested"]) is not bool:
            raise Altered("attested", "this must be true or false")
        return cls(
            found["vault"],
            found["memory"],
            a_number(found["version"], "version", MOST_RECEIPTS),
            found["category"],
            found["attested"],
            a_hex(found["key"], "key"),
            a_text(found["value"], "value"),
        )

    def to_json(self) -> dict[str, str | int]:
        """The members, JSON-ready."""
        members = {name: getattr(self, name) for name in _OPENING_MEMBERS[1:]}
        return {"format": OPENING, **members, "key": self.key.hex()}

    def to_bytes(self) -> bytes:
        """The file: JSON, indented for people."""
        return json.dumps(self.to_json(), indent=1, ensure_ascii=False).encode() + b"\n"

    @property
    def named(self) -> str:
        """What is said to have been committed to."""
        return f"{self.memory}, version {self.version}, with the value you added,"

    @property
    def lost(self) -> str:
        """What is said where no receipt is of it."""
        return "no receipt in this file is of this value: value, key or memory is another"

    @property
    def commitment(self) -> str:
        """What a receipt of this value carries, in hex."""
        vault, memory = hyphenated(self.vault), hyphenated(self.memory)
        attested = "true" if self.attested else "false"
        about = f"muniment-value/1 {vault} {memory} {self.version} {self.category} {attested}\n"
        return hmac.digest(self.key, about.encode() + self.value.encode(), hashlib.sha256).hex()

    def opens(self, receipt: Mapping[str, str | int]) -> bool:
        """Is this receipt (its nineteen members) of this value."""
        said = (receipt["vault"], receipt["memory"], receipt["version"], receipt["category"])
        about = (self.vault, self.memory, self.version, self.category)
        return said == about and hmac.compare_digest(str(receipt["commitment"]), self.commitment)


@dataclass(frozen=True, slots=True)
class OrderOpening:
    """The words that came with an order of erasure, and the salt that binds them. Its text form shows neither."""

    vault: str
    order: str
    basis: str
    words: str = field(repr=False)
    salt: bytes = field(repr=False)

    @classmethod
    def from_json(cls, said: Any) -> "OrderOpening":
        """Such a file, from what is read of its JSON. Raises Altered."""
        found = _members(said, ORDER_OPENING, _ORDER_MEMBERS, _ORDER_SHAPES)
        words, salt = a_text(found["words"], "words"), a_hex(found["salt"], "salt")
        return cls(found["vault"], found["order"], found["basis"], words, salt)

    def to_json(self) -> dict[str, str]:
        """The members, JSON-ready."""
        members = {name: getattr(self, name) for name in _ORDER_MEMBERS[1:]}
        return {"format": ORDER_OPENING, **members, "salt": self.salt.hex()}

    @property
    def named(self) -> str:
        """What is said to have been committed to."""
        return f"{self.order}, with the basis and the words you added,"

    @property
    def lost(self) -> str:
        """What is said where no receipt is of it."""
        return "no receipt in this file is of these words: words, salt, basis or order is another"

    @property
    def commitment(self) -> str:
        """What the order's receipt carries, in hex."""
        return commitment_of_order(self.salt, self.basis, self.words)

    def opens(self, receipt: Mapping[str, str | int]) -> bool:
        """Is this receipt (its nineteen members) of this order."""
        said = (receipt["kind"], receipt["vault"], receipt["object"])
        about = (ORDERED, self.vault, self.order)
        return said == about and hmac.compare_digest(str(receipt["commitment"]), self.commitment)


def commitment_of_order(salt: bytes, basis: str, words: str) -> str:
    """HMAC-SHA256 under the salt of the basis and, on the next line, the words that came with an order, in hex."""
    return hmac.digest(salt, f"{basis}\n{words}".encode(), hashlib.sha256).hex()


def _json(data: bytes) -> Any:
    if len(data) > MOST_OPENING_BYTES:
        raise Altered("", f"an opening is at most {MOST_OPENING_BYTES} bytes")
    try:
        return strict_json(data)
    except Malformed as problem:
        raise Altered("", str(problem)) from None


def _members(read: Any, name: str, members: tuple[str, ...], shapes: Mapping[str, re.Pattern[str]]) -> dict[str, Any]:
    found = an_object(read, members, "")
    if found["format"] != name:
        raise Altered("format", f"an opening is of the format {name}")
    for each, shape in shapes.items():
        if not shape.fullmatch(a_text(found[each], each)):
            raise Altered(each, "this is not written as it is in a receipt")
    return found


def parse_opening(data: bytes) -> Opens:
    """Read either kind of opening. Raises Altered."""
    found = _json(data)
    of_order = type(found) is dict and found.get("format") == ORDER_OPENING
    return OrderOpening.from_json(found) if of_order else Opening.from_json(found)


@dataclass(frozen=True, slots=True)
class Bound:
    """The earliest receipt of a value: by then, at the latest, it was committed to."""

    seq: int
    time: str


def bind_content(opening: Opens, receipts: Iterable[Mapping[str, str | int]]) -> Bound | None:
    """The earliest of these receipts that is of this value; None where none is.

    A later one says nothing about when the value was there: it repeats what the first had fixed.
    """
    found = [receipt for receipt in receipts if opening.opens(receipt)]
    first = min(found, key=lambda receipt: int(receipt["seq"]), default=None)
    return Bound(int(first["seq"]), str(first["time"])) if first else None


class Binder:
    """Openings, laid beside the receipts of a file as they are read: see each receipt, then ask what was found."""

    def __init__(self, openings: Sequence[bytes]) -> None:
        self._openings: dict[int, Opens] = {}
        self._broken: dict[int, Finding] = {}
        self._bound: dict[int, Bound] = {}
        for at, data in enumerate(openings):
            try:
                self._openings[at] = parse_opening(data)
            except Altered as problem:
                place = f"opening[{at}]" + (f".{problem.finding.where}" if problem.finding.where else "")
                self._broken[at] = Finding(place, problem.finding.what)
        self._sought = [opening.commitment.encode() for opening in self._openings.values()]

    def look(self, text: bytes) -> None:
        """See a receipt by its canonical bytes, which hold; they are read only where a commitment stands in them."""
        if self._sought and any(sought in text for sought in self._sought):
            self.see(read(text))

    def see(self, receipt: Mapping[str, str | int]) -> None:
        """See a receipt by its nineteen members."""
        for at, opening in self._openings.items():
            found = bind_content(opening, [receipt])
            if found and (at not in self._bound or found.seq < self._bound[at].seq):
                self._bound[at] = found

    def settle(self, verdict: Verdict, says: str, kind: str) -> tuple[Verdict, str, str, tuple[Finding, ...]]:
        """Verdict, sentence, content and findings of a file that by itself has this verdict; it is a `kind`.

        A file that does not hold is about nothing: there the openings say no more.
        """
        if verdict.exit_code:
            return verdict, says, CONTENT_NOT_CHECKED, ()
        if self._lost:
            other = (
                f"The {kind} holds; the value you added is not {'the one' if kind == 'receipt' else 'one'} it is about."
            )
            return Verdict.OTHER_VALUE, other, CONTENT_NOT_CHECKED, self.findings
        if self._broken:
            return (
                Verdict.CANT_CHECK,
                f"The {kind} holds; what you added is no opening. {GIVE_AN_OPENING}",
                CONTENT_NOT_CHECKED,
                self.findings,
            )
        return verdict, says, self.content, ()

    @property
    def content(self) -> str:
        """What stands beside the verdict: what was bound, and since when; that nothing was, where nothing was given."""
        if not self._openings or self.findings:
            return CONTENT_NOT_CHECKED
        told = (self._told(self._openings[at], bound) for at, bound in sorted(self._bound.items()))
        return f"content checked: {'; '.join(told)}"

    @staticmethod
    def _told(opening: Opens, bound: Bound) -> str:
        return f"{opening.named} was committed to at the latest by receipt {bound.seq}, at {bound.time}"

    @property
    def findings(self) -> tuple[Finding, ...]:
        """A finding for each opening that could not be read, or that no receipt here is of."""
        return tuple(finding for _, finding in sorted((self._broken | self._lost).items()))

    @property
    def _lost(self) -> dict[int, Finding]:
        lost = {at: each for at, each in self._openings.items() if at not in self._bound}
        return {at: Finding(f"opening[{at}]", each.lost) for at, each in lost.items()}
