"""The file by rank, and what in it is worth another look. Nothing is hidden or erased for a low rank. Labels only."""

from datetime import datetime
from zoneinfo import ZoneInfo

from apps.ledger.log import reading
from apps.memories import store, versions
from apps.policy import life, when
from apps.policy.life import Look, Standing
from apps.policy.roles import Deed, needs, sees
from apps.policy.types import Holder, Memory
from apps.policy.vocabulary import State


@needs(Deed.LOOK)
def ranked(holder: Holder, now: datetime) -> tuple[Memory, ...]:
    """The file, the highest rank first."""
    with reading(holder.vault_id, holder.actor):
        mine = [each for each in store.memories(holder.vault_id) if sees(holder, each)]
    return tuple(
        sorted(mine, key=lambda each: (-life.rank(each.weight, each.kind, each.updated_at, now), each.subject))
    )


@needs(Deed.LOOK)
def worth_another_look(holder: Holder, now: datetime) -> tuple[tuple[Memory, Look], ...]:
    """Living memories that are over by their own word, or that nobody has looked after for a half-life."""
    with reading(holder.vault_id, holder.actor):
        mine = {
            each.memory_id: each
            for each in store.memories(holder.vault_id)
            if sees(holder, each) and each.state is State.APPROVED
        }
        lines = versions.ending(holder.vault_id)
    zone = ZoneInfo(holder.time_zone)
    standings = []
    for each in mine.values():
        line = lines.get(each.memory_id)
        end = when.parse(line.valid_to, "valid_to") if line is not None else None
        until = end.ends(zone) if end is not None else None
        standings.append(Standing(each.memory_id, each.kind, each.weight, each.updated_at, until))
    return tuple((mine[look.memory_id], look) for look in life.worth_another_look(standings, now))
