"""The file as it was: histories, what was said at a moment, what was true at one. Labels only."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from apps.ledger.log import reading
from apps.memories import versions
from apps.memories.services.offering import facts
from apps.memories.versions import in_order
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
    mine = {each.memory_id: each for each in facts(holder.vault_id, holder.actor) if sees(holder, each)}
    with reading(holder.vault_id, holder.actor):
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
    looked = facts(holder.vault_id, holder.actor, [memory_id])
    with reading(holder.vault_id, holder.actor):
        lines = _told(versions.history(holder.vault_id, memory_id)) if looked else ()
    return tuple(each for found in looked if sees(holder, found) for each in lines if _seen(holder, found, each))


def _told(lines: Sequence[MemoryVersion]) -> Sequence[MemoryVersion]:
    """A history with what ended that which waited: where nobody took it back, a version that was said after it."""
    return [replace(each, overtaken_by=_overtaken_by(each, lines)) for each in lines]


def _overtaken_by(line: MemoryVersion, lines: Sequence[MemoryVersion]) -> int | None:
    if line.ended_as is not Ended.CANCELLED or line.retired_at is None or line.holds_from is None:
        return None
    at = line.retired_at
    by_a_deed = [each.version for each in lines if each.made_at == at and each.ended_as is not Ended.PROPOSED]
    if by_a_deed or at < line.holds_from:
        return next(iter(by_a_deed), None)
    after = [each for each in in_order(lines) if each.version > line.version]
    then = [each.version for each in after if each.since <= at][-1:]
    return next(iter([*then, *(each.version for each in after)]), None)


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
        line.holds_from,
    )


def predecessor(lines: Iterable[MemoryVersion], current: int) -> MemoryVersion | None:
    """What was said before. Where the current one was taken back because what stood between was wrong, that is what was
    said before it was first said, so that going back again goes further back.
    """
    held = in_order(lines)
    place = {each.version: index for index, each in enumerate(held)}
    at = place[current]
    while at > 0 and held[at - 1].ended_as is Ended.WRONG and held[at].restored_from in place:
        at = place[held[at].restored_from or 0]
    return held[at - 1] if at > 0 else None


def made_by(lines: Iterable[MemoryVersion], current: int, proposal_id: UUID) -> int | None:
    """The version that a proposal made, where it is what the memory says: it is current, or was taken back by what is.
    None where something else was said since.
    """
    known = {each.version: each for each in lines if each.held}
    at: int | None = current
    while at in known and known[at].proposal_id != proposal_id:
        at = known[at].restored_from
    return at if at in known else None
