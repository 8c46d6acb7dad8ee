"""The file by rank, and what in it is worth another look. Nothing is hidden or erased for a low rank. Labels only."""

from datetime import datetime
from zoneinfo import ZoneInfo

from apps.ledger.log import reading
from apps.memories import versions
from apps.memories.services.offering import facts
from apps.policy import life, when
from apps.policy.life import Look, Standing
from apps.policy.roles import Deed, needs, sees
from apps.policy.types import Holder, Memory
from apps.policy.vocabulary import State


@needs(Deed.LOOK)
def ranked(holder: Holder, now: datetime) -> tuple[Memory, ...]:
    """The file, the highest rank first."""
    mine = [each for each in facts(holder.vault_id, holder.actor) if sees(holder, each)]
    return tuple(sorted(mine, key=lambda each: (-life.rank(each.weight, each.kind, _said(each), now), each.subject)))


@needs(Deed.LOOK)
def worth_another_look(holder: Holder, now: datetime) -> tuple[tuple[Memory, Look], ...]:
    """Living memories that are over by their own word, or that nobody has looked after for a half-life."""
    mine = {
        each.memory_id: each
        for each in facts(holder.vault_id, holder.actor)
        if sees(holder, each) and each.state is State.APPROVED
    }
    with reading(holder.vault_id, holder.actor):
        lines = versions.ending(holder.vault_id)
    zone = ZoneInfo(holder.time_zone)
    standings = []
    for each in mine.values():
        line = lines.get(each.memory_id)
        end = when.parse(line.valid_to, "valid_to") if line is not None else None
        until = end.ends(zone) if end is not None else None
        standings.append(Standing(each.memory_id, each.kind, each.weight, _said(each), until))
    return tuple((mine[look.memory_id], look) for look in life.worth_another_look(standings, now))


def _said(memory: Memory) -> datetime:
    """When the holder last said what it says, or that it holds: what else becomes of it makes it no fresher."""
    return memory.settled_at or memory.made_at or memory.updated_at
