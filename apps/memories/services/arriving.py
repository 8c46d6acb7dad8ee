"""What waits for its day: it takes over when that has come, by itself, or is taken back before.

The gate hands nothing over that does not hold by its own dates, so that nothing depends on when the clock gets here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from apps.ledger.log import Act, act, reading
from apps.memories import store, waiting
from apps.memories.services.keeping import about, as_seen, neutral
from apps.policy.roles import Deed, needs
from apps.policy.types import Holder, Memory, MemoryVersion, Refused
from apps.policy.vocabulary import ReceiptKind, Refusal

CLOCK = "sys_clock"


def arrived(vault_id: UUID, found: Iterable[Memory]) -> bool:
    """Did something else take over from one of these, which were just looked at? Then look again."""
    return any(not each.holds and each.holds_until is not None for each in found) and arrive(vault_id) > 0


def arrive(vault_id: UUID) -> int:
    """Let what waited in a vault take over where its day has come, and as of that day. Twice at once does no harm.
    Returns how many did.
    """
    with reading(vault_id, CLOCK):
        if not waiting.due(vault_id):
            return 0
    with act(vault_id, CLOCK) as arriving:
        lines = waiting.due(vault_id)
        mine = {each.memory_id: each for each in store.memories(vault_id, {each.memory_id for each in lines})}
        for each in lines:
            if each.memory_id in mine:
                mine[each.memory_id] = _take_over(arriving, mine[each.memory_id], each)
        if not arriving.lines:
            arriving.cancel()
    return len(arriving.lines)


def _take_over(within: Act, old: Memory, line: MemoryVersion) -> Memory:
    kept = line.category is old.category
    new = replace(
        old,
        label=line.label or old.label,
        category=line.category,
        neutral_label=old.neutral_label if kept else neutral(line.category, ""),
        version=line.version,
        as_of=line.as_of,
        source=line.source,
        reopened_at=None,
        updated_at=line.since,
    )
    waiting.take_over(within, new, line)
    store.index(within, store.vault_key_for_writing(within, line.since), new, None)
    within.record(ReceiptKind.MEMORY_CORRECTED, **about(new))
    return new


@needs(Deed.KEEP)
def cancel(
    holder: Holder, memory_id: UUID, version: int, now: datetime, *, if_version: int | None = None
) -> Memory | Refused:
    """Take back what waits for its day: what holds goes on. Refused as not-found for what does not wait, as stale where
    the memory has moved on since `if_version`.
    """
    with act(holder.vault_id, holder.actor) as cancelling:
        old = as_seen(holder, memory_id, if_version)
        if isinstance(old, Refused):
            cancelling.cancel()
            return old
        lines = [each for each in waiting.of(holder.vault_id, memory_id) if each.version == version]
        if not lines:
            cancelling.cancel()
            return Refused(Refusal.NOT_FOUND)
        cancel_within(cancelling, old, lines, now)
    return replace(old, updated_at=now)


def cancel_within(within: Act, old: Memory, lines: Sequence[MemoryVersion], now: datetime) -> None:
    """Of a memory, these wait no more. Their receipts included."""
    for each in lines:
        waiting.cancel(within, each, now)
        told = replace(old, version=each.version, category=each.category)
        within.record(ReceiptKind.MEMORY_CANCELLED, **about(told))
