"""What the pages tell of an order: how far it is, what it cleared where, and what its certificate says."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from apps.erasure import services as erasure
from apps.erasure.places import COUNTED, PLACES, Goes, Place
from apps.policy.erasing import NOT_SEARCHED, Order, Residue, Searched


@dataclass(frozen=True, slots=True)
class Told:
    """An order on its page. `said` is its certificate, for whoever may read all of it; without one the order's own row
    tells as much as may be told.
    """

    order: Order
    said: dict[str, Any] | None

    @property
    def coverage(self) -> list[tuple[Goes, list[tuple[str, Place]]]]:
        """Every place that was looked after, by what makes what it holds go."""
        covered = self.said["coverage"] if self.said else sorted(PLACES)
        there = [(name, PLACES[name]) for name in covered if name in PLACES]
        return [(goes, [each for each in there if each[1].goes is goes]) for goes in Goes]

    @property
    def covered(self) -> int:
        """How many places that are."""
        return sum(len(places) for _, places in self.coverage)

    @property
    def cleared(self) -> list[tuple[str, int, str]]:
        """Where something was cleared: the place, how many rows, and what it held."""
        counts = self.said["counts"] if self.said else self.order.counts
        named = ((COUNTED[each], count) for each, count in counts.items() if count)
        return sorted((place, count, PLACES[place].holds) for place, count in named)

    @property
    def residue(self) -> Searched:
        """What looking for the words came to."""
        return self.order.residue or NOT_SEARCHED

    @property
    def result(self) -> Residue:
        """The same, in a word."""
        return Residue(self.residue.result)

    @property
    def not_overwritten(self) -> int:
        """How many rows with words of it in clear may still lie on the disk."""
        counts = self.said["counts"] if self.said else self.order.counts
        return erasure.not_overwritten(counts, self.order.made_at)

    @property
    def horizon_days(self) -> int:
        """In so many days, from the day it was certified, no backup opens it."""
        return int(self.said["horizon_days"]) if self.said else erasure.horizon_days()

    @property
    def horizon(self) -> datetime:
        """From then on no backup opens it."""
        return (self.order.done_at or self.order.made_at) + timedelta(days=self.horizon_days)

    @property
    def limits(self) -> Iterable[str]:
        """What it does not say."""
        return self.said["limits"] if self.said else erasure.CERTIFICATE_LIMITS


def told(order: Order) -> Told:
    """An order as its page tells it."""
    return Told(order, json.loads(order.certificate) if order.certificate else None)
