"""Memories whose time is over, by what a space settled, and those of which that is near. Erasing them stands above."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from apps.ledger.log import Act
from apps.memories import ageing, store
from apps.memories.ageing import Aged
from apps.memories.services.keeping import about
from apps.policy.retention import AHEAD, Kept, Stage, days_of, ends_at, stage
from apps.policy.types import Memory
from apps.policy.vocabulary import ReceiptKind


def going_within(vault_id: UUID, kept: Sequence[Kept], now: datetime) -> tuple[tuple[Memory, datetime], ...]:
    """The memories whose end was told, and when each goes, the first first; within a look."""
    return _with_ends(vault_id, _aged(vault_id, kept, now, Stage.TOLD, Stage.OVER))


def tell_within(within: Act, kept: Sequence[Kept], now: datetime, most: int) -> tuple[tuple[Memory, datetime], ...]:
    """Write down of so many memories that their end is told of, with the receipts. Returns them, and when each goes."""
    found = _aged(within.vault_id, kept, now, Stage.TELL)[:most]
    if not found:
        return ()
    ageing.told(within, [each.memory_id for each in found], now)
    done = [Aged(each.memory_id, each.days, each.said_at, now) for each in found]
    listed = _with_ends(within.vault_id, done)
    for memory, _ in listed:
        within.record(ReceiptKind.MEMORY_ENDING, **about(memory))
    return listed


def over_within(within: Act, kept: Sequence[Kept], now: datetime, most: int) -> frozenset[UUID]:
    """So many of the memories whose time is over, and whose end was told."""
    found = _aged(within.vault_id, kept, now, Stage.OVER)[:most]
    return frozenset(each.memory_id for each in found)


def forget_words_within(within: Act, before: datetime) -> Counter[str]:
    """Erase the words of suggestions that were decided before then; what they became stays. Returns how many."""
    return Counter(proposals=ageing.forget_words(within, before))


def _aged(vault_id: UUID, kept: Sequence[Kept], now: datetime, *stages: Stage) -> list[Aged]:
    if not kept:
        return []
    found = ageing.aged(vault_id, days_of(kept), AHEAD.days, now)
    return [each for each in found if stage(each.said_at, each.told_at, each.days, now) in stages]


def _with_ends(vault_id: UUID, found: Sequence[Aged]) -> tuple[tuple[Memory, datetime], ...]:
    memories = {each.memory_id: each for each in store.memories(vault_id, [each.memory_id for each in found])}
    ends = {each.memory_id: ends_at(each.said_at, each.told_at, each.days) for each in found}
    listed = sorted(ends, key=lambda memory_id: (ends[memory_id], memory_id))
    return tuple((memories[each], ends[each]) for each in listed)
