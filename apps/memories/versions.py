"""Lines of memories' histories: a part of the store."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from apps.ledger.log import Act
from apps.memories.models import VersionRow
from apps.policy.types import Memory, MemoryVersion
from apps.policy.vocabulary import Category, Ended

COLUMNS = (
    "memory_id",
    "version",
    "made_at",
    "made_by",
    "retired_at",
    "as_of",
    "source",
    "label",
    "category",
    "why",
    "ended_as",
    "valid_from",
    "valid_to",
    "proposal_id",
    "restored_from",
    "holds_from",
    "holds_until",
)


@dataclass(frozen=True, slots=True)
class Line:
    """What a line of history says besides its version: why, from when to when it was true (as it is written, and as
    moments), which proposal it was, and which version it restores.
    """

    why: str = ""
    valid_from: str = ""
    valid_to: str = ""
    proposal_id: UUID | None = None
    restored_from: int | None = None
    holds_from: datetime | None = None
    holds_until: datetime | None = None

    def from_later(self, now: datetime) -> datetime | None:
        """From when it holds, where that is to come."""
        return self.holds_from if self.holds_from is not None and self.holds_from > now else None


NO_LINE = Line()


def history(vault_id: UUID, memory_id: UUID) -> tuple[MemoryVersion, ...]:
    """A memory's history, newest first."""
    rows = VersionRow.objects.filter(vault_id=vault_id, memory_id=memory_id).order_by("-version")
    return tuple(map(fact, rows.values_list(*COLUMNS)))


def one(vault_id: UUID, memory_id: UUID, number: int) -> MemoryVersion | None:
    """One line of a memory's history."""
    rows = VersionRow.objects.filter(vault_id=vault_id, memory_id=memory_id, version=number).values_list(*COLUMNS)
    return next(map(fact, rows), None)


def of(vault_id: UUID, ids: Collection[UUID] | None = None) -> tuple[MemoryVersion, ...]:
    """The history of these memories, or of all, by memory and version."""
    rows = VersionRow.objects.filter(vault_id=vault_id)
    if ids is not None:
        rows = rows.filter(memory_id__in=list(ids))
    return tuple(map(fact, rows.order_by("memory_id", "version").values_list(*COLUMNS)))


def at(vault_id: UUID, numbers: Collection[tuple[UUID, int]]) -> dict[tuple[UUID, int], MemoryVersion]:
    """These lines, by (memory, version)."""
    if not numbers:
        return {}
    rows = VersionRow.objects.filter(vault_id=vault_id, pk__in=[(vault_id, *each) for each in numbers])
    return {(each.memory_id, each.version): each for each in map(fact, rows.values_list(*COLUMNS))}


def ending(vault_id: UUID) -> dict[UUID, MemoryVersion]:
    """The lines that hold now and say until when they are true, by memory."""
    rows = VersionRow.objects.filter(vault_id=vault_id, retired_at=None).exclude(valid_to="")
    return {each.memory_id: each for each in map(fact, rows.values_list(*COLUMNS))}


def in_order(lines: Iterable[MemoryVersion]) -> list[MemoryVersion]:
    """What the file says of a memory and said before, as it took over one from the other. What only was proposed, was
    told late, or waits, never was said.
    """
    return sorted((each for each in lines if each.held), key=lambda each: (each.since, each.version))


def next_number(act: Act, memory_id: UUID) -> int:
    """The number that no version of the memory has yet, those that this act writes included."""
    act.settle()
    rows = VersionRow.objects.filter(vault_id=act.vault_id, memory_id=memory_id)
    return (rows.order_by("-version").values_list("version", flat=True).first() or 0) + 1


def fact(row: Sequence[Any]) -> MemoryVersion:
    """A line of history from a row of `COLUMNS`."""
    values = list(row)
    values[8] = Category(values[8])
    values[10] = Ended(values[10]) if values[10] else None
    return MemoryVersion(*values)


def write(act: Act, memory: Memory, now: datetime, line: Line = NO_LINE, ended: Ended | None = None) -> None:
    """A line for the memory's version; with `ended`, of one that does not hold and never did since it is written."""
    write_many(act, [(memory, line, ended)], now)


def write_many(act: Act, new: Sequence[tuple[Memory, Line, Ended | None]], now: datetime) -> None:
    """`write` of many, in one statement."""
    act.insert(*(_row(act, memory, line, ended, now) for memory, line, ended in new))


def _row(act: Act, memory: Memory, line: Line, ended: Ended | None, now: datetime) -> VersionRow:
    return VersionRow(
        vault_id=act.vault_id,
        memory_id=memory.memory_id,
        version=memory.version,
        made_at=now,
        made_by=act.actor,
        as_of=memory.as_of,
        source=memory.source,
        label=memory.label,
        category=memory.category.value,
        retired_at=now if ended else None,
        ended_as=ended.value if ended else None,
        why=line.why,
        valid_from=line.valid_from,
        valid_to=line.valid_to,
        proposal_id=line.proposal_id,
        restored_from=line.restored_from,
        holds_from=line.from_later(now),
        holds_until=line.holds_until,
    )


def retire(act: Act, memory_id: UUID, now: datetime, ended: Ended) -> None:
    """The version that holds holds no more."""
    rows = VersionRow.objects.filter(vault_id=act.vault_id, memory_id=memory_id, retired_at=None)
    rows.update(retired_at=now, ended_as=ended.value)
