"""Rows of conversations, opened and sealed under each turn's own key."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from apps.ledger.log import Act
from apps.memories import sealing
from apps.memories import services as memories
from apps.policy.types import Turn, TurnItem
from apps.policy.vocabulary import Category, ItemState, TurnStatus
from apps.turns.models import TurnItemRow, TurnRow

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
    "facts",
    "asked_at",
    "answered_at",
)


@dataclass(frozen=True, slots=True)
class Digests:
    """What a turn receipt binds: keyed digests in hex, and the commitment to all of them."""

    facts: Mapping[str, str]
    commitment: str


def turn(vault_id: UUID, turn_id: UUID) -> Turn | None:
    """One turn; None for an unknown id."""
    found = _facts(vault_id, TurnRow.objects.filter(vault_id=vault_id, turn_id=turn_id).values_list(*_COLUMNS))
    return found[0] if found else None


def recent(vault_id: UUID, limit: int) -> tuple[Turn, ...]:
    """The newest turns."""
    rows = TurnRow.objects.filter(vault_id=vault_id).order_by("-asked_at").values_list(*_COLUMNS)[:limit]
    return _facts(vault_id, rows)


def again(vault_id: UUID, turn_id: UUID) -> tuple[UUID, ...]:
    """The turns that answered this one again, oldest first."""
    rows = TurnRow.objects.filter(vault_id=vault_id, without_of=turn_id).order_by("asked_at")
    return tuple(rows.values_list("turn_id", flat=True))


def _facts(vault_id: UUID, rows: Any) -> tuple[Turn, ...]:
    found = list(rows)
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
        key = keys[row[6]]
        assert key is not None
        secret = sealing.open_turn_key(vault_id, key, row[0], bytes(row[7]))
        turns.append(
            Turn(
                turn_id=row[0],
                without_of=row[1],
                status=TurnStatus(row[2]),
                question=sealing.open_text(secret, _about("question", row[0]), bytes(row[8])),
                answer=sealing.open_text(secret, _about("answer", row[0]), bytes(row[9])) if row[9] else "",
                model=row[4],
                stand_in=row[5],
                request_id=row[3],
                items=tuple(items.get(row[0], ())),
                asked_at=row[11],
                answered_at=row[12],
                facts=row[10],
            )
        )
    return tuple(turns)


def add(act: Act, new: Turn, now: datetime) -> None:
    """A question, sealed, and what it is offered."""
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
        question=sealing.seal_text(secret, _about("question", new.turn_id), new.question),
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


def finish(
    act: Act,
    turn: Turn,
    items: Sequence[TurnItem],
    answer: str,
    *,
    prompt: str,
    receipts: Sequence[int],
    model: str,
    stand_in: bool,
    now: datetime,
) -> Digests:
    """The answer, sealed, and what became of each memory. Returns what the turn receipt binds."""
    row = TurnRow.objects.filter(vault_id=act.vault_id, turn_id=turn.turn_id)
    epoch, wrapped = row.values_list("epoch", "wrapped").get()
    key = memories.vault_key(act.vault_id, epoch)
    assert key is not None
    secret = sealing.open_turn_key(act.vault_id, key, turn.turn_id, bytes(wrapped))
    facts = {
        "question": sealing.keyed_digest(secret, "question", turn.question),
        "prompt": sealing.keyed_digest(secret, "prompt", prompt),
        "response": sealing.keyed_digest(secret, "response", answer),
        "receipts": ",".join(map(str, receipts)),
        "model": model,
    }
    row.update(
        status=TurnStatus.ANSWERED.value,
        answer=sealing.seal_text(secret, _about("answer", turn.turn_id), answer),
        facts=facts,
        model=model,
        stand_in=stand_in,
        answered_at=now,
    )
    for item in items:
        TurnItemRow.objects.filter(vault_id=act.vault_id, turn_id=turn.turn_id, memory_id=item.memory_id).update(
            state=item.state.value, seq=item.seq
        )
    bound = "\n".join(f"{name} {facts[name]}" for name in sorted(facts))
    return Digests(facts, sealing.keyed_digest(secret, "turn", bound))


def _about(what: str, turn_id: UUID) -> str:
    return f"muniment-{what}/1 {turn_id}"
