"""What holds by now: corrections, and what was told late.

A value that was corrected never comes back by itself. Whoever means it says so (`on_purpose`, or `reaffirm`), and that
stands in the history.
"""

from dataclasses import dataclass, replace
from datetime import date, datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from apps.ledger.log import Act, act
from apps.memories import prints, store, terms, versions
from apps.memories.services.arriving import overtaken_within, wait_within
from apps.memories.services.echoing import restated
from apps.memories.services.keeping import about, as_seen, as_written, dated, neutral, seal
from apps.memories.services.past import spell
from apps.memories.versions import Line
from apps.policy import when
from apps.policy.echo import Confirmed, Echo
from apps.policy.roles import Deed, needs
from apps.policy.text import MOST_RATIONALE, TextProblem, check_line, check_value
from apps.policy.types import Holder, Memory, Refused
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

    A value that was true before the current one only joins the history; one that is true from a day to come waits for
    it there, and what holds until then stays. The value that holds already, said again, changes nothing. Refused as
    echo for one that was corrected, unless it is `on_purpose`; as stale where the memory has moved on since
    `if_version`.
    """
    check_value(value)
    wish = Wish(label, category, neutral_label, as_of, changed, valid_from, valid_to, why)
    with act(holder.vault_id, holder.actor) as correcting:
        old = as_seen(holder, memory_id, if_version)
        if isinstance(old, Refused):
            correcting.cancel()
            return old
        done = correct_within(
            correcting, old, value, wish, now, zone=holder.time_zone, source=holder.role.value, on_purpose=on_purpose
        )
        if isinstance(done, Refused) or done == old:
            correcting.cancel()
    return done


@terms.reading_once()
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
    said = prints.of(key, value)
    told = restated(within, said, old, living=True, proposed=proposal_id is not None)
    if isinstance(told, Echo) and not on_purpose:
        return Refused(Refusal.ECHO, "/value")
    if wish.label not in (None, old.label) and not on_purpose:  # it is seen where no value is
        named = restated(within, prints.of(key, wish.label), old, living=True, proposed=proposal_id is not None)
        if isinstance(named, Echo):
            return Refused(Refusal.ECHO, "/label")
    new = _wished(old, wish, now, source)
    again = isinstance(told, Confirmed) and _same(old, new, wish)
    if again and prints.same(key, within.vault_id, old.memory_id, old.version, value):
        return old
    line = _line(wish, proposal_id, told.version if isinstance(told, Echo) else None, zone)
    ended = _joins_as(within, old, line, wish, now, ZoneInfo(zone)) if wish.valid_from or wish.valid_to else None
    new = replace(new, version=versions.next_number(within, old.memory_id))
    if ended is not None:
        _check_kept_with_it(old, wish)
        join = wait_within if ended is Ended.WAITING else _join_late
        return join(within, old, new, value, line, now)
    overtaken_within(within, old, new, said, now)
    same = isinstance(told, Confirmed)  # another spelling, label, category or source of what never was wrong
    store.supersede(within, new, now, Ended.CHANGED if wish.changed or same else Ended.WRONG, line)
    seal(within, new, value, now)
    kind = ReceiptKind.MEMORY_REAFFIRMED if line.restored_from else ReceiptKind.MEMORY_CORRECTED
    within.record(kind, **about(new))
    return as_written(within, new, old, line)


def _same(old: Memory, new: Memory, wish: Wish) -> bool:
    """Is it what holds already, with nothing new said about it?"""
    as_of = new.as_of if wish.as_of else old.as_of
    dated = wish.valid_from or wish.valid_to
    again = replace(new, source=old.source, as_of=as_of, updated_at=old.updated_at, settled_at=old.settled_at)
    return not dated and again == old


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
        settled_at=now,
        updated_at=now,
    )


def _check_kept_with_it(old: Memory, wish: Wish) -> None:
    """A neutral label is the memory's and no version's: one for another time than now would be kept nowhere. Raises
    TextProblem.
    """
    if wish.neutral_label and (wish.category not in (None, old.category) or wish.neutral_label != old.neutral_label):
        raise TextProblem(
            "neutral_label",
            "It stands for what is kept now, and what you say here is true at another time. Leave it out; change it "
            "when that day has come.",
        )


def _line(wish: Wish, proposal_id: UUID | None, restored_from: int | None, zone: str) -> Line:
    why = check_line(wish.why, "why", MOST_RATIONALE, empty=True)
    valid = dated(wish.valid_from, wish.valid_to, zone)
    return replace(valid, why=why, proposal_id=proposal_id, restored_from=restored_from)


def _joins_as(within: Act, old: Memory, line: Line, wish: Wish, now: datetime, zone: ZoneInfo) -> Ended | None:
    """As what the new value joins the history, where it does not take over: it waits for its day, or is told late.
    What puts right a wrong one takes its place, whenever it began, unless it is over already.
    """
    lines = versions.history(within.vault_id, old.memory_id)
    current = next(each for each in lines if each.version == old.version)
    if when.waits(line.holds_from, current.holds_from, now):
        return Ended.WAITING
    start, end = when.parse(line.valid_from, "valid_from"), when.parse(line.valid_to, "valid_to")
    spells = [spell(each) for each in lines]
    over = line.holds_until is not None and line.holds_until <= now
    takes = when.takes_over(spells, start, end, now=now, zone=zone) or not (wish.changed or over)
    return None if takes else Ended.LATE


def _join_late(within: Act, old: Memory, new: Memory, value: str, line: Line, now: datetime) -> Memory:
    """Into the history alone: sealed, and not what search finds. The memory says what it said."""
    versions.write(within, new, now, line, Ended.LATE)
    store.put(within, store.vault_key_for_writing(within, now), new, value)
    store.touch(within, old.memory_id, now)
    within.record(ReceiptKind.MEMORY_BACKDATED, **about(new))
    return replace(old, updated_at=now)


# ---------------------------------------------------------------- opened again
@needs(Deed.DECIDE)
def resolve(holder: Holder, memory_id: UUID, now: datetime) -> Memory | Refused:
    """Settle a memory that two sources contradict: it stays as it is. One that is not open is left alone."""
    with act(holder.vault_id, holder.actor) as resolving:
        old = as_seen(holder, memory_id)
        if isinstance(old, Refused):
            resolving.cancel()
            return old
        if not store.settle(resolving, memory_id, now):
            resolving.cancel()
            return old
        resolving.record(ReceiptKind.MEMORY_RESOLVED, **about(old))
    return replace(old, reopened_at=None)
