"""A receipt as a file that is checked alone: what it says, its place in its vault's chain, and that the log holds that.

The members are in docs/transparency-log.md. Who builds one takes them from here, so that both sides mean the same.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .encoding import FIELDS, VERSION, digest_of, genesis, next_hash
from .leaf import MOST_RECEIPTS, hyphenated
from .members import A_MEMORY_ID, A_TIME, A_VAULT_ID, a_hex, a_list, a_number, a_text, an_object
from .opening import Binder
from .pinned import PINNED_MEMBERS, Judged, Pinned, Standing, judge
from .strict import counted
from .verdict import (
    ALWAYS,
    Altered,
    Report,
    Trust,
    Unreadable,
    Verdict,
    altered,
    cant_check,
)

RECEIPT_FILE = "muniment-receipt-file/1"
NOT_YET = "not yet in the log"
LIMITS = (
    "It shows what was recorded, and that the record was not changed after its checkpoint was signed.",
    "It does not show that the recipient used the value, or received it: the receipt is written first.",
    "It does not show that no value left by another road: whoever has both the database and the root key reads "
    "without a receipt.",
    "Its time is the clock of the instance's database.",
    "The value is not in it and is not checked by it.",
)
NO_WITNESS = (
    "No witness has cosigned this checkpoint: whoever holds the log's key could show another history to somebody else."
)
UNPINNED = "The log does not hold it yet: until it does, its instance could still write another in its place."

_MEMBERS = ("format", "receipt", "digest", "chain_hash", "previous_chain_hash", "limits")
_ANYTHING = re.compile(r".*", re.DOTALL)
_SHAPES = {
    "commitment": re.compile(r"-|[0-9a-f]{64}", re.ASCII),
    "memory": re.compile(rf"-|{A_MEMORY_ID.pattern}", re.ASCII),
    "salt": re.compile(r"[0-9a-f]{32}", re.ASCII),
    "time": A_TIME,
    "vault": A_VAULT_ID,
}


@dataclass(frozen=True, slots=True)
class ReceiptFile:
    """A receipt's file as parsed or to be written. `pinned` is None until the log holds the receipt."""

    receipt: Mapping[str, str | int]
    digest: bytes
    chain_hash: bytes
    previous_chain_hash: bytes
    pinned: Pinned | None
    limits: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The members, JSON-ready."""
        return {
            "format": RECEIPT_FILE,
            "receipt": dict(self.receipt),
            "digest": self.digest.hex(),
            "chain_hash": self.chain_hash.hex(),
            "previous_chain_hash": self.previous_chain_hash.hex(),
            **(self.pinned.to_json() if self.pinned else {"log": NOT_YET}),
            "limits": list(self.limits),
        }

    @classmethod
    def read(cls, found: dict[str, Any]) -> "ReceiptFile":
        """Read the JSON object, whose `format` is RECEIPT_FILE. Raises Altered, or Unreadable for a newer receipt."""
        waiting = "log" in found
        an_object(found, (*_MEMBERS, *(("log",) if waiting else PINNED_MEMBERS)), "")
        if waiting and found["log"] != NOT_YET:
            raise Altered("log", f"this says nothing but: {NOT_YET}")
        receipt = _read_receipt(found["receipt"])
        digest, chain_hash, previous = (
            a_hex(found[name], name) for name in ("digest", "chain_hash", "previous_chain_hash")
        )
        pinned = None if waiting else Pinned.read(found)
        limits = tuple(a_text(each, f"limits[{at}]") for at, each in enumerate(a_list(found["limits"], "limits")))
        return cls(receipt, digest, chain_hash, previous, pinned, limits)

    @property
    def seq(self) -> int:
        """The receipt's number."""
        return int(self.receipt["seq"])

    @property
    def vault(self) -> str:
        """The vault's hyphenated UUID."""
        return hyphenated(str(self.receipt["vault"]))

    def check(self) -> Standing | None:
        """Does everything in it hold together. Returns the checkpoint, None where there is none. Raises Altered."""
        _check_link(self.receipt, self.digest, self.previous_chain_hash, self.chain_hash)
        if self.seq == 1 and self.previous_chain_hash != genesis(self.vault):
            raise Altered("previous_chain_hash", "before number 1 stands the vault's genesis")
        standing = None
        if self.pinned is not None:
            standing = self.pinned.signed()
            self.pinned.hold(standing.checkpoint, self.vault, self.seq, self.chain_hash)
        limits = limits_of(self.pinned is not None, standing is not None and standing.cosigned)
        if self.limits != limits:
            raise Altered("limits", "these are not the sentences that belong to such a file")
        return standing


def limits_of(pinned: bool, cosigned: bool) -> tuple[str, ...]:
    """What such a file does not show. There is no choice in it: nothing stands in a file that nobody vouches for."""
    if not pinned:
        return (*LIMITS, UNPINNED)
    return LIMITS if cosigned else (*LIMITS, NO_WITNESS)


def verify_receipt_file(found: dict[str, Any], trust: Trust, openings: Sequence[bytes] = ()) -> Report:
    """Check a receipt's file, given as its JSON object. Raises nothing."""
    try:
        file = ReceiptFile.read(found)
        standing = file.check()
    except Altered as problem:
        return altered("receipt", "This receipt, or what shows it to be in the ledger, was altered.", problem.finding)
    except Unreadable as problem:
        return cant_check("receipt", str(problem))
    judged = judge_receipt(file, standing, trust)
    says = f"This receipt is unaltered and is line {file.seq} of this vault's ledger."
    if judged.verdict is Verdict.NOT_CHECKED:
        says = f"This receipt is unaltered in itself. {judged.why}"
    elif judged.verdict is not Verdict.IN_LEDGER:
        says = judged.why
    binder = Binder(openings)
    binder.see(file.receipt)
    verdict, says, content, findings = binder.settle(judged.verdict, says, "receipt")
    return Report(
        kind="receipt",
        checked=(*receipt_checked(file), *judged.checked),
        coverage=receipt_coverage(file, standing),
        limits=(*file.limits, *ALWAYS),
        verdict=verdict,
        says=says,
        findings=findings,
        content=content,
        checkpoint=standing.signed if standing else None,
    )


def judge_receipt(file: ReceiptFile, standing: Standing | None, trust: Trust) -> Judged:
    """What a receipt that holds is worth to somebody who knew this much."""
    whose = file.receipt["vault"]
    if trust.vault is not None and trust.vault != whose:
        return Judged(Verdict.UNKNOWN_KEY, f"This is a receipt of {whose}, not of {trust.vault}.", ())
    if standing is not None:
        return judge(standing, trust)
    if trust.logs or trust.keys or trust.policy:
        return Judged(Verdict.CANT_CHECK, NOTHING_SIGNED, ())
    return Judged(Verdict.NOT_CHECKED, NOTHING_SIGNED, ())


NOTHING_SIGNED = (
    "It was taken before the log held it, so nothing in it is signed, and anybody could have made it. "
    "Take the file again: a receipt is in the log a few seconds after it was written."
)


def receipt_checked(file: ReceiptFile) -> tuple[str, ...]:
    """What was checked of a receipt that holds, in sentences."""
    link = (
        f"Receipt {file.seq} of {file.receipt['vault']}: its {len(FIELDS)} members, their digest, and its link to the "
        "one before."
    )
    if file.pinned is None:
        return (link,)
    return (link, f"Its chain on to receipt {file.pinned.leaf.seq}, whose hash is leaf {file.pinned.proof.index}.")


def receipt_coverage(file: ReceiptFile, standing: Standing | None) -> tuple[str, ...]:
    """How far such a file reaches, in sentences."""
    if standing is None:
        return ("This one receipt, by itself.",)
    leaves = counted(standing.checkpoint.size, "leaf", "leaves")
    return (
        f"This one receipt, in the log {standing.checkpoint.origin} at {leaves}.",
        "The receipts before it and after it are bound to it by their hashes; what they say is not in the file.",
    )


def _read_receipt(found: Any) -> dict[str, str | int]:
    receipt = an_object(found, FIELDS, "receipt")
    for name in FIELDS:
        where = f"receipt.{name}"
        if name in ("seq", "version"):
            a_number(receipt[name], where, MOST_RECEIPTS)
        elif not _SHAPES.get(name, _ANYTHING).fullmatch(a_text(receipt[name], where)):
            raise Altered(where, "this is not written as it is in any receipt")
    if receipt["seq"] == 0:
        raise Altered("receipt.seq", "the first receipt is number 1")
    return receipt


def _check_link(receipt: Mapping[str, str | int], digest: bytes, previous: bytes, chain_hash: bytes) -> None:
    """The digest is of the receipt, the chain hash of what stood before and the digest. Says which of them is off."""
    made = digest_of(receipt)
    if made == digest and next_hash(previous, digest) == chain_hash:
        if receipt["v"] != VERSION:
            raise Unreadable(f"The receipt is of another version than {VERSION}: check it with a newer program.")
        return
    if made == digest:
        raise Altered("chain_hash", "it does not follow from the chain hash before and the digest")
    if next_hash(previous, made) == chain_hash:
        raise Altered("digest", "it is not the digest of the receipt, whose place in the chain holds")
    raise Altered("receipt", "its digest is another: one of its members was changed")
