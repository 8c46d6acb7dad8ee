"""An erasure's certificate: what it says, in which bytes, and its file, which a stranger checks offline.

It names no value, no label and no person. Its SHA-256 is the commitment of the receipt `erasure.certified` of its
order; the file lays that receipt's own file beside it. docs/erasure-certificate.md has the members.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from .leaf import MOST_RECEIPTS
from .members import A_TIME, A_VAULT_ID, a_list, a_number, a_text, an_object, within
from .opening import Binder
from .pinned import Standing
from .receipt_file import RECEIPT_FILE, ReceiptFile, judge_receipt, receipt_checked, receipt_coverage
from .strict import counted
from .turn import jcs
from .verdict import Altered, Report, Trust, Unreadable, Verdict, altered, cant_check

CERTIFICATE = "muniment-erasure-certificate/2"
EARLIER = "muniment-erasure-certificate/1"  # before it said what is not yet overwritten
CERTIFICATE_FILE = "muniment-erasure-certificate-file/1"
CERTIFIED = "erasure.certified"
EARLIER_LIMITS = (
    "What somebody was handed before, they may still have: the receipts of this vault say who was.",
    "A backup opens what was erased until the horizon is over: by then the keys it would need are destroyed.",
    "What was made from a memory without saying so is not known to be, and was not followed.",
    "Free blocks of a disk, swap and memory images are the machine's: this says nothing of them.",
)
CERTIFICATE_LIMITS = (
    *EARLIER_LIMITS,
    "Labels, subjects, sources and reasons are not looked for: rows that held them are overwritten at night.",
    "A question in the chat that was answered without what was erased stays, whatever words it is in.",
)
NOT_OVERWRITTEN = "Rows that held words in clear, such as labels, and were not yet overwritten"
RECORDED = "It shows what the instance recorded of an erasure: that it did so, only looking for the words can show."

# Every place where a copy can be, in order; tests hold it against the instance's own list.
KNOWN_PLACES = (
    "access_grant",
    "access_request",
    "account_emailaddress",
    "account_emailconfirmation",
    "api_key",
    "auth_group",
    "auth_group_permissions",
    "auth_permission",
    "backed_up",
    "backups",
    "broker",
    "cache",
    "client",
    "delegation",
    "digest",
    "directory",
    "django_admin_log",
    "django_content_type",
    "django_session",
    "edge",
    "emergency",
    "entity",
    "erasure_order",
    "erasure_words",
    "grant_memory",
    "invitation",
    "legal_hold",
    "letter",
    "logs",
    "mail folder",
    "mail server",
    "mail_wishes",
    "member",
    "memory",
    "memory_version",
    "merge",
    "mfa_authenticator",
    "planner's samples",
    "proposal",
    "receipt",
    "reclaimed",
    "request_part",
    "review",
    "root key file",
    "root_epoch",
    "sealed.chain_head",
    "sealed.handle",
    "sealed.key",
    "sealed.search_candidate",
    "sealed.search_doc",
    "sealed.search_term",
    "sealed.ticket_key",
    "sealed.value",
    "share",
    "share_item",
    "share_link",
    "share_opening",
    "space",
    "space_policy",
    "space_settled",
    "step_told",
    "the instance's log",
    "tombstone",
    "turn",
    "turn_event",
    "turn_item",
    "user",
    "user_groups",
    "user_user_permissions",
    "usersessions_usersession",
    "value_print",
    "vault",
    "vault_key",
    "write-ahead log",
)

_CERTIFICATE_TEXTS = ("format", "vault", "order", "basis", "made_at", "done_at", "derived")
_OTHERS = ("coverage", "whole_vault", "counts", "residue", "limits")
_FOUND_NUMBERS = ("live", "unreclaimed", "plain", "files", "bytes_read", "unopened")
_CERTIFICATE_SHAPES = {
    "vault": A_VAULT_ID,
    "order": re.compile(r"ord_[0-9a-f]{32}", re.ASCII),
    "basis": re.compile(r"[a-z]+(-[a-z]+)*", re.ASCII),
    "made_at": A_TIME,
    "done_at": A_TIME,
    "derived": re.compile(r"erase|keep", re.ASCII),
    "result": re.compile(r"not-searched|clean|found|partly", re.ASCII),
    "place": re.compile(r"[a-z][a-z0-9_.' -]*", re.ASCII),
}


@dataclass(frozen=True, slots=True)
class Edition:
    """A format of the certificate: which of its members are numbers, and its limits, in sentences."""

    numbers: tuple[str, ...]
    limits: tuple[str, ...]

    @property
    def members(self) -> tuple[str, ...]:
        """The names of all its members."""
        return (*_CERTIFICATE_TEXTS, *self.numbers, *_OTHERS)


_COUNTS = ("memories", "kept", "still_held", "horizon_days")
EDITIONS = {
    EARLIER: Edition(_COUNTS, EARLIER_LIMITS),
    CERTIFICATE: Edition((*_COUNTS, "not_overwritten"), CERTIFICATE_LIMITS),
}


def certificate(said: Mapping[str, Any], edition: str = CERTIFICATE) -> bytes:
    """A certificate's bytes (RFC 8785) from its members but `format` and `limits`. An instance writes the newest."""
    return jcs({"format": edition, **said, "limits": list(EDITIONS[edition].limits)})


def commitment(of: bytes) -> str:
    """What the receipt is bound to, in hex."""
    return sha256(of).hexdigest()


@dataclass(frozen=True, slots=True)
class CertificateFile:
    """A certificate's file as parsed: the certificate's members, and the file of the receipt it is bound to."""

    said: Mapping[str, Any]
    receipt: ReceiptFile

    @classmethod
    def read(cls, found: dict[str, Any]) -> "CertificateFile":
        """Read the JSON object, whose `format` is CERTIFICATE_FILE. Raises Altered, or Unreadable for newer parts."""
        an_object(found, ("format", "certificate", "receipt"), "")
        _of_format(found["receipt"], (RECEIPT_FILE,), "receipt")
        try:
            receipt = ReceiptFile.read(found["receipt"])
        except Altered as problem:
            raise _in_the_receipt(problem) from None
        _of_format(found["certificate"], tuple(EDITIONS), "certificate")
        return cls(_read_certificate(found["certificate"], "certificate"), receipt)

    def check(self) -> Standing | None:
        """Does the receipt's file hold, and is its receipt of exactly this certificate. Returns the checkpoint, None
        where there is none. Raises Altered.
        """
        try:
            standing = self.receipt.check()
        except Altered as problem:
            raise _in_the_receipt(problem) from None
        receipt = self.receipt.receipt
        if receipt["kind"] != CERTIFIED:
            raise Altered("receipt.receipt.kind", f"a certificate is bound to a receipt of the kind {CERTIFIED}")
        if receipt["vault"] != self.said["vault"]:
            raise Altered("certificate.vault", "the receipt is of another vault's ledger")
        if receipt["object"] != self.said["order"]:
            raise Altered("certificate.order", "the receipt is of another order")
        if receipt["commitment"] != commitment(jcs(dict(self.said))):
            raise Altered("certificate", "it is not what the receipt is bound to: one of its members was changed")
        return standing


def verify_certificate_file(found: dict[str, Any], trust: Trust, openings: Sequence[bytes] = ()) -> Report:
    """Check a certificate's file, given as its JSON object. No opening belongs to one. Raises nothing."""
    try:
        file = CertificateFile.read(found)
        standing = file.check()
    except Altered as problem:
        says = "This certificate, or what shows it to be in the ledger, was altered."
        return altered("certificate", says, problem.finding)
    except Unreadable as problem:
        return cant_check("certificate", str(problem))
    judged = judge_receipt(file.receipt, standing, trust)
    says = f"This certificate is unaltered, and line {file.receipt.seq} of this vault's ledger is bound to it."
    if judged.verdict is Verdict.NOT_CHECKED:
        says = f"This certificate is unaltered in itself. {judged.why}"
    elif judged.verdict is not Verdict.IN_LEDGER:
        says = judged.why
    binder = Binder(openings)
    binder.see(file.receipt.receipt)
    verdict, says, content, findings = binder.settle(judged.verdict, says, "certificate")
    members = len(EDITIONS[file.said["format"]].members)
    bound = f"The certificate of {file.said['order']}: its {members} members, and that the receipt is of them."
    return Report(
        kind="certificate",
        checked=(bound, *receipt_checked(file.receipt), *judged.checked),
        coverage=(*_certified(file.said), *receipt_coverage(file.receipt, standing)),
        limits=(RECORDED, *file.said["limits"], *file.receipt.limits),
        verdict=verdict,
        says=says,
        findings=findings,
        content=content,
        checkpoint=standing.signed if standing else None,
    )


def _certified(said: Mapping[str, Any]) -> tuple[str, ...]:
    """What it says, in sentences: first how far it reaches."""
    covered, whole = said["coverage"], " The whole vault." if said["whole_vault"] else ""
    left_out = [each for each in KNOWN_PLACES if each not in covered]
    unknown = [each for each in covered if each not in KNOWN_PLACES]
    told = [f"It says of {counted(len(covered), 'place')} where a copy can be what becomes of it there."]
    if left_out:
        told.append(f"It leaves out {counted(len(left_out), 'place')} that this program knows: {', '.join(left_out)}.")
    if unknown:
        told.append(f"It names {counted(len(unknown), 'place')} that this program does not know: {', '.join(unknown)}.")
    memories = counted(said["memories"], "memory", "memories")
    rows = ", ".join(f"{place} {count}" for place, count in sorted(said["counts"].items())) or "none"
    with_it = " What was known to be made from it went with it." if said["derived"] == "erase" else ""
    return (
        *told,
        f"{memories}, ordered {said['made_at']}, done {said['done_at']}, basis {said['basis']}.{whole}",
        f"Rows that went: {rows}.",
        f"Made from it and kept: {said['kept']}. Other memories that say the same: {said['still_held']}.{with_it}",
        *_searched(said),
        f"Backups open it for {counted(said['horizon_days'], 'day')} more at most.",
    )


def _searched(said: Mapping[str, Any]) -> Iterator[str]:
    residue = said["residue"]
    if residue["result"] == "not-searched":
        yield "Its words were not looked for on the disks."
    else:
        yield (
            f"Its words were looked for in {counted(residue['files'], 'file')}, {residue['bytes_read']} bytes: "
            f"{residue['live']} live, {residue['unreclaimed']} unreclaimed, {residue['plain']} plain; "
            f"{counted(residue['unopened'], 'place')} could not be opened."
        )
    if "not_overwritten" in said:
        yield f"{NOT_OVERWRITTEN}: {said['not_overwritten']}."


def _in_the_receipt(problem: Altered) -> Altered:
    return Altered(within("receipt", problem.finding.where), problem.finding.what)


def _of_format(found: Any, names: tuple[str, ...], where: str) -> None:
    """A part of the file is of a format that belongs there; a newer one is for a newer program."""
    if type(found) is not dict:
        raise Altered(where, "this must be a JSON object")
    if "format" not in found:
        raise Altered(within(where, "format"), "this member is missing")
    said = a_text(found["format"], within(where, "format"))
    if said in names:
        return
    if said.startswith(names[-1].rpartition("/")[0] + "/"):
        raise Unreadable(f"Its {where} is of another format than {names[-1]}: check it with a newer program.")
    raise Altered(within(where, "format"), f"a {where} here is of the format {names[-1]}")


def _read_certificate(found: dict[str, Any], where: str) -> dict[str, Any]:
    edition = EDITIONS[found["format"]]
    said = an_object(found, edition.members, where)
    for name in _CERTIFICATE_TEXTS[1:]:
        _shaped(said[name], name, within(where, name))
    for name in edition.numbers:
        a_number(said[name], within(where, name), MOST_RECEIPTS)
    if type(said["whole_vault"]) is not bool:
        raise Altered(within(where, "whole_vault"), "this must be true or false")
    _read_places(said["coverage"], within(where, "coverage"))
    _read_counts(said["counts"], within(where, "counts"))
    residue = an_object(said["residue"], ("result", *_FOUND_NUMBERS), within(where, "residue"))
    _shaped(residue["result"], "result", within(where, "residue.result"))
    for name in _FOUND_NUMBERS:
        a_number(residue[name], within(where, f"residue.{name}"), MOST_RECEIPTS)
    if a_list(said["limits"], within(where, "limits")) != list(edition.limits):
        raise Altered(within(where, "limits"), "these are not the sentences that belong to a certificate")
    return said


def _read_places(found: Any, where: str) -> None:
    places = a_list(found, where)
    for at, place in enumerate(places):
        _shaped(place, "place", f"{where}[{at}]")
    if places != sorted(set(places)):
        raise Altered(where, "each place stands in it once, in order")


def _read_counts(found: Any, where: str) -> None:
    if type(found) is not dict:
        raise Altered(where, "this must be a JSON object")
    for name, count in found.items():
        place = within(where, name[:40])
        _shaped(name, "place", place)
        a_number(count, place, MOST_RECEIPTS)


def _shaped(found: Any, shape: str, where: str) -> None:
    if not _CERTIFICATE_SHAPES[shape].fullmatch(a_text(found, where)):
        raise Altered(where, "this is not written as it is in any certificate")
