"""Memories whose time is nearly over, or over, and words of suggestions that are: a part of the store."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.ledger import log
from apps.ledger.log import Act
from apps.memories.models import MemoryRow

_AGED = """
SELECT m.memory_id, k.days, greatest(v.made_at, m.settled_at), m.told_at
  FROM memory m
  JOIN unnest(%(categories)s::text[], %(days)s::int[]) AS k(category, days) ON k.category = m.category
  JOIN memory_version v ON v.vault_id = m.vault_id AND v.memory_id = m.memory_id AND v.retired_at IS NULL
 WHERE m.vault_id = %(vault)s AND m.state <> 'erased'
   AND greatest(v.made_at, m.settled_at) < %(now)s - (k.days - %(ahead)s) * interval '1 day'
 ORDER BY 3, 1
"""
_FORGET_WORDS = """
UPDATE proposal SET subject = '', label = '', rationale = '', reason = '', candidate = '{}', evidence = '[]',
                    marks = '[]', as_of = NULL, unnoticed = NULL
 WHERE vault_id = %(vault)s AND status <> 'pending' AND coalesce(decided_at, made_at) < %(before)s
   AND (subject <> '' OR label <> '' OR rationale <> '' OR reason <> '' OR candidate <> '{}' OR evidence <> '[]')
RETURNING 1
"""
_BLANK_WORDS = _FORGET_WORDS.replace("coalesce(decided_at, made_at) < %(before)s", "proposal_id = ANY(%(ids)s)")


@dataclass(frozen=True, slots=True)
class Aged:
    """A memory that is kept for so many days after it was said last; when its end was told, if it was."""

    memory_id: UUID
    days: int
    said_at: datetime
    told_at: datetime | None


def aged(vault_id: UUID, days: Mapping[str, int], ahead: int, now: datetime) -> tuple[Aged, ...]:
    """The memories whose time, by category, is over within `ahead` days; the oldest first."""
    asked = {"vault": vault_id, "categories": list(days), "days": list(days.values()), "ahead": ahead, "now": now}
    (rows,) = log.within([(_AGED, asked)])
    return tuple(Aged(*row) for row in rows)


def told(act: Act, memory_ids: Collection[UUID], now: datetime) -> None:
    """Their end is told of."""
    MemoryRow.objects.filter(vault_id=act.vault_id, memory_id__in=list(memory_ids)).update(told_at=now)


def forget_words(act: Act, before: datetime) -> int:
    """Blank what was suggested, and decided before then. Returns how many suggestions that were."""
    (gone,) = log.within([(_FORGET_WORDS, {"vault": act.vault_id, "before": before})])
    return len(gone)


def blank_words(act: Act, ids: Collection[UUID]) -> int:
    """Blank these suggestions, unless they wait. Returns how many of them had words."""
    (gone,) = log.within([(_BLANK_WORDS, {"vault": act.vault_id, "ids": list(ids)})])
    return len(gone)
