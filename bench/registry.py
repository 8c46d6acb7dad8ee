"""What a bench is, and the list of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal, TypeVar

Better = Literal["higher", "lower"]


class Skipped(Exception):
    """What a bench needs beside it is not here, and why: nothing is measured, and what was before stays."""


@dataclass(frozen=True)
class Samples:
    """What was measured, one value a repetition, and what a reader should know about it."""

    values: Sequence[float]
    note: str = ""


@dataclass(frozen=True)
class Bench:
    """A measurement and its two bars: `must` fails the run when it is missed, `goal` is what we want."""

    name: str
    unit: str
    better: Better
    must: float
    goal: float
    run: Callable[[], Sequence[float] | Samples]

    def reaches(self, value: float, bar: float) -> bool:
        return value >= bar if self.better == "higher" else value <= bar


@dataclass(frozen=True)
class Result:
    """A bench's outcome: the median and the range of its samples."""

    bench: Bench
    samples: Samples

    @property
    def value(self) -> float:
        return median(self.samples.values)

    @property
    def verdict(self) -> str:
        """`goal`, `must` or `missed`: the highest bar that was reached."""
        if self.bench.reaches(self.value, self.bench.goal):
            return "goal"
        return "must" if self.bench.reaches(self.value, self.bench.must) else "missed"

    def as_json(self) -> dict[str, object]:
        """As bench/results.json holds it."""
        found: dict[str, object] = {
            "value": round(self.value, 4),
            "unit": self.bench.unit,
            "better": self.bench.better,
            "must": self.bench.must,
            "goal": self.bench.goal,
            "range": [round(min(self.samples.values), 4), round(max(self.samples.values), 4)],
        }
        return found | ({"note": self.samples.note} if self.samples.note else {})


BENCHES: dict[str, Bench] = {}
Run = TypeVar("Run", bound=Callable[[], Sequence[float] | Samples])


def bench(name: str, unit: str, better: Better, must: float, goal: float) -> Callable[[Run], Run]:
    """Register a function that returns samples under this name."""

    def register(run: Run) -> Run:
        assert name not in BENCHES, f"there are two benches named {name}"
        BENCHES[name] = Bench(name, unit, better, must, goal, run)
        return run

    return register
