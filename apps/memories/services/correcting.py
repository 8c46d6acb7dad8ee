"""What holds, and what held before: corrections, the way back, and the file as it was said and as it was true.

A value that was corrected never comes back by itself. Whoever means it says so (`on_purpose`, or `reaffirm`), and that
stands in the history.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from apps.ledger.log import Act, act, reading
from apps.memories import prints, store, versions
from apps.memories.services.echoing import restated
from apps.memories.services.keeping import about, dated, neutral, seal
from apps.memories.services.past import predecessor, spell
from apps.memories.services.showing import show_past
from apps.memories.versions import Line
from apps.policy import when
from apps.policy.echo import Confirmed, Echo
from apps.policy.roles import Deed, needs, sees
from apps.policy.text import MOST_RATIONALE, check_line, check_value
from apps.policy.types import Holder, Memory, MemoryVersion, Refused
from apps.policy.vocabulary import Category, Ended, ReceiptKind, Refusal


@dataclass(frozen=True, slots=True)
class Wish:
    """What a correction says besides the value; None leaves a thing as it is. `changed`: the old value was true until
    then; else it was wrong. `valid_from`, `valid_to`: a day or a moment in UTC, "" for unsaid.
    """

    label: str | None = None
    category: Category | None = None
    neutral_label: str = ""
    as_of: date | None = None
    changed: bool = False
    valid_from: str = ""
    valid_to: str = ""
    why: str = ""


@needs(Deed.KEEP)
def correct(
    holder: Holder,
    memory_id: UUID,
    *,
    value: str,
    now: datetime,
    if_version: int | None = None,
    on_purpose: bool = False,
    label: str | None = None,
    category: Category | None = None,
    neutral_label: str = "",
    as_of: date | None = None,
    changed: bool = False,
    valid_from: str = "",
    valid_to: str = "",
    why: str = "",
) -> Memory | Refused:
    """Replace a value: a new version, and the old one retired, never served again. Raises TextProblem.

    A value that was true before the current one only joins the history. The value that holds already, said again,
    changes nothing. Refused as echo for one that was corrected, unless it is `on_purpose`; as stale where the memory
    has moved on since `if_version`.
    """
    check_value(value)
    wish = Wish(label, category, neutral_label, as_of, changed, valid_from, valid_to, why)
    with act(holder.vault_id, holder.actor) as correcting:
        old = store.memory(holder.vault_id, memory_id)
        if old is None or not sees(holder, old):
            correcting.cancel()
            return Refused(Refusal.NOT_FOUND)
        if if_version is not None and if_version != old.version:
            correcting.cancel()
            return Refused(Refusal.STALE)
        done = correct_within(
            correcting,
            old,
            value,
            wish,
            now,
            zone=holder.time_zone,
            source="holder",
            on_purpose=on_purpose,
        )
        if isinstance(done, Refused) or done == old:
            correcting.cancel()
    return done


def correct_within(
    within: Act,
    old: Memory,
    value: str,
    wish: Wish,
    now: datetime,
    *,
    zone: str,
    source: str,
    on_purpose: bool = False,
    proposal_id: UUID | None = None,
) -> Memory | Refused:
    """`correct`, within an act: its receipt included. The memory as it was where nothing changes."""
    key = store.vault_key_for_writing(within, now)
    told = restated(within, prints.of(key, value), old)
    if isinstance(told, Echo) and not on_purpose:
        return Refused(Refusal.ECHO, "/value")
    new = _wished(old, wish, now, source)
    if isinstance(told, Confirmed) and _same(old, new, wish):
        return old
    line = _line(wish, proposal_id, told.version if isinstance(told, Echo) else None, zone)
    dated_ = wish.valid_from or wish.valid_to
    lines = versions.history(within.vault_id, old.memory_id) if dated_ else ()
    holds = not dated_ or _takes_over(lines, line, wish, now, ZoneInfo(zone))
    new = replace(new, version=versions.next_number(within.vault_id, old.memory_id))
    if not holds:
        return _backdate(within, old, new, value, line, now)
    store.supersede(within, new, now, Ended.CHANGED if wish.changed else Ended.WRONG, line)
    seal(within, new, value, now)
    kind = ReceiptKind.MEMORY_REAFFIRMED if line.restored_from else ReceiptKind.MEMORY_CORRECTED
    within.record(kind, **about(new))
    return new


def _same(old: Memory, new: Memory, wish: Wish) -> bool:
    """Is it what holds already, with nothing new said about it?"""
    as_of = new.as_of if wish.as_of else old.as_of
    dated = wish.valid_from or wish.valid_to
    return not dated and replace(new, source=old.source, updated_at=old.updated_at, as_of=as_of) == old


def _wished(old: Memory, wish: Wish, now: datetime, source: str) -> Memory:
    category = old.category if wish.category is None else wish.category
    kept = category is old.category and not wish.neutral_label
    return replace(
        old,
        label=old.label if wish.label is None else check_line(wish.label, "label"),
        category=category,
        neutral_label=old.neutral_label if kept else neutral(category, wish.neutral_label),
        as_of=wish.as_of,
        source=source,
        reopened_at=None,
        updated_at=now,
    )


def _line(wish: Wish, proposal_id: UUID | None, restored_from: int | None, zone: str) -> Line:
    why = check_line(wish.why, "why", MOST_RATIONALE, empty=True)
    valid = dated(wish.valid_from, wish.valid_to, zone)
    return replace(valid, why=why, proposal_id=proposal_id, restored_from=restored_from)


def _takes_over(lines: Sequence[MemoryVersion], line: Line, wish: Wish, now: datetime, zone: ZoneInfo) -> bool:
    """Does the new value hold, or does it only join the history? What puts right a wrong one takes its place."""
    start, end = when.parse(line.valid_from, "valid_from"), when.parse(line.valid_to, "valid_to")
    spells = [spell(each) for each in lines]
    return when.takes_over(spells, start, end, now=now, zone=zone) or not (wish.changed or end)


def _backdate(within: Act, old: Memory, new: Memory, value: str, line: Line, now: datetime) -> Memory:
    """Into the history alone: sealed, and not what search finds. The memory stays as it was."""
    versions.write(within, new, now, line, Ended.CHANGED)
    store.put(within, store.vault_key_for_writing(within, now), new, value)
    within.record(ReceiptKind.MEMORY_BACKDATED, **about(new))
    return replace(old, updated_at=now)


# ---------------------------------------------------------------- the way back
@needs(Deed.KEEP)
def revert(holder: Holder, memory_id: UUID, now: datetime, *, if_version: int | None = None) -> Memory | Refused:
    """Seal what was said before as a new version. Said again, it goes further back. Refused as nothing-before where
    there is nothing; the value is looked at for it, which is stamped as shown.
    """
    with reading(holder.vault_id, holder.actor):
        found = store.memory(holder.vault_id, memory_id)
        lines = versions.history(holder.vault_id, memory_id) if found is not None and sees(holder, found) else ()
    before = predecessor(lines, found.version) if found is not None else None
    if not lines:
        return Refused(Refusal.NOT_FOUND)
    if before is None:
        return Refused(Refusal.NOTHING_BEFORE)
    return _restore(holder, memory_id, before, now, ReceiptKind.MEMORY_REVERTED, if_version)


@needs(Deed.KEEP)
def reaffirm(
    holder: Holder, memory_id: UUID, version: int, now: datetime, *, if_version: int | None = None
) -> Memory | Refused:
    """Take a retired value back on purpose, as a new version. Refused as not-found for a version there is none of."""
    with reading(holder.vault_id, holder.actor):
        found = store.memory(holder.vault_id, memory_id)
        line = versions.one(holder.vault_id, memory_id, version) if found is not None and sees(holder, found) else None
    if line is None or line.retired_at is None:
        return Refused(Refusal.NOT_FOUND)
    return _restore(holder, memory_id, line, now, ReceiptKind.MEMORY_REAFFIRMED, if_version)


def _restore(
    holder: Holder, memory_id: UUID, line: MemoryVersion, now: datetime, kind: ReceiptKind, if_version: int | None
) -> Memory | Refused:
    looked = show_past(holder, [(memory_id, line.version)])
    if not looked.values or looked.values[0].value is None:
        return Refused(Refusal.NOT_FOUND)
    with act(holder.vault_id, holder.actor) as restoring:
        old = store.memory(holder.vault_id, memory_id)
        if old is None or not sees(holder, old):
            restoring.cancel()
            return Refused(Refusal.NOT_FOUND)
        if if_version is not None and if_version != old.version:
            restoring.cancel()
            return Refused(Refusal.STALE)
        number = versions.next_number(holder.vault_id, memory_id)
        new = replace(
            old, version=number, as_of=line.as_of, source=line.source, label=line.label or old.label, reopened_at=None
        )
        new = replace(new, updated_at=now)
        store.supersede(restoring, new, now, Ended.WRONG, Line(restored_from=line.version))
        seal(restoring, new, looked.values[0].value, now)
        restoring.record(kind, **about(new))
    return new


# ---------------------------------------------------------------- opened again
@needs(Deed.DECIDE)
def resolve(holder: Holder, memory_id: UUID, now: datetime) -> Memory | Refused:
    """Settle a memory that two sources contradict: it stays as it is. One that is not open is left alone."""
    with act(holder.vault_id, holder.actor) as resolving:
        old = store.memory(holder.vault_id, memory_id)
        if old is None or not sees(holder, old):
            resolving.cancel()
            return Refused(Refusal.NOT_FOUND)
        if not store.set_reopened(resolving, memory_id, None):
            resolving.cancel()
            return old
        resolving.record(ReceiptKind.MEMORY_RESOLVED, **about(old))
    return replace(old, reopened_at=None)
