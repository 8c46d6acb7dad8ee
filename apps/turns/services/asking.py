"""Asking: what a question needs is worked out from labels, and filed as the chat's own request."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from apps.access import services as access
from apps.ledger import services as ledger
from apps.ledger.ids import new_id
from apps.ledger.log import Act, act, reading
from apps.memories import services as memories
from apps.policy.consent import NOT_SHOWN, Shown
from apps.policy.guests import MOST_QUESTIONS, check_room
from apps.policy.ids import typed
from apps.policy.roles import Deed, needs
from apps.policy.rules import labels_for_scope, split_by_category
from apps.policy.text import check_question
from apps.policy.types import (
    AccessPart,
    AccessRequest,
    Asked,
    Holder,
    Label,
    Memory,
    Part,
    Refused,
    Turn,
    TurnItem,
)
from apps.policy.vocabulary import Category, ItemState, PartStatus, Purpose, ReceiptKind, Refusal, TurnStatus
from apps.turns import events, provider, store
from apps.turns.events import Told
from apps.turns.services.choosing import Scoped, scope
from apps.turns.services.recording import record_turn

OPEN_FOR = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class SpecialCard:
    """A special category, decided on its own."""

    category: Category
    memories: tuple[Memory, ...]
    status: PartStatus


@dataclass(frozen=True, slots=True)
class Card:
    """What a turn asks the holder for: the ordinary memories together, each special category apart."""

    ordinary: tuple[Memory, ...]
    ordinary_status: PartStatus
    special: tuple[SpecialCard, ...]


@needs(Deed.ASK)
def ask(holder: Holder, question: str, now: datetime) -> Turn:
    """A question: nothing is read, only offered. Raises TextProblem naming `question`."""
    check_question(question)
    if holder.guest:
        with reading(holder.vault_id, holder.actor):
            _check_guest(holder, now)  # before a model is asked anything; and again where it is filed
    mine = memories.facts(holder.vault_id, holder.actor)
    labels = labels_for_scope(mine, neutral=True, local=provider.local())
    return open_turn(holder, question, scope(holder, question, labels), labels, now)


@needs(Deed.ASK)
def _check_guest(holder: Holder, now: datetime) -> None:
    """Within a look or an act. Raises TextProblem where a guest asked enough for now."""
    if holder.guest:
        asked = store.asked_since(holder.vault_id, now - timedelta(hours=1))
        check_room(holder, "question", asked, MOST_QUESTIONS, "questions within an hour")


@needs(Deed.ASK)
def open_turn(
    holder: Holder,
    question: str,
    scoped: Scoped,
    labels: Sequence[Label],
    now: datetime,
    without_of: UUID | None = None,
    left_out: Sequence[TurnItem] = (),
) -> Turn:
    """File the turn, and its request when it needs anything, in one act. Raises TextProblem naming `question` where a
    guest asked enough for now.
    """
    by_id = {label.memory_id: label for label in labels}
    wanted = [memory_id for memory_id in dict.fromkeys(scoped.memory_ids) if memory_id in by_id]
    parts = split_by_category([Asked(memory_id) for memory_id in wanted], by_id)
    items = tuple(TurnItem(each, by_id[each].category, ItemState.OFFERED, None) for each in wanted)
    new = Turn(
        turn_id=new_id(),
        without_of=without_of,
        status=TurnStatus.OFFERED,
        question=question,
        answer="",
        model="",
        stand_in=False,
        request_id=new_id() if parts else None,
        items=(*items, *left_out),
        asked_at=now,
        answered_at=None,
    )
    with act(holder.vault_id, holder.actor) as asking:
        if without_of is None:
            _check_guest(holder, now)
        _file(asking, new, parts, now)
        commitment = store.add(asking, new, beginning(new, scoped), now)
        record_turn(asking, ReceiptKind.TURN_ASKED, new, commitment)
    return new if parts else replace(new, status=TurnStatus.DECIDED)


def beginning(new: Turn, scoped: Scoped) -> list[Told]:
    """The first events of a turn: the question, what a model was shown to choose, what stays out, what is offered."""
    items = [item for item in new.items if item.state is not ItemState.LEFT_OUT]
    return [
        events.asked(new.question, new.without_of),
        *([events.prompt("scope", provider.recipient(), scoped.sent)] if scoped.sent else []),
        *(events.left_out(item) for item in new.items if item.state is ItemState.LEFT_OUT),
        events.offered(items, scoped.by),
    ]


def _file(within: Act, new: Turn, parts: Sequence[Part], now: datetime) -> None:
    client = access.built_in(within, within.vault_id, now)
    if new.request_id is None:
        return
    pending = tuple(AccessPart(part, PartStatus.PENDING, None, None) for part in parts)
    wish = AccessRequest(
        new.request_id, client.client_id, Purpose.ANSWER, "", 0, 1, now, now + OPEN_FOR, new.turn_id, pending
    )
    access.file(within, wish, provider.recipient(), new.turn_id.bytes)


@needs(Deed.ASK)
def turn(holder: Holder, turn_id: UUID) -> Turn | None:
    """One of the holder's turns, as it stands now."""
    with reading(holder.vault_id, holder.actor):
        sealed = store.touching(holder.vault_id, memories.sealed_within(holder))
        found = None if turn_id in sealed else store.turn(holder.vault_id, turn_id)
    return _as_it_stands(holder, found) if found else None


@needs(Deed.ASK)
def recent(holder: Holder, limit: int = 20) -> tuple[Turn, ...]:
    """The newest turns."""
    with reading(holder.vault_id, holder.actor):
        return store.recent(holder.vault_id, limit, memories.sealed_within(holder))


@needs(Deed.ASK)
def answered_again(holder: Holder, turn_id: UUID) -> tuple[UUID, ...]:
    """The turns that answered this one again, oldest first."""
    with reading(holder.vault_id, holder.actor):
        return store.again(holder.vault_id, turn_id, memories.sealed_within(holder))


def _as_it_stands(holder: Holder, found: Turn) -> Turn:
    """A turn's status follows from its request: offered while a part waits, then decided, or abandoned with it."""
    if found.status is not TurnStatus.OFFERED:
        mine = ledger.receipts(
            holder.vault_id,
            holder.actor,
            limit=1,
            turn=typed("trn", found.turn_id),
            kind=ReceiptKind.TURN_ANSWERED.value,
        )
        return replace(found, receipt_seq=mine[0].seq if mine else None)
    wish = access.request(holder, found.request_id) if found.request_id else None
    if wish is None:
        return replace(found, status=TurnStatus.DECIDED)
    if wish.status is PartStatus.PENDING:
        return found
    ended = any(part.status is PartStatus.EXPIRED for part in wish.parts)
    return replace(found, status=TurnStatus.ABANDONED if ended else TurnStatus.DECIDED)


@needs(Deed.ASK)
def card(holder: Holder, asked: Turn) -> Card:
    """What the holder decides on, by private labels: this is their own page."""
    wish = access.request(holder, asked.request_id) if asked.request_id else None
    if wish is None:
        return Card((), PartStatus.DENIED, ())
    ordinary: tuple[Memory, ...] = ()
    status = PartStatus.DENIED
    special = []
    for choice in access.choices(holder, wish):
        if choice.part.part.category.special:
            special.append(SpecialCard(choice.part.part.category, choice.memories, choice.part.status))
        else:
            ordinary, status = choice.memories, choice.part.status
    return Card(ordinary, status, tuple(special))


@needs(Deed.ASK)
def decide(
    holder: Holder,
    turn_id: UUID,
    *,
    ordinary: frozenset[UUID] | None = None,
    special: Mapping[Category, frozenset[UUID]] | None = None,
    now: datetime,
    shown: Shown = NOT_SHOWN,
) -> Turn | Refused:
    """The press on a card: what was chosen makes one-read grants bound to this turn.

    Deciding on the ordinary memories (an empty set: answer without any) ends the asking: special categories that
    were not decided then count as denied. Refused as not-found where one is chosen that was not offered. Raises
    TextProblem, with its part, where nothing of what was chosen can be handed over any more.
    """
    found = turn(holder, turn_id)
    if found is None:
        return Refused(Refusal.NOT_FOUND)
    if found.status is not TurnStatus.OFFERED or found.request_id is None:
        return Refused(Refusal.ALREADY_DECIDED)
    wish = access.request(holder, found.request_id)
    assert wish is not None
    chosen = dict(special or {})
    decisions = {category: _said(ids) for category, ids in chosen.items()}
    if ordinary is not None:
        for part in wish.parts:
            category = part.part.category
            if part.status is PartStatus.PENDING and category not in decisions:
                decisions[category] = _said(frozenset() if category.special else ordinary)
    decided = access.decide(holder, found.request_id, decisions, now, also=told(turn_id, now), shown=shown)
    if isinstance(decided, Refused):
        return decided
    return turn(holder, turn_id) or Refused(Refusal.NOT_FOUND)


def _said(ids: frozenset[UUID]) -> access.Decision:
    return access.Decision(ids) if ids else access.NO


def told(turn_id: UUID, now: datetime) -> Callable[[Act, Mapping[Category, frozenset[UUID]]], None]:
    """What a decision on a turn's request writes besides, in its act: the event that says what was chosen."""
    return lambda within, chosen: store.note(within, turn_id, [events.decided(chosen)], now)
