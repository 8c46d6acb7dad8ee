"""The file as it was: histories, what was said at a moment, what was true at one. Labels only."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from apps.ledger.log import reading
from apps.memories import store, versions
from apps.policy import when
from apps.policy.roles import Deed, needs, sees
from apps.policy.types import Holder, Memory, MemoryVersion
from apps.policy.vocabulary import Ended
from apps.policy.when import Spell


@dataclass(frozen=True, slots=True)
class Then:
    """A memory by the version that answers for a moment. Holds no value."""

    memory: Memory
    line: MemoryVersion


@needs(Deed.LOOK)
def as_of(holder: Holder, *, known_at: datetime | None = None, true_at: datetime | None = None) -> tuple[Then, ...]:
    """What the file said at a moment (`known_at`); or what was true at one (`true_at`), by what is known now or was
    known then. Memories of which nobody knew anything are left out. Labels only.
    """
    with reading(holder.vault_id, holder.actor):
        mine = {each.memory_id: each for each in store.memories(holder.vault_id) if sees(holder, each)}
        lines = versions.of(holder.vault_id, mine)
    told: dict[UUID, dict[int, MemoryVersion]] = {}
    for each in lines:
        told.setdefault(each.memory_id, {})[each.version] = each
    found = []
    for memory_id, history in told.items():
        spells = [spell(each) for each in history.values()]
        if true_at is not None:
            zone = ZoneInfo(holder.time_zone)
            answer = when.true_at(spells, true_at, zone=zone, known_at=known_at)
        else:
            answer = when.said_at(spells, known_at) if known_at is not None else None
        if answer is not None:
            found.append(Then(mine[memory_id], history[answer.version]))
    return tuple(found)


@needs(Deed.LOOK)
def history(holder: Holder, memory_id: UUID) -> tuple[MemoryVersion, ...]:
    """Every version of a memory, newest first. No values."""
    with reading(holder.vault_id, holder.actor):
        found = store.memory(holder.vault_id, memory_id)
        if found is None or not sees(holder, found):
            return ()
        return versions.history(holder.vault_id, memory_id)


def spell(line: MemoryVersion) -> Spell:
    """A line of history in its two times, for the rules."""
    return Spell(
        line.version,
        line.made_at,
        line.retired_at,
        line.ended_as,
        when.parse(line.valid_from, "valid_from"),
        when.parse(line.valid_to, "valid_to"),
    )


def predecessor(lines: Sequence[MemoryVersion], current: int) -> MemoryVersion | None:
    """What was said before. Where the current one was taken back because what stood between was wrong, that is what was
    said before it was first said, so that going back again goes further back. What only was proposed, or was told late,
    never was said.
    """
    known = {each.version: each for each in lines if each.ended_as is not Ended.PROPOSED and not _told_late(each)}
    at = current
    while (restored := known[at].restored_from) in known and _righted(lines, known[at]):
        at = restored
    return max((each for number, each in known.items() if number < at), key=lambda each: each.version, default=None)


def _righted(lines: Sequence[MemoryVersion], line: MemoryVersion) -> bool:
    """Did this version take the place of one that was wrong?"""
    return any(
        each.retired_at == line.made_at and each.ended_as is Ended.WRONG and each.version < line.version
        for each in lines
    )


def _told_late(line: MemoryVersion) -> bool:
    return line.retired_at == line.made_at
