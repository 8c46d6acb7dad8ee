"""The holder's file: add, correct, put away, look; and what the rooms above need within their acts."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from uuid import UUID

from apps.ledger.ids import new_id
from apps.ledger.log import Act, act, reading
from apps.memories import store
from apps.memories.keys import VaultKey
from apps.policy.ids import typed
from apps.policy.roles import Deed, ask, needs, sees
from apps.policy.text import check_line, check_subject, check_value, subject_of
from apps.policy.types import Holder, Memory, MemoryVersion, Refused
from apps.policy.vocabulary import NEUTRAL_LABELS, Category, Claim, ReceiptKind, Refusal, State


# ---------------------------------------------------------------- the holder's file
@needs(Deed.LOOK)
def memories(holder: Holder) -> tuple[Memory, ...]:
    """The holder's own list, put-away ones included. Labels only."""
    with reading(holder.vault_id, holder.actor):
        return tuple(each for each in store.memories(holder.vault_id) if sees(holder, each))


@needs(Deed.LOOK)
def memory(holder: Holder, memory_id: UUID) -> Memory | None:
    """One of the holder's memories, its label side."""
    with reading(holder.vault_id, holder.actor):
        found = store.memory(holder.vault_id, memory_id)
    return found if found is not None and sees(holder, found) else None


@needs(Deed.LOOK)
def history(holder: Holder, memory_id: UUID) -> tuple[MemoryVersion, ...]:
    """Every version of a memory, newest first. No values."""
    with reading(holder.vault_id, holder.actor):
        found = store.memory(holder.vault_id, memory_id)
        if found is None or not sees(holder, found):
            return ()
        return store.versions(holder.vault_id, memory_id)


@needs(Deed.KEEP)
def add(
    holder: Holder,
    *,
    label: str,
    value: str,
    now: datetime,
    subject: str = "",
    category: Category = Category.ORDINARY,
    neutral_label: str = "",
    claim: Claim | None = None,
    as_of: date | None = None,
    source: str = "holder",
    sealed: bool = False,
) -> Memory:
    """Keep something; `sealed` from guardians from the first moment, which is the holder's own to do. Raises
    TextProblem, naming the field, for a text that cannot be kept as it is.
    """
    if sealed:
        ask(holder, Deed.SEAL)
    new = Memory(
        memory_id=new_id(),
        subject=check_subject(subject) if subject else subject_of(label),
        label=check_line(label, "label"),
        neutral_label=neutral(category, neutral_label),
        category=category,
        attested=claim is not None,
        claim=claim,
        version=1,
        state=State.SEALED if sealed else State.APPROVED,
        as_of=as_of,
        source=check_line(source, "source"),
        updated_at=now,
    )
    check_value(value)
    with act(holder.vault_id, holder.actor) as adding:
        keep(adding, new, value, now)
        adding.record(ReceiptKind.MEMORY_ADDED, **about(new))
    return new


@needs(Deed.KEEP)
def correct(
    holder: Holder,
    memory_id: UUID,
    *,
    value: str,
    now: datetime,
    label: str | None = None,
    category: Category | None = None,
    neutral_label: str = "",
    as_of: date | None = None,
    if_version: int | None = None,
) -> Memory | Refused:
    """Replace a value: a new version, and the old one retired, never served again. Raises TextProblem.

    `if_version` refuses as stale when the memory has moved on since the holder looked.
    """
    check_value(value)
    with act(holder.vault_id, holder.actor) as correcting:
        old = store.memory(holder.vault_id, memory_id)
        if old is None or not sees(holder, old):
            correcting.cancel()
            return Refused(Refusal.NOT_FOUND)
        if if_version is not None and if_version != old.version:
            correcting.cancel()
            return Refused(Refusal.STALE)
        kind = old.category if category is None else category
        new = replace(
            old,
            label=old.label if label is None else check_line(label, "label"),
            category=kind,
            neutral_label=old.neutral_label
            if kind is old.category and not neutral_label
            else neutral(kind, neutral_label),
            version=old.version + 1,
            as_of=as_of,
            source="holder",
            updated_at=now,
        )
        store.supersede(correcting, new, now)
        seal(correcting, new, value, now)
        correcting.record(ReceiptKind.MEMORY_CORRECTED, **about(new))
    return new


@needs(Deed.KEEP)
def put_away(holder: Holder, memory_id: UUID, now: datetime) -> Memory | Refused:
    """Keep a memory but offer it to nobody."""
    return _move(holder, memory_id, State.WITHDRAWN, ReceiptKind.MEMORY_WITHDRAWN, now)


@needs(Deed.KEEP)
def put_back(holder: Holder, memory_id: UUID, now: datetime) -> Memory | Refused:
    """Offer a memory again. Search finds it once it is indexed anew."""
    return _move(holder, memory_id, State.APPROVED, ReceiptKind.MEMORY_RESTORED, now)


@needs(Deed.SEAL)
def seal_from_guardians(holder: Holder, memory_id: UUID, now: datetime) -> Memory | Refused:
    """Keep a memory so that whoever acts for the holder finds no trace of it, and no assistant is offered it: an
    assistant's key may lie in a guardian's hands. Put back, it is there for all again.
    """
    return _move(holder, memory_id, State.SEALED, ReceiptKind.MEMORY_SEALED, now)


def _move(holder: Holder, memory_id: UUID, state: State, kind: ReceiptKind, now: datetime) -> Memory | Refused:
    with act(holder.vault_id, holder.actor) as moving:
        old = store.memory(holder.vault_id, memory_id)
        if old is None or not sees(holder, old) or old.state is state:
            moving.cancel()
            return old if old is not None and sees(holder, old) else Refused(Refusal.NOT_FOUND)
        store.set_state(moving, memory_id, state, now)
        moved = replace(old, state=state, updated_at=now)
        if state is not State.APPROVED:
            store.index(moving, store.vault_key_for_writing(moving, now), moved, None)
        moving.record(kind, **about(moved))
    return moved


# ---------------------------------------------------------------- for the rooms above, within their acts
def keep(within: Act, new: Memory, value: str, now: datetime) -> None:
    """A new memory with its seal and its place in search."""
    store.add(within, new, now)
    seal(within, new, value, now)


def seal(within: Act, new: Memory, value: str, now: datetime) -> None:
    """Seal a version's value and index it."""
    key = store.vault_key_for_writing(within, now)
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


def facts(
    vault_id: UUID, actor: str, ids: Sequence[UUID] | None = None, categories: Sequence[Category] = ()
) -> tuple[Memory, ...]:
    """Memories as facts for the rules to decide on: all, or these and those of whole categories. Labels only."""
    with reading(vault_id, actor):
        return store.memories(vault_id, ids, categories)


def facts_within(within: Act, ids: Sequence[UUID], categories: Sequence[Category]) -> tuple[Memory, ...]:
    """These memories, and those of whole categories, as they stand inside an act, whose lock keeps them so."""
    return store.memories(within.vault_id, ids, categories)


def facts_query(vault_id: UUID, ids: Sequence[UUID]) -> tuple[str, list[object]]:
    """The query behind `facts`, for a caller that sends several in one round trip; `fact` reads its rows."""
    return store.facts_query(vault_id, ids)


def fact(row: Sequence[object]) -> Memory:
    """A memory from a row of `facts_query`."""
    return store.memory_fact(row)


def vault_key(vault_id: UUID, epoch: int | None = None) -> VaultKey | None:
    """The vault's key in clear, for the conversation's own seals; None before the first seal. Within `reading`."""
    return store.vault_key(vault_id, epoch)


def vault_key_for_writing(within: Act, now: datetime) -> VaultKey:
    """The vault's key within an act; made if there is none."""
    return store.vault_key_for_writing(within, now)


def due(kind: str, limit: int) -> tuple[tuple[UUID, UUID], ...]:
    """What waits across vaults, as (vault, id) pairs; see `gate.due`."""
    return store.due(kind, limit)
