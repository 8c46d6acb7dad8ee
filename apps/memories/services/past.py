"""The file as it was: histories, what was said at a moment, what was true at one. Labels only."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from apps.ledger.log import reading
from apps.memories import store, versions
from apps.policy import when
from apps.policy.roles import Deed, needs, sees
from apps.policy.types import Holder, Memory, MemoryVersion
from apps.policy.vocabulary import NEUTRAL_LABELS, Ended
from apps.policy.when import Spell


@dataclass(frozen=True, slots=True)
class Then:
    """A memory by the version that answers for a moment. Holds no value."""

    memory: Memory
    line: MemoryVersion

    @property
    def as_said(self) -> Memory:
        """The memory with that version's number and label side; its subject, state and marks are as they are now."""
        line, memory = self.line, self.memory
        neutral = memory.neutral_label if line.category is memory.category else NEUTRAL_LABELS.get(line.category, "")
        return replace(
            memory,
            version=line.version,
            label=line.label or memory.label,
            category=line.category,
            neutral_label=neutral,
            as_of=line.as_of,
            source=line.source,
        )


@needs(Deed.LOOK)
def as_then(holder: Holder, *, known_at: datetime | None = None, true_at: datetime | None = None) -> tuple[Then, ...]:
    """What the file said at a moment (`known_at`); or what was true at one (`true_at`), by what is known now or was
    known then. Memories of which nobody knew anything are left out. Labels only.
    """
    with reading(holder.vault_id, holder.actor):
        mine = {each.memory_id: each for each in store.memories(holder.vault_id) if sees(holder, each)}
        lines = [each for each in versions.of(holder.vault_id, mine) if _seen(holder, mine[each.memory_id], each)]
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
def then(holder: Holder, *, as_of: str = "", true_at: str = "") -> tuple[Then, ...]:
    """`as_then` for days and moments as they are written: a day means its last moment where the holder lives. In the
    order of the file. Raises TextProblem.
    """
    zone = ZoneInfo(holder.time_zone)
    said, true = when.parse(as_of, "as_of"), when.parse(true_at, "true_at")
    found = as_then(
        holder,
        known_at=said.last(zone) if said is not None else None,
        true_at=true.last(zone) if true is not None else None,
    )
    return tuple(sorted(found, key=lambda each: (each.memory.subject, each.memory.memory_id)))


@needs(Deed.LOOK)
def history(holder: Holder, memory_id: UUID) -> tuple[MemoryVersion, ...]:
    """Every version of a memory that this seat may know of, newest first. No values."""
    with reading(holder.vault_id, holder.actor):
        found = store.memory(holder.vault_id, memory_id)
        if found is None or not sees(holder, found):
            return ()
        return tuple(each for each in versions.history(holder.vault_id, memory_id) if _seen(holder, found, each))


def _seen(holder: Holder, memory: Memory, line: MemoryVersion) -> bool:
    """Is this version there for this seat? What is ordinary now may have been of a special category, under a label that
    told of it.
    """
    return sees(holder, replace(memory, category=line.category))


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
