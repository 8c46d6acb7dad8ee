"""The queue as it is shown: filtered, its clock, and as a file."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from apps.access.services import Waiting
from apps.console.desk.words import CHECKS, how_long
from apps.policy.ids import typed
from apps.policy.text import inert
from apps.policy.vocabulary import Category

COLUMNS = (
    "review requested_by domain person number category memories purpose asked_at decided_by tier decided_at until reads"
    " granted_before denied_before returned_before due_at late checks"
).split()


@dataclass(frozen=True, slots=True)
class Filter:
    """What is shown of the queue. `category` None: all of them."""

    text: str
    category: Category | None
    late: bool

    @property
    def any(self) -> bool:
        return bool(self.text or self.category or self.late)


def asked(sent: Mapping[str, str]) -> Filter:
    """The filter that was asked for. Raises ValueError for a category there is none of."""
    name = sent.get("category", "")
    return Filter(sent.get("q", "").strip()[:80], Category(name) if name else None, sent.get("late") == "1")


def shown(rows: Iterable[Waiting], wanted: Filter, now: datetime) -> list[Waiting]:
    """The rows that are asked for, in the queue's order. The text is looked for in what a row shows, nowhere else."""
    text = wanted.text.casefold()
    return [
        each
        for each in rows
        if (wanted.category is None or each.row.category is wanted.category)
        and (not wanted.late or each.late(now))
        and (not text or text in _said(each).casefold())
    ]


def _said(each: Waiting) -> str:
    row = each.row
    return f"{row.client_name} {row.client_domain} {row.initials} {row.number or ''} {row.purpose.value}"


def oldest(rows: Sequence[Waiting], now: datetime) -> str:
    """How long the oldest has waited; "" where nothing does."""
    return how_long(now - rows[0].row.decided_at) if rows else ""


def as_csv(rows: Iterable[Waiting], now: datetime) -> str:
    """The same columns as a file. Nothing in it is a formula, whatever an assistant is called."""
    written = io.StringIO()
    lines = csv.writer(written)
    lines.writerow(COLUMNS)
    for each in rows:
        lines.writerow([inert(cell) for cell in _cells(each, now)])
    return written.getvalue()


def _cells(each: Waiting, now: datetime) -> tuple[str | int, ...]:
    row = each.row
    return (
        typed("rvw", row.review_id),
        row.client_name,
        row.client_domain,
        row.initials,
        row.number or "",
        row.category.value,
        row.memories,
        row.purpose.value,
        row.asked_at.isoformat(),
        row.decided_by.value,
        f"{row.band.from_years}-{row.band.until_years}" if row.band else "",
        row.decided_at.isoformat(),
        row.until.isoformat(),
        "" if row.reads is None else row.reads,
        row.granted_before,
        row.denied_before,
        row.returned_before,
        row.due_at.isoformat(),
        "late" if each.late(now) else "",
        "; ".join(CHECKS[check] for check in each.checks),
    )
