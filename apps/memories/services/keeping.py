"""What keeping a memory takes, within an act, and what the rooms above need of memories within theirs."""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from apps.ledger.log import Act
from apps.memories import store
from apps.memories.keys import VaultKey
from apps.memories.services.echoing import brought_back
from apps.memories.versions import NO_LINE, Line
from apps.policy import when
from apps.policy.guests import MOST_MEMORIES, check_room
from apps.policy.ids import typed
from apps.policy.roles import Deed, needs, sees
from apps.policy.text import check_line
from apps.policy.types import Holder, Memory, Refused
from apps.policy.vocabulary import NEUTRAL_LABELS, Category, ReceiptKind, Refusal, State


@needs(Deed.LOOK)
def as_seen(holder: Holder, memory_id: UUID, if_version: int | None = None) -> Memory | Refused:
    """The memory as it stands for this seat, within a look or an act. Not-found also for one that was merged into
    another; stale where it is no longer at `if_version`.
    """
    found = store.memory(holder.vault_id, memory_id)
    if found is None or not sees(holder, found) or found.merged_into is not None:
        return Refused(Refusal.NOT_FOUND)
    return found if if_version in (None, found.version) else Refused(Refusal.STALE)


def as_dated(new: Memory, line: Line, now: datetime) -> Memory:
    """A new memory, as its days let it stand."""
    end = line.holds_until
    holds = line.from_later(now) is None and (end is None or end > now)
    return replace(new, holds_until=end, holds=holds)


def as_written(within: Act, new: Memory, old: Memory, line: Line) -> Memory:
    """A memory that took the place of another as its row stands: looked at again only where one of them has days."""
    if old.holds and {old.holds_until, line.holds_from, line.holds_until} == {None}:
        return new
    within.settle()
    return store.memory(within.vault_id, new.memory_id) or new


def taken(within: Act, subject: str) -> bool:
    """Does a living memory stand under this subject?"""
    return any(each.state is State.APPROVED for each in store.under(within.vault_id, subject))


def dated(valid_from: str, valid_to: str, zone: str) -> Line:
    """From when to when it was true, as a line of history says it: a day is the one where the person lives who says so.
    Raises TextProblem.
    """
    start, end = when.parse(valid_from, "valid_from"), when.parse(valid_to, "valid_to")
    when.check_order(start, end, ZoneInfo(zone))
    where = ZoneInfo(zone)
    return Line(
        valid_from=str(start or ""),
        valid_to=str(end or ""),
        holds_from=start.starts(where) if start is not None else None,
        holds_until=end.ends(where) if end is not None else None,
    )


def rescope_within(
    within: Act,
    old: Memory,
    subject: str,
    now: datetime,
    *,
    on_purpose: bool = False,
    unseen: Collection[UUID] = (),
) -> Memory | Refused:
    """`rescope`, within an act: its receipt included. What search holds of it is made anew by the clock."""
    if subject == old.subject:
        return old
    if old.state is State.APPROVED and taken(within, subject):
        return Refused(Refusal.SUBJECT_TAKEN)
    if not on_purpose and brought_back(within, old, subject, unseen) is not None:
        return Refused(Refusal.ECHO, "/subject")
    store.set_subject(within, old.memory_id, subject, now)
    moved = replace(old, subject=subject, updated_at=now)
    store.index(within, store.vault_key_for_writing(within, now), moved, None)
    within.record(ReceiptKind.MEMORY_RESCOPED, **about(moved))
    return moved


@needs(Deed.LOOK)
def held_by_guest(seat: Holder) -> int:
    """How many memories a guest's vault holds. Any other has room for more, and is not counted: 0."""
    return len(store.memories(seat.vault_id)) if seat.guest else 0


@needs(Deed.LOOK)
def check_guest(seat: Holder, held: int | None = None) -> None:
    """Within an act that adds a memory to so many `held`; left out, they are counted. Raises TextProblem where the
    vault is a guest's, and full.
    """
    there = held_by_guest(seat) if held is None else held
    check_room(seat, "value", there, MOST_MEMORIES, "memories")


def keep(
    within: Act, new: Memory, value: str, now: datetime, line: Line = NO_LINE, key: VaultKey | None = None
) -> None:
    """A new memory with its seal and its place in search. `key`: the vault's, where it was looked up in this act."""
    store.add(within, new, now, line)
    plain = new.category is Category.ORDINARY and not new.attested
    if plain and new.version == 1 and new.state is State.APPROVED:
        store.stage(within, key or store.vault_key_for_writing(within, now), new, value)
        store.index_approved(within, [new.memory_id])
    else:
        seal(within, new, value, now, key)


def seal(within: Act, new: Memory, value: str, now: datetime, key: VaultKey | None = None) -> None:
    """Seal a version's value and index it. `key` as in `keep`."""
    key = key or store.vault_key_for_writing(within, now)
    store.put(within, key, new, value)
    store.index(within, key, new, value)


def neutral(category: Category, label: str) -> str:
    """The label that may be seen outside: none for an ordinary memory, a neutral one for a special category."""
    if not category.special:
        return ""
    return check_line(label, "neutral_label", empty=True) or NEUTRAL_LABELS[category]


def about(memory: Memory) -> dict[str, object]:
    """The fields by which a receipt names a memory."""
    return {
        "memory": memory.memory_id,
        "object": typed("mem", memory.memory_id),
        "version": memory.version,
        "category": memory.category.value,
    }


def vault_key(vault_id: UUID, epoch: int | None = None) -> VaultKey | None:
    """The vault's key in clear, for the conversation's own seals; None before the first seal. Within `reading`."""
    return store.vault_key(vault_id, epoch)


def vault_key_for_writing(within: Act, now: datetime) -> VaultKey:
    """The vault's key within an act; made if there is none."""
    return store.vault_key_for_writing(within, now)


def due(kind: str, limit: int) -> tuple[tuple[UUID, UUID], ...]:
    """What waits across vaults, as (vault, id) pairs; see `gate.due`."""
    return store.due(kind, limit)
