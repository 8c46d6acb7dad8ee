"""What a search says: how far it reached first, then what it found. No value is in it, in any form.

A value is named by its place in the order it was given and by a fingerprint: an HMAC under a key of this one run, which
is kept nowhere. So two reports cannot be compared, and nobody can try values against one.
"""

import hashlib
import hmac
import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

FORMAT = "muniment-residue/1"
Verdict = Literal["LIVE", "UNRECLAIMED", "PLAIN"]
VERDICTS: dict[Verdict, str] = {
    "LIVE": "in a row that is served",
    "UNRECLAIMED": "deleted or replaced, and not yet overwritten",
    "PLAIN": "in a file as it is",
}
LIMITS = (
    "A copy that was encrypted, drawn (an image, a scan), said (a recording) or told in other words is not found.",
    "Nor is one outside the given folders: in memory, in swap, in free blocks of the disk, on another machine.",
    "What is written while it is looked at may be missed: run it again where a server is writing.",
)


@dataclass(frozen=True, slots=True)
class Finding:
    """A copy: `value` by its index from 0 (whoever is told counts from 1), in a file by its path (members of archives
    after `!`), at a place in it.

    `offset` is in bytes, of the file or of what was unpacked from it.
    """

    value: int
    fingerprint: str
    verdict: Verdict
    form: str
    path: str
    place: str
    offset: int


@dataclass(frozen=True, slots=True)
class Unopened:
    """What was not looked into, or not whole, and why."""

    path: str
    why: str


@dataclass(slots=True)
class Coverage:
    """How far a search reached."""

    roots: tuple[str, ...] = ()
    values: int = 0
    engine: str = "python"
    forms: tuple[str, ...] = ()
    files: int = 0
    members: int = 0
    bytes_read: int = 0
    bytes_unpacked: int = 0
    links: int = 0
    vanished: int = 0
    kinds: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class Report:
    """The answer of a search.

    `found` counts every copy; `findings` holds the first ones of each file. `unsearched` names values, by index, that
    are too short to be looked for.
    """

    coverage: Coverage
    fingerprints: tuple[str, ...] = ()
    findings: list[Finding] = field(default_factory=list)
    found: Counter[tuple[str, Verdict, str, int]] = field(default_factory=Counter)
    unopened: list[Unopened] = field(default_factory=list)
    unsearched: list[int] = field(default_factory=list)

    @property
    def bytes_read(self) -> int:
        """Bytes read from files."""
        return self.coverage.bytes_read

    @property
    def clean(self) -> bool:
        """Nothing was found, and everything was looked into."""
        return self.exit_code == 0

    @property
    def exit_code(self) -> int:
        """1 where anything was found; else 2 where not everything could be looked into; else 0."""
        return 1 if self.found else 2 if self.unopened or self.unsearched else 0

    def counts(self) -> dict[Verdict, int]:
        """Copies by verdict."""
        return {verdict: sum(n for key, n in self.found.items() if key[1] == verdict) for verdict in VERDICTS}

    def lines(self) -> Iterator[str]:
        """For people: coverage, what was not opened, limits, findings, and the verdict last."""
        seen = self.coverage
        yield f"Looked for {seen.values} value{'s' * (seen.values != 1)} in {', '.join(seen.roots)}."
        yield (
            f"Read {seen.files} files ({seen.bytes_read} bytes), and {seen.members} members and streams unpacked from"
            f" them ({seen.bytes_unpacked} bytes): {_counted(seen.kinds) or 'nothing'}."
        )
        if seen.links or seen.vanished:
            yield f"{seen.links} links were not followed; {seen.vanished} files went away before they were read."
        yield f"Forms: {', '.join(seen.forms)}."
        if seen.engine == "python":
            yield "Searched with Python alone, which finds the same and is slower (the extra `fast` brings a library)."
        for index in self.unsearched:
            yield f"Not looked for: value {index + 1} ({self.fingerprints[index]}): too short, it would be everywhere."
        for each in self.unopened:
            yield f"Not opened: {each.path}: {each.why}."
        yield from (f"Limit: {limit}" for limit in LIMITS)
        firsts = {(f.path, f.verdict, f.form, f.value): f for f in reversed(self.findings)}
        for key, count in self.found.items():
            path, verdict, form, value = key
            first = firsts[key]
            more = f", and {count - 1} more" if count > 1 else ""
            yield (
                f"{verdict}: value {value + 1} ({self.fingerprints[value]}) as {form} in {path}:"
                f" {first.place}, offset {first.offset}{more}"
            )
        yield f"Verdict: {self.verdict}"

    @property
    def verdict(self) -> str:
        """One sentence."""
        rest = "" if not (self.unopened or self.unsearched) else " Not everything could be looked into: see above."
        if not self.found:
            return f"Nothing found.{rest}"
        told = "; ".join(f"{n} {name} ({VERDICTS[name]})" for name, n in self.counts().items() if n)
        return f"Found: {told}.{rest}"

    def to_json(self) -> dict[str, Any]:
        """As `--json` prints it: a value is named by its place from 1, as `lines` does."""
        coverage = asdict(self.coverage) | {"kinds": dict(self.coverage.kinds)}
        return {
            "format": FORMAT,
            "coverage": coverage,
            "limits": list(LIMITS),
            "fingerprints": list(self.fingerprints),
            "unsearched": [index + 1 for index in self.unsearched],
            "unopened": [asdict(each) for each in self.unopened],
            "counts": self.counts(),
            "findings": [asdict(each) | {"value": each.value + 1} for each in self.findings],
            "verdict": self.verdict,
            "exit_code": self.exit_code,
        }


def fingerprints(values: Sequence[bytes]) -> tuple[str, ...]:
    """A fingerprint of each value, 16 hexadecimal digits, under a key that is forgotten."""
    key = secrets.token_bytes(32)
    return tuple(hmac.new(key, value, hashlib.sha256).hexdigest()[:16] for value in values)


def _counted(kinds: Counter[str]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
