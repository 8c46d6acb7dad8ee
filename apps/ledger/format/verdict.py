"""What a check says: its verdict, and before it what was checked, how far it reaches and what it leaves out.

Every file that Muniment gives out is answered with one `Report`, on every surface and in every language it is checked
in. A report never says that something is certified, or simply verified: it names what was looked at.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from .keys import VerifierKey
from .policy import Policy

CONTENT_NOT_CHECKED = "content NOT checked"
ALWAYS = (
    "It does not say that the memory is true, nor what the assistant did with it afterwards.",
    "It does not include the memory itself.",
)


class Verdict(StrEnum):
    """The answers: the five to a receipt or a bundle, best first, and three that only other files or a value get."""

    IN_LEDGER = "intact-in-ledger"  # unaltered, and signed for by a key that the caller already had
    NOT_CHECKED = "intact-ledger-not-checked"  # unaltered in itself: nothing shows whose ledger it is in
    ALTERED = "altered"  # a finding names the member, or the number of the receipt
    UNKNOWN_KEY = "unknown-key"  # not of this vault, not by the given keys, or not what the given policy asks for
    CANT_CHECK = "cant-check"  # too new or too old, a key is missing, no file of Muniment: neither a fail nor a pass
    EVENTS_NOT_CHECKED = "events-not-checked"  # a conversation without its keys: of it the receipts hold, no more
    FORKED = "forked"  # a proof that holds: the log's key signed two histories
    OTHER_VALUE = "other-value"  # the file holds, and the value that was added is not what it is about

    @property
    def heading(self) -> str:
        """The verdict in words, as a heading."""
        return _HEADINGS[self]

    @property
    def exit_code(self) -> int:
        """0 for what is intact, 1 for what is not, not theirs or forked, 2 for what could not be checked."""
        return {**dict.fromkeys(_HOLDS, 0), Verdict.CANT_CHECK: 2}.get(self, 1)


_HOLDS = (Verdict.IN_LEDGER, Verdict.NOT_CHECKED, Verdict.EVENTS_NOT_CHECKED)
_HEADINGS = {
    Verdict.IN_LEDGER: "Intact and in the ledger",
    Verdict.NOT_CHECKED: "Intact, ledger not checked",
    Verdict.ALTERED: "Altered",
    Verdict.UNKNOWN_KEY: "Not from this vault, or an unknown key",
    Verdict.CANT_CHECK: "Can't check",
    Verdict.EVENTS_NOT_CHECKED: "Receipts intact, events not checked",
    Verdict.FORKED: "This log has forked",
    Verdict.OTHER_VALUE: "Another value",
}


@dataclass(frozen=True, slots=True)
class Trust:
    """What the caller knew before the file came: keys of the log, a policy (C2SP tlog-policy), whose ledger it is.

    `vault` is `vlt_` and 32 hex digits. With neither keys nor a policy's logs the keys in the file itself are used:
    everything is checked, and the verdict is at most `NOT_CHECKED`.
    """

    keys: tuple[VerifierKey, ...] = ()
    policy: Policy | None = None
    vault: str | None = None

    @property
    def logs(self) -> tuple[VerifierKey, ...]:
        """The keys of logs that are believed: the given ones and the policy's."""
        return (*self.keys, *(party.key for party in (self.policy.logs if self.policy else ())))


NOTHING_KNOWN = Trust()


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that does not hold. `where`: a member (`leaf.tag`), a place in one (`segment[3]`), a seq (`412`)."""

    where: str
    what: str


class Altered(Exception):
    """A file of ours that is not as we write it. Bears the finding."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(f"{where}: {what}")
        self.finding = Finding(where, what)


class Unreadable(Exception):
    """A file that this program can not check, though another may: the sentence says why and what to do."""


@dataclass(frozen=True, slots=True)
class Report:
    """The answer to one file. `kind` is receipt, bundle, conversation, certificate, fork or unknown.

    `checked`, `coverage` and `limits` are sentences: what was looked at, how far it reaches, what it does not show.
    `content` says whether a value was bound to it. `checkpoint` is the signed note whose signatures held, if any.
    """

    kind: str
    checked: tuple[str, ...]
    coverage: tuple[str, ...]
    limits: tuple[str, ...]
    verdict: Verdict
    says: str
    findings: tuple[Finding, ...] = ()
    content: str = CONTENT_NOT_CHECKED
    checkpoint: bytes | None = None

    @property
    def exit_code(self) -> int:
        """0, 1 or 2, as of the verdict."""
        return self.verdict.exit_code

    def to_json(self) -> dict[str, object]:
        """The report as JSON-ready members, in the order they are to be read."""
        return {
            "kind": self.kind,
            "checked": list(self.checked),
            "coverage": list(self.coverage),
            "limits": list(self.limits),
            "content": self.content,
            "verdict": self.verdict.value,
            "heading": self.verdict.heading,
            "says": self.says,
            "findings": [{"where": each.where, "what": each.what} for each in self.findings],
            "checkpoint": None if self.checkpoint is None else self.checkpoint.decode(),
            "exit_code": self.exit_code,
        }

    def lines(self) -> list[str]:
        """The report as text, the verdict last: nobody reads it without its limits."""
        parts: list[tuple[str, Sequence[str]]] = [
            ("What was checked", self.checked or ("Nothing.",)),
            ("How far it reaches", self.coverage or ("Nowhere.",)),
            ("What it does not show", self.limits),
            ("Content", (self.content,)),
        ]
        made = [line for title, told in parts if told for line in (f"{title}:", *(f"  {each}" for each in told))]
        made += [f"Verdict: {self.verdict.heading}.", f"  {self.says}"]
        made += [f"  {each.where}: {each.what}" for each in self.findings]
        return [_shown(line) for line in made]


def _shown(line: str) -> str:
    """A line for a terminal: what a file would do to it beyond printing letters is written out."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in line)


def cant_check(kind: str, why: str) -> Report:
    """The report on a file that was not checked; `why` says what to do about it."""
    return Report(kind, (), (), (), Verdict.CANT_CHECK, why)


def altered(kind: str, says: str, *findings: Finding) -> Report:
    """The report on a file in which something does not hold: nothing in it is to be relied on."""
    return Report(kind, (), (), (), Verdict.ALTERED, says, findings)
