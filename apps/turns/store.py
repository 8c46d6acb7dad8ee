"""Rows of conversations, opened and sealed under each turn's own key.

What was said stands in a turn's events and nowhere else. Turns from before there were events have two sealed texts in
their row instead.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connections
from django.db.models import OuterRef, Subquery

from apps.ledger.format.turn import (
    FIRST_TURN_VERSION,
    TURN_VERSION,
    TurnEvent,
    jcs,
    made_event,
    turn_commitment,
    turn_facts,
    turn_genesis,
)
from apps.ledger.log import Act
from apps.memories import sealing
from apps.memories import services as memories
from apps.policy.ids import instant, typed
from apps.policy.types import Turn, TurnItem
from apps.policy.vocabulary import Category, ItemState, TurnStatus
from apps.turns.events import Told, decided
from apps.turns.models import TurnEventRow, TurnItemRow, TurnRow
from apps.turns.wrapped import kept, secret_of

_COLUMNS = (
    "turn_id",
    "without_of",
    "status",
    "request_id",
    "model",
    "stand_in",
    "epoch",
    "wrapped",
    "question",
    "answer",
    "asked_n",
    "asked_body",
    "answered_n",
    "answered_body",
    "asked_at",
    "answered_at",
)
_EVENT = ("n", "kind", "at", "body", "digest", "chain_hash")


@dataclass(frozen=True, slots=True)
class Conversation:
    """One turn to be exported: its events, and the key that their digests are checked with.

    Of a turn of `muniment-turn/1` there are no events: `texts` and `facts` are what its receipt binds, under `key`.
    """

    turn_id: UUID
    version: str
    key: bytes
    events: tuple[TurnEvent, ...]
    texts: dict[str, str]
    facts: dict[str, str]


# ---------------------------------------------------------------- reading
def turn(vault_id: UUID, turn_id: UUID) -> Turn | None:
    """One turn; None for an unknown id."""
    found = _facts(vault_id, kept(vault_id).filter(turn_id=turn_id))
    return found[0] if found else None


def recent(vault_id: UUID, limit: int, without: Collection[UUID] = ()) -> tuple[Turn, ...]:
    """The newest turns; `without` those that touched these memories."""
    rows = kept(vault_id).exclude(turn_id__in=touching(vault_id, without))
    return _facts(vault_id, rows.order_by("-asked_at"), limit)


def again(vault_id: UUID, turn_id: UUID, without: Collection[UUID] = ()) -> tuple[UUID, ...]:
    """The turns that answered this one again, oldest first; `without` those that touched these memories."""
    rows = kept(vault_id).filter(without_of=turn_id).order_by("asked_at")
    return tuple(rows.exclude(turn_id__in=touching(vault_id, without)).values_list("turn_id", flat=True))


def touching(vault_id: UUID, ids: Collection[UUID]) -> frozenset[UUID]:
    """The turns in which any of these memories was offered, handed over or left out, and those that answer one of them
    again.
    """
    if not ids:
        return frozenset()
    rows = TurnItemRow.objects.filter(vault_id=vault_id, memory_id__in=list(ids))
    found: set[UUID] = set()
    new = set(rows.values_list("turn_id", flat=True))
    while new:
        found |= new
        again = kept(vault_id).filter(without_of__in=new)
        new = set(again.values_list("turn_id", flat=True)) - found
    return frozenset(found)


def asked_before(vault_id: UUID, before: datetime) -> frozenset[UUID]:
    """The turns that were asked before then, and are not erased."""
    return frozenset(kept(vault_id).filter(asked_at__lt=before).values_list("turn_id", flat=True))


def asked_since(vault_id: UUID, since: datetime) -> int:
    """How many turns were asked since then."""
    return TurnRow.objects.filter(vault_id=vault_id, asked_at__gte=since).count()


def requests_of(vault_id: UUID, turns: Collection[UUID]) -> tuple[UUID, ...]:
    """The requests that these turns filed."""
    rows = kept(vault_id).filter(turn_id__in=list(turns)).exclude(request_id=None)
    return tuple(each for each in rows.values_list("request_id", flat=True) if each)


@dataclass(frozen=True, slots=True)
class Extent:
    """How far a turn's log reaches at some moment."""

    turn_id: UUID
    request_id: UUID | None
    events: int


def extents(vault_id: UUID, turn_id: UUID | None = None) -> tuple[Extent, ...]:
    """Every turn, or this one, oldest first."""
    rows = kept(vault_id).filter(**({"turn_id": turn_id} if turn_id else {}))
    events = TurnEventRow.objects.filter(vault_id=vault_id, turn_id=OuterRef("turn_id")).order_by("-n")
    rows = rows.annotate(last_n=Subquery(events.values("n")[:1])).order_by("asked_at", "turn_id")
    return tuple(Extent(row[0], row[1], row[2] or 0) for row in rows.values_list("turn_id", "request_id", "last_n"))


def conversation(vault_id: UUID, turn_id: UUID) -> Conversation:
    """A turn that is there, whole."""
    row = kept(vault_id).filter(turn_id=turn_id).values_list("epoch", "wrapped", "question", "answer", "facts")
    epoch, wrapped, question, answer, facts = row.get()
    secret = secret_of(vault_id, turn_id, epoch, wrapped)
    if question is None:
        key = sealing.turn_digest_key(secret)
        return Conversation(turn_id, TURN_VERSION, key, _events(vault_id, turn_id, secret), {}, {})
    texts = {"question": sealing.open_text(secret, _about("question", turn_id), bytes(question))}
    if answer is not None:
        texts["response"] = sealing.open_text(secret, _about("answer", turn_id), bytes(answer))
    return Conversation(turn_id, FIRST_TURN_VERSION, secret, (), texts, dict(facts))


def _facts(vault_id: UUID, rows: Any, limit: int | None = None) -> tuple[Turn, ...]:
    """What was said comes along as columns of the same query."""
    events = TurnEventRow.objects.filter(vault_id=vault_id, turn_id=OuterRef("turn_id"))
    for kind in ("asked", "answered"):
        event = events.filter(kind=kind)[:1]
        rows = rows.annotate(
            **{f"{kind}_n": Subquery(event.values("n")), f"{kind}_body": Subquery(event.values("body"))}
        )
    found = list(rows.values_list(*_COLUMNS)[:limit])
    items: dict[UUID, list[TurnItem]] = {}
    for row in (
        TurnItemRow.objects.filter(vault_id=vault_id, turn_id__in=[each[0] for each in found])
        .order_by("position")
        .values_list("turn_id", "memory_id", "category", "state", "seq")
    ):
        items.setdefault(row[0], []).append(TurnItem(row[1], Category(row[2]), ItemState(row[3]), row[4]))
    keys = {epoch: memories.vault_key(vault_id, epoch) for epoch in {each[6] for each in found}}
    turns = []
    for row in found:
        secret = secret_of(vault_id, row[0], row[6], row[7], keys[row[6]])
        question, answer = _said(vault_id, row, secret)
        turns.append(
            Turn(
                turn_id=row[0],
                without_of=row[1],
                status=TurnStatus(row[2]),
                question=question,
                answer=answer,
                model=row[4],
                stand_in=row[5],
                request_id=row[3],
                items=tuple(items.get(row[0], ())),
                asked_at=row[14],
                answered_at=row[15],
            )
        )
    return tuple(turns)


def _said(vault_id: UUID, row: Sequence[Any], secret: bytes) -> tuple[str, str]:
    """Question and answer, from the events, or from the row where there are none."""
    turn_id = row[0]
    if row[8] is not None:
        answer = sealing.open_text(secret, _about("answer", turn_id), bytes(row[9])) if row[9] else ""
        return sealing.open_text(secret, _about("question", turn_id), bytes(row[8])), answer
    asked = _body(vault_id, turn_id, secret, row[10], "asked", row[11])
    answered = _body(vault_id, turn_id, secret, row[12], "answered", row[13]) if row[12] else {"text": ""}
    return asked["question"], answered["text"]


def _events(vault_id: UUID, turn_id: UUID, secret: bytes) -> tuple[TurnEvent, ...]:
    rows = TurnEventRow.objects.filter(vault_id=vault_id, turn_id=turn_id).order_by("n").values_list(*_EVENT)
    return tuple(
        TurnEvent(
            typed("trn", turn_id),
            n,
            kind,
            instant(at),
            _body(vault_id, turn_id, secret, n, kind, sealed),
            bytes(digest),
            bytes(chain_hash),
        )
        for n, kind, at, sealed, digest, chain_hash in rows
    )


def _body(vault_id: UUID, turn_id: UUID, secret: bytes, n: int, kind: str, sealed: bytes) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(
        sealing.open_text(secret, _about_event(vault_id, turn_id, n, kind), bytes(sealed))
    )
    return body


# ---------------------------------------------------------------- writing
def add(act: Act, new: Turn, told: Iterable[Told], now: datetime) -> str:
    """A question and what it is offered, with the first events. Returns the commitment to them, in hex."""
    key = memories.vault_key_for_writing(act, now)
    secret, wrapped = sealing.new_turn_key(act.vault_id, key, new.turn_id)
    TurnRow.objects.create(
        vault_id=act.vault_id,
        turn_id=new.turn_id,
        without_of=new.without_of,
        status=new.status.value,
        request_id=new.request_id,
        epoch=key.epoch,
        wrapped=wrapped,
        asked_at=new.asked_at,
    )
    TurnItemRow.objects.bulk_create(
        TurnItemRow(
            vault_id=act.vault_id,
            turn_id=new.turn_id,
            memory_id=item.memory_id,
            position=position,
            category=item.category.value,
            state=item.state.value,
        )
        for position, item in enumerate(new.items)
    )
    return _commitment(secret, _append(act, new.turn_id, secret, (), told, now))


def note(act: Act, turn_id: UUID, told: Iterable[Told], now: datetime) -> None:
    """More events of a turn. One from before there were events goes without, and one that was erased meanwhile."""
    state = _state(act, turn_id)
    if state is not None and state.events:
        _append(act, turn_id, state.secret, state.events, told, now)


def finish(
    act: Act,
    turn_id: UUID,
    items: Sequence[TurnItem],
    told: Sequence[Told],
    *,
    beginning: Sequence[Told],
    chosen: Mapping[Category, frozenset[UUID]],
    model: str,
    stand_in: bool,
    now: datetime,
) -> str | None:
    """The answer, and what became of each memory. Returns the commitment to all of it, in hex; None where there is an
    answer already, or the turn was erased meanwhile, and then nothing is written.

    `beginning` stands first in a turn asked before there were events; what was `chosen` elsewhere than on the turn's
    own card is told now.
    """
    state = _state(act, turn_id)
    if state is None or state.status is TurnStatus.ANSWERED:
        return None
    TurnRow.objects.filter(vault_id=act.vault_id, turn_id=turn_id).update(
        status=TurnStatus.ANSWERED.value, question=None, model=model, stand_in=stand_in, answered_at=now
    )
    with connections["default"].cursor() as cursor:
        cursor.execute(
            "UPDATE turn_item i SET state = v.state, seq = v.seq"
            " FROM unnest(%s::uuid[], %s::text[], %s::bigint[]) AS v(memory_id, state, seq)"
            " WHERE i.vault_id = %s AND i.turn_id = %s AND i.memory_id = v.memory_id",
            [
                [item.memory_id for item in items],
                [item.state.value for item in items],
                [item.seq for item in items],
                act.vault_id,
                turn_id,
            ],
        )
    told_before = {part["category"] for each in state.events if each.kind == "decided" for part in each.body["parts"]}
    elsewhere = {category: ids for category, ids in chosen.items() if category.value not in told_before}
    more = [*([] if state.events else beginning), *([decided(elsewhere, elsewhere=True)] if elsewhere else []), *told]
    return _commitment(state.secret, _append(act, turn_id, state.secret, state.events, more, now))


def erase(act: Act, turn_ids: Collection[UUID], now: datetime) -> int:
    """Destroy the keys of turns: what was said in them is gone, their events are noise from here on. Returns how many
    there were still.
    """
    if not turn_ids:
        return 0
    rows = kept(act.vault_id).filter(turn_id__in=list(turn_ids))
    return rows.update(wrapped=b"", question=None, answer=None, facts={}, erased_at=now)


def end(act: Act, now: datetime) -> int:
    """Destroy the keys of every turn. Returns how many there were still."""
    return kept(act.vault_id).update(wrapped=b"", question=None, answer=None, facts={}, erased_at=now)


@dataclass(frozen=True, slots=True)
class _State:
    """A turn inside an act, whose lock keeps it so."""

    status: TurnStatus
    secret: bytes
    events: tuple[TurnEvent, ...]


def _state(act: Act, turn_id: UUID) -> _State | None:
    row = kept(act.vault_id).filter(turn_id=turn_id).values_list("status", "epoch", "wrapped").first()
    if row is None:
        return None
    status, epoch, wrapped = row
    secret = secret_of(act.vault_id, turn_id, epoch, wrapped)
    return _State(TurnStatus(status), secret, _events(act.vault_id, turn_id, secret))


def _append(
    act: Act, turn_id: UUID, secret: bytes, before: Sequence[TurnEvent], told: Iterable[Told], now: datetime
) -> list[TurnEvent]:
    """The turn's events with these behind them, written in one statement. A clock that went back stands still."""
    key, name = sealing.turn_digest_key(secret), typed("trn", turn_id)
    events, at = list(before), max([instant(now), *(event.at for event in before[-1:])])
    for n, each in enumerate(told, start=len(before) + 1):
        previous = events[-1].chain_hash if events else turn_genesis(typed("vlt", act.vault_id), name)
        events.append(made_event(key, name, previous, n, each.kind, at, each.body))
    TurnEventRow.objects.bulk_create(
        TurnEventRow(
            vault_id=act.vault_id,
            turn_id=turn_id,
            n=event.n,
            kind=event.kind,
            at=datetime.fromisoformat(event.at),
            body=sealing.seal_text(
                secret, _about_event(act.vault_id, turn_id, event.n, event.kind), jcs(dict(event.body)).decode()
            ),
            digest=event.digest,
            chain_hash=event.chain_hash,
        )
        for event in events[len(before) :]
    )
    return events


def _commitment(secret: bytes, events: Sequence[TurnEvent]) -> str:
    key = sealing.turn_digest_key(secret)
    return turn_commitment(key, turn_facts(key, events)).hex()


def _about(what: str, turn_id: UUID) -> str:
    return f"muniment-{what}/1 {turn_id}"


def _about_event(vault_id: UUID, turn_id: UUID, n: int, kind: str) -> str:
    return f"muniment-event/1 {vault_id} {turn_id} {n} {kind}"
