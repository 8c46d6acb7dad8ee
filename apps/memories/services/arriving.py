"""What waits for its day: it takes over when that has come, by itself, or is taken back before.

The gate hands nothing over that does not hold by its own dates, so that nothing depends on when the clock gets here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from uuid import UUID

from apps.ledger.log import Act, act, reading
from apps.memories import prints, store, versions, waiting
from apps.memories.services.keeping import about, as_seen, neutral
from apps.memories.versions import Line, in_order
from apps.policy.echo import restates, same
from apps.policy.people import CLOCK
from apps.policy.prints import Print
from apps.policy.roles import Deed, needs
from apps.policy.types import Holder, Memory, MemoryVersion, Refused
from apps.policy.vocabulary import Ended, ReceiptKind, Refusal


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
    if _moved_on(within, old, line):
        return _stay(within, old, line)
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


def _moved_on(within: Act, old: Memory, line: MemoryVersion) -> bool:
    """Was something said since its day, or was retired what it says by what was said after it? It would come back then
    by a date, and by no deed.
    """
    within.settle()
    held = in_order(versions.history(within.vault_id, old.memory_id))
    if held[-1].since > line.since:
        return True
    pairs = pairwise(held)
    retired = [(old.memory_id, each.version) for each, by in pairs if by.version > line.version]
    current, mine = (old.memory_id, old.version), (old.memory_id, line.version)
    known = prints.found(within.vault_id, [current, mine, *retired]) if retired else {}
    if mine not in known:
        return False
    return any(restates(known[mine], known[each], known.get(current)) for each in retired if each in known)


def _stay(within: Act, old: Memory, line: MemoryVersion) -> Memory:
    """It does not take over: what holds goes on, and is opened for the holder to look at. Receipts included."""
    cancel_within(within, old, [line], line.since)
    if not waiting.reopen(within, old.memory_id, line.since):
        return old
    within.record(ReceiptKind.MEMORY_REOPENED, **about(old))
    return replace(old, reopened_at=line.since)


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
    """Of a memory, these wait no more, or were told late by mistake. Their receipts included."""
    for each in lines:
        waiting.cancel(within, each, now)
        told = replace(old, version=each.version, category=each.category)
        within.record(ReceiptKind.MEMORY_CANCELLED, **about(told))


def overtaken_within(within: Act, old: Memory, new: Memory, said: Print, now: datetime) -> None:
    """A memory says something else by a deed: of what waits, that ends which says it (it happened early) or says what
    was retired by it; and all, where it was sealed as of another category. Their receipts included.
    """
    if old.holds_until is None:
        return  # nothing waits
    lines = waiting.of(within.vault_id, old.memory_id)
    if new.category is old.category:
        retired = prints.found(within.vault_id, [(old.memory_id, old.version)]).values()
        lines = _saying(within, lines, [said, *retired])
    cancel_within(within, old, lines, now)


def wait_within(within: Act, old: Memory, new: Memory, value: str, line: Line, now: datetime) -> Memory:
    """A value that holds from a day to come waits for it: sealed, and not what search finds. The memory says what it
    said until then. Of what waited before it, that ends which was for the same day, or says the same with nothing else
    between the two. Receipts included.
    """
    versions.write(within, new, now, line, Ended.WAITING)
    store.put(within, store.vault_key_for_writing(within, now), new, value)
    within.settle()
    lines = waiting.of(within.vault_id, old.memory_id)
    others = [each for each in lines if each.version != new.version]
    same_day = [each for each in others if each.holds_from == line.holds_from]
    before = [each for each in others if line.holds_from is not None and each.since < line.holds_from][-1:]
    after = [each for each in others if line.holds_from is not None and each.since > line.holds_from][:1]
    mine = prints.found(within.vault_id, [(old.memory_id, new.version)]).values()
    cancel_within(within, old, [*same_day, *_saying(within, [*before, *after], list(mine))], now)
    waiting.set_until(within, old.memory_id, now)
    within.record(ReceiptKind.MEMORY_POSTDATED, **about(new))
    return replace(old, updated_at=now, holds_until=min(filter(None, (old.holds_until, line.holds_from))))


def _saying(within: Act, lines: Sequence[MemoryVersion], said: Sequence[Print]) -> tuple[MemoryVersion, ...]:
    """Those of these lines that say one of these."""
    known = prints.found(within.vault_id, [(each.memory_id, each.version) for each in lines])
    told = {each: known.get((each.memory_id, each.version)) for each in lines}
    return tuple(each for each, mine in told.items() if mine is not None and any(same(one, mine) for one in said))
