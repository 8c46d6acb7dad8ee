"""Versions that wait for their day: a part of the store. Whether a day has come is for the database's clock to say."""

from datetime import datetime
from uuid import UUID

from django.db.models import DateTimeField, Func, Min, QuerySet, Subquery, Value
from django.db.models.functions import Least

from apps.ledger.log import Act
from apps.memories import versions
from apps.memories.models import MemoryRow, VersionRow
from apps.policy.types import Memory, MemoryVersion
from apps.policy.vocabulary import Ended, State

CLOCK = Func(function="statement_timestamp", output_field=DateTimeField())


def _waiting(vault_id: UUID) -> QuerySet[VersionRow]:
    return VersionRow.objects.filter(vault_id=vault_id, ended_as=Ended.WAITING.value)


def of(vault_id: UUID, memory_id: UUID) -> tuple[MemoryVersion, ...]:
    """What waits of a memory, the first day first."""
    rows = _waiting(vault_id).filter(memory_id=memory_id).order_by("holds_from", "version")
    return tuple(map(versions.fact, rows.values_list(*versions.COLUMNS)))


def due(vault_id: UUID) -> tuple[MemoryVersion, ...]:
    """What waited in a vault for a day that has come, the first day first."""
    rows = _waiting(vault_id).filter(holds_from__lte=CLOCK).order_by("holds_from", "version")
    return tuple(map(versions.fact, rows.values_list(*versions.COLUMNS)))


def until(act: Act, memory_id: UUID, end: datetime | None) -> Least:
    """Until when something that ends then holds: until the first that waits takes over, where that is before."""
    first = _waiting(act.vault_id).filter(memory_id=memory_id).values("memory_id").annotate(first=Min("holds_from"))
    return Least(Value(end, DateTimeField()), Subquery(first.values("first")))


def set_until(act: Act, memory_id: UUID, now: datetime) -> None:
    """Say anew until when a memory holds: what waits of it is other than it was."""
    act.settle()
    current = VersionRow.objects.filter(vault_id=act.vault_id, memory_id=memory_id, retired_at=None)
    end = current.values_list("holds_until", flat=True).first()
    rows = MemoryRow.objects.filter(vault_id=act.vault_id, memory_id=memory_id)
    rows.update(holds_until=until(act, memory_id, end), updated_at=now)


def cancel(act: Act, line: MemoryVersion, now: datetime) -> None:
    """It waits no more, and never holds; or, told late, it was not so after all."""
    rows = VersionRow.objects.filter(vault_id=act.vault_id, ended_as__in=[Ended.WAITING.value, Ended.LATE.value])
    rows = rows.filter(memory_id=line.memory_id, version=line.version)
    rows.update(retired_at=now, ended_as=Ended.CANCELLED.value)
    set_until(act, line.memory_id, now)


def reopen(act: Act, memory_id: UUID, at: datetime) -> bool:
    """It did not take over, which the holder is to look at. False where they are to look already, or it is put away."""
    rows = MemoryRow.objects.filter(
        vault_id=act.vault_id, memory_id=memory_id, state=State.APPROVED.value, reopened_at=None
    )
    return rows.update(reopened_at=at) == 1


def take_over(act: Act, memory: Memory, line: MemoryVersion) -> None:
    """What waited is current, from its day on: `memory` as it is then. What was current ended with the day."""
    versions.retire(act, line.memory_id, line.since, Ended.CHANGED)
    rows = _waiting(act.vault_id).filter(memory_id=line.memory_id, version=line.version)
    rows.update(retired_at=None, ended_as=None)
    MemoryRow.objects.filter(vault_id=act.vault_id, memory_id=line.memory_id).update(
        label=memory.label,
        neutral_label=memory.neutral_label,
        category=memory.category.value,
        version=memory.version,
        as_of=memory.as_of,
        source=memory.source,
        reopened_at=None,
        settled_at=line.made_at,
        holds_from=None,
        holds_until=until(act, line.memory_id, line.holds_until),
        updated_at=line.since,
    )
