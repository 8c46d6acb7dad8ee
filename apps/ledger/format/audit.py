"""An erasure audit: is anything left of what was erased, as far as records tell. Coverage is told before a verdict.

Two look: the instance at its rows, and whoever has a bundle at its receipts (`audit_bundle`). What they could not see
is never taken for nothing: then the verdict is `unaudited`, which is no pass.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from .bundle import BundleReading
from .encoding import line_of, read
from .strict import counted
from .verdict import NOTHING_KNOWN, Finding, Trust

MOST_TOLD = 100  # findings; how many more there are is said
ERASED, ORDERED, WHOLE = "memory.erased", "erasure.ordered", "vault.erased"
_CERTIFIED_KIND = "erasure.certified"
_HANDED = ("value.read", "value.shown", "value.indexed", "value.opened", "value.viewed")
_MAKERS, _ORDER = ("cli_", "lnk_"), "ord_"  # who may be handed something and make a suggestion of it
_IN_HAND = timedelta(hours=1)  # an order that is not certified by then was left


class Found(StrEnum):
    """What an audit comes to."""

    CLEAN = "clean"
    FINDINGS = "findings"
    UNAUDITED = "unaudited"

    @property
    def exit_code(self) -> int:
        """0 for clean, 1 for findings, 2 for what could not be audited."""
        return list(Found).index(self)


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit says: sentences on how far it reaches, what is left of something erased, and what nobody can tell.

    A finding's `where` is an id, or a receipt's number.
    """

    coverage: tuple[str, ...]
    findings: tuple[Finding, ...] = ()
    unaudited: tuple[str, ...] = ()

    @property
    def verdict(self) -> Found:
        """`findings` before all; `clean` only where everything could be looked at."""
        if self.findings:
            return Found.FINDINGS
        return Found.UNAUDITED if self.unaudited else Found.CLEAN

    def to_json(self) -> dict[str, Any]:
        """JSON-ready members, in the order they are to be read; of the findings MOST_TOLD."""
        return {
            "coverage": list(self.coverage),
            "unaudited": list(self.unaudited),
            "findings": [{"where": each.where, "what": each.what} for each in self.findings[:MOST_TOLD]],
            "findings_in_all": len(self.findings),
            "verdict": self.verdict.value,
            "exit_code": self.verdict.exit_code,
        }

    def lines(self) -> list[str]:
        """As text: how far it reaches, what nobody can tell, what was found, and the verdict last."""
        made = ["How far it reaches:", *(f"  {each}" for each in self.coverage)]
        if self.unaudited:
            made += ["What it cannot tell:", *(f"  {each}" for each in self.unaudited)]
        if self.findings:
            made += ["Found:", *(f"  {each.where}: {each.what}" for each in self.findings[:MOST_TOLD])]
        if len(self.findings) > MOST_TOLD:
            made.append(f"  … and {len(self.findings) - MOST_TOLD} more")
        return [*made, f"Verdict: {self.verdict.value}."]


def audit_bundle(lines: Iterable[bytes], trust: Trust = NOTHING_KNOWN) -> Audit:
    """What the receipts of a bundle tell of the erasures in it, given as its lines. Raises nothing.

    The bundle is checked as `verify` checks it. One that does not hold is not audited.
    """
    reading, seen = BundleReading(lines), _Receipts()
    for first, batch in reading.batches():
        for seq, row in enumerate(batch, first):
            seen.see(seq, read(line_of(row).text))
    report = reading.report(trust)
    if report.exit_code:
        return Audit((f"{report.verdict.heading}.",), (), (f"The bundle does not hold: {report.says}", _CHECK_IT))
    said = reading.manifest
    seen.end(said.made_at)
    coverage = (f"Receipts {said.first} to {said.last} of {said.vault}. {report.says}", *seen.coverage())
    unaudited = list(seen.unaudited())
    if said.first > 1:
        unaudited.insert(
            0, f"Receipts before {said.first} are not in the bundle: what was handed over then is unknown."
        )
    if said.head[0] > said.last:
        unaudited.insert(0, f"Receipts after {said.last} are not in the bundle.")
    return Audit(coverage, tuple(seen.findings), tuple(unaudited))


_CHECK_IT = "Check it with `muniment verify`, and ask for it again."


@dataclass(slots=True)
class _Receipts:
    """What receipts tell, as they are read one after the other."""

    ordered: dict[str, int] = field(default_factory=dict)  # order -> the number of its receipt
    certified: set[str] = field(default_factory=set)
    erased: dict[str, int] = field(default_factory=dict)  # memory -> the number of its receipt
    used: dict[str, int] = field(default_factory=dict)  # memory -> the last time it was handed over or shown
    handed: dict[str, dict[str, int]] = field(default_factory=dict)  # client -> memory -> the first time
    made: dict[str, tuple[str, int]] = field(default_factory=dict)  # proposal -> client, number
    became: dict[str, set[tuple[str, int]]] = field(default_factory=dict)  # memory -> client, when it was suggested
    times: dict[str, str] = field(default_factory=dict)  # order -> when it was first named
    waiting: list[str] = field(default_factory=list)  # orders that are young, and not certified
    whole: int = 0
    findings: list[Finding] = field(default_factory=list)

    def see(self, seq: int, receipt: dict[str, Any]) -> None:
        """One more receipt."""
        kind, about, memory = str(receipt["kind"]), str(receipt["object"]), str(receipt["memory"])
        actor = str(receipt["actor"])
        if about.startswith(_ORDER):
            self.times.setdefault(about, str(receipt["time"]))
        if kind in _HANDED:
            self._use(seq, memory, actor)
        elif kind == ORDERED:
            self.ordered[about] = seq
        elif kind == _CERTIFIED_KIND:
            self.certified.add(about)
        elif kind == WHOLE:
            self.whole = seq
        elif kind == ERASED:
            self._erase(seq, memory, about)
        elif kind == "proposal.made":
            self.made[about] = actor, seq
        elif kind == "proposal.approved" and memory != "-" and about in self.made:
            self.became.setdefault(memory, set()).add(self.made[about])
        elif kind.startswith("memory.") and memory in self.erased:
            self.findings.append(Finding(str(seq), f"{kind} of {memory}, which receipt {self.erased[memory]} erased"))

    def _use(self, seq: int, memory: str, actor: str) -> None:
        if memory in self.erased:
            self.findings.append(Finding(str(seq), f"{memory} left, after receipt {self.erased[memory]} erased it"))
        elif self.whole:
            self.findings.append(Finding(str(seq), f"{memory} left, after receipt {self.whole} erased the whole vault"))
        self.used[memory] = seq
        if actor.startswith(_MAKERS):
            self.handed.setdefault(actor, {}).setdefault(memory, seq)

    def _erase(self, seq: int, memory: str, order: str) -> None:
        if memory in self.erased:
            self.findings.append(Finding(str(seq), f"{memory} was erased before, by receipt {self.erased[memory]}"))
        began = self.ordered.get(order, seq)
        if self.used.get(memory, 0) > began and memory not in self.erased:
            self.findings.append(
                Finding(str(self.used[memory]), f"{memory} left, after receipt {began} ordered it gone")
            )
        self.erased[memory] = seq

    def end(self, made_at: str) -> None:
        """There are no more: the bundle was made then."""
        for order in sorted(self.times.keys() - self.certified):
            if _left(self.times[order], made_at):
                self.findings.append(Finding(order, "it was not carried out to its end: no receipt certifies it"))
            else:
                self.waiting.append(order)

    def coverage(self) -> tuple[str, ...]:
        """How much there is to audit, and what clients could have made their memories from."""
        lives = [makers for memory, makers in self.became.items() if memory not in self.erased]
        read_before = sum(1 for makers in lives if any(self._had_read(*each) for each in makers))
        memories = counted(len(self.erased), "memory was", "memories were")
        return (
            f"{memories} erased, by {counted(len(self.times), 'order')}."
            f"{' The whole vault was.' if self.whole else ''}",
            f"{counted(len(lives), 'memory', 'memories')} that clients suggested {'is' if len(lives) == 1 else 'are'} "
            f"kept; before {read_before} of them the client had been handed others. A bundle does not say whether "
            "they declared what they were made from.",
        )

    def _had_read(self, client: str, before: int) -> bool:
        return any(seq < before for seq in self.handed.get(client, {}).values())

    def unaudited(self) -> tuple[str, ...]:
        """Orders in hand, and memories that may have been made from an erased one: a bundle does not say."""
        told = [f"{order} is not certified yet: take a bundle again when it is." for order in self.waiting]
        doubtful = 0
        for memory, makers in self.became.items():
            if memory in self.erased:
                continue
            doubtful += any(
                seq < before and each in self.erased
                for client, before in makers
                for each, seq in self.handed.get(client, {}).items()
            )
        if doubtful:
            many = counted(doubtful, "memory that is kept was", "memories that are kept were")
            told.append(
                f"{many} suggested by a client that had been handed something erased since. Whether it was made from "
                "that, a bundle does not say: ask for the instance's own audit."
            )
        return tuple(told)


def _left(since: str, now: str) -> bool:
    """Is an order of then so old by now that nobody has it in hand. Of a time that no calendar has, nobody can tell."""
    try:
        return datetime.fromisoformat(now) - datetime.fromisoformat(since) > _IN_HAND
    except ValueError:
        return False
