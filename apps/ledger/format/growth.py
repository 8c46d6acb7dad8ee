"""Two bundles of one vault, an older and a newer: is the new ledger the old one grown, and by what.

A ledger that only grew has the old one for its beginning. One that was written anew has not, however well it holds in
itself: the first receipt that is another is named.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from .bundle import BundleReading
from .bundle_parts import Manifest
from .encoding import line_of, read
from .strict import counted
from .verdict import NOTHING_KNOWN, Report, Trust


@dataclass(frozen=True, slots=True)
class Growth:
    """What lies between two bundles, in a sentence, with the report on each.

    `forked_at` is the number of the first receipt that is not the same in both, None where there is none. `more` is how
    many receipts the newer one has after the older one's last, `kinds` how many of each kind these are. `expected` is
    how many were expected. `exit_code` is 0 where the ledger grew, by as many as expected if that was said; 1 where it
    did not, or a bundle does not hold; 2 where the two can not be compared.
    """

    old: Report
    new: Report
    says: str
    exit_code: int
    forked_at: int | None = None
    more: int = 0
    kinds: Mapping[str, int] | None = None
    expected: int | None = None

    def to_json(self) -> dict[str, object]:
        """JSON-ready members, in the order they are to be read."""
        return {
            "old": self.old.to_json(),
            "new": self.new.to_json(),
            "forked_at": self.forked_at,
            "more": self.more,
            "kinds": dict(self.kinds or {}),
            "expected": self.expected,
            "says": self.says,
            "exit_code": self.exit_code,
        }

    def lines(self) -> list[str]:
        """As text: each bundle's report, what is new by kind, and what it comes to last."""
        made = ["The older bundle", *(f"  {line}" for line in self.old.lines())]
        made += ["The newer bundle", *(f"  {line}" for line in self.new.lines())]
        if self.kinds:
            made += ["New in it:", *(f"  {count} {kind}" for kind, count in sorted(self.kinds.items()))]
        return [*made, f"Growth: {self.says}"]


def explain_growth(
    old: Iterable[bytes], new: Iterable[bytes], expected: int | None = None, trust: Trust = NOTHING_KNOWN
) -> Growth:
    """Compare two bundles, given as their lines, reading each once. Raises nothing, whatever the bytes are.

    `expected` is how many receipts the caller knows to have come in between.
    """
    before, after = BundleReading(old), BundleReading(new)
    forked_at, kinds = _compared(before, after)
    reports = before.report(trust), after.report(trust)
    for which, report in zip(("older", "newer"), reports, strict=True):
        if report.exit_code:
            return Growth(*reports, f"The {which} bundle does not hold: {report.says}", report.exit_code)
    return _explained(reports, (before.manifest, after.manifest), forked_at, kinds, expected)


def _explained(
    reports: tuple[Report, Report],
    manifests: tuple[Manifest, Manifest],
    forked_at: int | None,
    kinds: Mapping[str, int],
    expected: int | None,
) -> Growth:
    first, second = manifests
    if first.vault != second.vault:
        return Growth(*reports, f"They are of two vaults, {first.vault} and {second.vault}.", 2)
    if forked_at is not None:
        says = (
            f"A fork: receipt {forked_at} is one in the older bundle and another in the newer. The ledger was written "
            "anew from there on, or two ledgers go by one name."
        )
        return Growth(*reports, says, 1, forked_at)
    if second.first > first.last + 1:
        says = (
            f"They can not be compared: the older ends with receipt {first.last} and the newer begins with "
            f"{second.first}. Take a newer bundle from {first.last} on."
        )
        return Growth(*reports, says, 2)
    if second.last < first.last:
        says = (
            f"The newer bundle ends with receipt {second.last}, the older with {first.last}: a ledger never gets "
            "shorter. If the two were given in the wrong order, turn them round."
        )
        return Growth(*reports, says, 1)
    more = second.last - first.last
    says = f"The ledger grew by {counted(more, 'receipt')}, from {first.last} to {second.last}; the older is its "
    says += "beginning."
    if expected is not None and more != expected:
        much, than = abs(more - expected), "more" if more > expected else "fewer"
        says += f" You expected {expected}: there {'is' if much == 1 else 'are'} {much} {than}."
    return Growth(*reports, says, int(expected not in (None, more)), None, more, kinds, expected)


def _compared(before: BundleReading, after: BundleReading) -> tuple[int | None, Counter[str]]:
    """Read both to their ends, side by side. The first number whose receipts differ, and the kinds of those that only
    the newer one has at its end."""
    kinds: Counter[str] = Counter()
    forked_at, last = None, 0
    olds, news = _numbered(before), _numbered(after)
    old, new = next(olds, None), next(news, None)
    while new is not None:
        while old is not None and old[0] < new[0]:
            last, old = old[0], next(olds, None)
        if old is not None and old[0] == new[0]:
            if forked_at is None and old[1] != new[1]:
                forked_at = new[0]
            last, old = old[0], next(olds, None)
        elif old is None and new[0] > last:
            kinds[str(read(line_of(new[1]).text)["kind"])] += 1
        new = next(news, None)
    for _ in olds:
        pass
    if forked_at is None and before.is_not_before(after):
        forked_at = before.manifest.last
    return forked_at, kinds


def _numbered(reading: BundleReading) -> Iterator[tuple[int, bytes]]:
    for first, batch in reading.batches():
        yield from enumerate(batch, first)
