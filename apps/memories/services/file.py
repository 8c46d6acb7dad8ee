"""The holder's file: add, correct, put away, look; and what the rooms above need within their acts."""

from dataclasses import replace
from datetime import date, datetime
from functools import partial
from uuid import UUID

from apps.ledger.ids import new_id
from apps.ledger.log import act
from apps.memories import epochs, linked, prints, store, terms
from apps.memories.services.keeping import (
    about,
    as_dated,
    as_seen,
    check_guest,
    dated,
    keep,
    neutral,
    rescope_within,
    taken,
)
from apps.memories.services.offering import facts
from apps.memories.services.placing import placed_within
from apps.memories.services.sight import unseen_within
from apps.policy.life import USUAL, check_weight
from apps.policy.roles import Deed, ask, needs, sees
from apps.policy.text import check_line, check_subject, check_value, subject_of
from apps.policy.types import Holder, Memory, Refused
from apps.policy.vocabulary import Category, Claim, Kind, ReceiptKind, Refusal, State


# ---------------------------------------------------------------- the holder's file
@needs(Deed.LOOK)
def memories(holder: Holder) -> tuple[Memory, ...]:
    """The holder's own list, put-away ones included. Labels only."""
    return tuple(each for each in facts(holder.vault_id, holder.actor) if sees(holder, each))


@needs(Deed.LOOK)
def memory(holder: Holder, memory_id: UUID) -> Memory | None:
    """One of the holder's memories, its label side."""
    found = facts(holder.vault_id, holder.actor, [memory_id])
    return found[0] if found and sees(holder, found[0]) else None


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
    source: str = "",
    sealed: bool = False,
    kind: Kind = Kind.SEMANTIC,
    weight: int = USUAL,
    local_only: bool = False,
    valid_from: str = "",
    valid_to: str = "",
    on_purpose: bool = False,
) -> Memory | Refused:
    """Keep something; `sealed` from guardians from the first moment, which is the holder's own to do. Without a
    `source` it came from whoever writes it down, by their role here. Raises TextProblem, naming the field, for a text
    that cannot be kept as it is.

    A subject that is made from the label gets a number where one stands there already; one that was chosen is refused
    as subject-taken. What is kept there in the same words already stays the one memory that it is. Refused as echo for
    what was corrected, or put away, unless it is `on_purpose`.
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
        source=check_line(source or holder.role.value, "source"),
        updated_at=now,
        kind=kind,
        weight=check_weight(weight),
        local_only=local_only,
    )
    check_value(value)
    line = dated(valid_from, valid_to, holder.time_zone)
    asking = [epochs.asking_key(holder.vault_id), store.asking_under(holder.vault_id, new.subject)]
    read = partial(prints.reading, value)
    with terms.reading_once(), act(holder.vault_id, holder.actor, asking=asking, meanwhile=read) as adding:
        key = epochs.told_key(holder.vault_id, adding.told[0]) or store.vault_key_for_writing(adding, now)
        there = store.told_under(adding.told[1])
        chosen = bool(subject)
        placed = placed_within(holder, adding, key, there, new, value, line, chosen=chosen, on_purpose=on_purpose)
        if isinstance(placed, Refused) or placed.memory_id != new.memory_id:
            adding.cancel()
            return placed
        check_guest(holder)
        placed = as_dated(placed, line, now)
        keep(adding, placed, value, now, line, key)
        adding.record(ReceiptKind.MEMORY_ADDED, **about(placed))
    return placed


@needs(Deed.KEEP)
def put_away(holder: Holder, memory_id: UUID, now: datetime) -> Memory | Refused:
    """Keep a memory but offer it to nobody."""
    return _move(holder, memory_id, State.WITHDRAWN, ReceiptKind.MEMORY_WITHDRAWN, now)


@needs(Deed.KEEP)
def put_back(holder: Holder, memory_id: UUID, now: datetime) -> Memory | Refused:
    """Offer a memory again. Search finds it once it is indexed anew. Refused as subject-taken where another stands
    under its subject by now.
    """
    return _move(holder, memory_id, State.APPROVED, ReceiptKind.MEMORY_RESTORED, now)


@needs(Deed.SEAL)
def seal_from_guardians(holder: Holder, memory_id: UUID, now: datetime) -> Memory | Refused:
    """Keep a memory so that whoever acts for the holder finds no trace of it, and no assistant is offered it: an
    assistant's key may lie in a guardian's hands. Put back, it is there for all again.
    """
    return _move(holder, memory_id, State.SEALED, ReceiptKind.MEMORY_SEALED, now)


def _move(holder: Holder, memory_id: UUID, state: State, kind: ReceiptKind, now: datetime) -> Memory | Refused:
    with act(holder.vault_id, holder.actor) as moving:
        old = as_seen(holder, memory_id)
        if isinstance(old, Refused) or old.state is state:
            moving.cancel()
            return old
        if state is State.APPROVED and taken(moving, old.subject):
            moving.cancel()
            return Refused(Refusal.SUBJECT_TAKEN)
        store.set_state(moving, memory_id, state, now)
        if State.SEALED in (old.state, state):
            follows = (State.MERGED, State.SEALED) if state is State.SEALED else (State.SEALED, State.MERGED)
            linked.follow(moving, memory_id, *follows, now)
        moved = replace(old, state=state, updated_at=now)
        if state is not State.APPROVED:
            store.index(moving, store.vault_key_for_writing(moving, now), moved, None)
        moving.record(kind, **about(moved))
    return moved


@needs(Deed.KEEP)
def mark(
    holder: Holder,
    memory_id: UUID,
    now: datetime,
    *,
    kind: Kind | None = None,
    weight: int | None = None,
    local_only: bool | None = None,
    if_version: int | None = None,
) -> Memory | Refused:
    """Say of what kind it is, how much it weighs (1 to 100), whether it stays local. Raises TextProblem."""
    with act(holder.vault_id, holder.actor) as marking:
        old = as_seen(holder, memory_id, if_version)
        if isinstance(old, Refused):
            marking.cancel()
            return old
        new = replace(
            old,
            kind=old.kind if kind is None else kind,
            weight=old.weight if weight is None else check_weight(weight),
            local_only=old.local_only if local_only is None else local_only,
        )
        if new == old:
            marking.cancel()
            return old
        new = replace(new, updated_at=now)
        store.set_marks(marking, new, now)
        marking.record(ReceiptKind.MEMORY_MARKED, **about(new))
    return new


@needs(Deed.KEEP)
def rescope(
    holder: Holder,
    memory_id: UUID,
    subject: str,
    now: datetime,
    *,
    if_version: int | None = None,
    on_purpose: bool = False,
) -> Memory | Refused:
    """Put a memory under another subject. Refused as subject-taken where one stands there; as echo where what it says
    was corrected or put away there, unless it is `on_purpose`. Raises TextProblem.
    """
    with act(holder.vault_id, holder.actor) as moving:
        old = as_seen(holder, memory_id, if_version)
        if isinstance(old, Refused):
            moving.cancel()
            return old
        done = rescope_within(
            moving, old, check_subject(subject), now, on_purpose=on_purpose, unseen=unseen_within(holder)
        )
        if isinstance(done, Refused) or done == old:
            moving.cancel()
    return done
