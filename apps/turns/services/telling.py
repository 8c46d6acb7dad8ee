"""What became of a turn's memories, from its receipts, and the events that an answer is told by."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from apps.ledger import services as ledger
from apps.policy.ids import typed
from apps.policy.roles import Deed, needs
from apps.policy.types import Holder, Receipt, Turn, TurnItem
from apps.policy.vocabulary import Category, ItemState, ReceiptKind
from apps.turns import events, provider
from apps.turns.events import Told

MOST_STAMPS = 200
RELEASED_AGAIN = timedelta(seconds=55)  # a little less than the gate's sixty
Chosen = dict[Category, frozenset[UUID]]


@dataclass(frozen=True, slots=True)
class Said:
    """An answer to be stored: by whom, to what request (None: it was interrupted), and why the model gave none."""

    text: str
    model: str
    stand_in: bool
    sent: str | None
    failed: str = "-"


@needs(Deed.ASK)
def receipts_of(holder: Holder, asked: Turn) -> list[Receipt]:
    """What the ledger says of this turn's memories, oldest first. A client may put any turn's id on a read of its own,
    but not this turn's request."""
    written = ledger.receipts(holder.vault_id, holder.actor, limit=MOST_STAMPS, turn=typed("trn", asked.turn_id))
    request = typed("req", asked.request_id) if asked.request_id else "-"
    return [each for each in reversed(written) if each.kind.startswith("value.") and each.request == request]


def _stamped(holder: Holder, asked: Turn) -> dict[UUID, Receipt]:
    """What was handed over for this turn, by memory."""
    return {
        each.memory_id: each
        for each in receipts_of(holder, asked)
        if each.memory_id and each.kind == ReceiptKind.VALUE_READ
    }


@needs(Deed.ASK)
def interrupted(holder: Holder, asked: Turn, now: datetime) -> bool:
    """Were its memories handed over so long ago that they are not released again?"""
    return any(now - each.at > RELEASED_AGAIN for each in _stamped(holder, asked).values())


@needs(Deed.ASK)
def as_stamped(holder: Holder, asked: Turn) -> list[TurnItem]:
    """What became of the memories, by the ledger alone."""
    stamped = _stamped(holder, asked)
    return [
        TurnItem(item.memory_id, item.category, ItemState.HANDED_OVER, stamped[item.memory_id].seq)
        if item.memory_id in stamped
        else TurnItem(item.memory_id, item.category, ItemState.DECLINED, None)
        for item in asked.items
        if item.state is ItemState.OFFERED
    ]


def chosen_of(items: Sequence[TurnItem]) -> Chosen:
    """What the holder chose of each category, as it shows in what became of the memories."""
    chosen = {item.memory_id for item in items if item.state is not ItemState.DECLINED}
    return {
        category: frozenset(item.memory_id for item in items if item.category is category) & chosen
        for category in {item.category for item in items}
    }


@needs(Deed.ASK)
def told_of(holder: Holder, asked: Turn, items: Sequence[TurnItem], said: Said) -> list[Told]:
    """The events of an answer: what left and what stayed, in the order of the prompt; the prompt; the answer."""
    written = receipts_of(holder, asked) if items else []
    left = {each.seq: each for each in written if each.kind == ReceiptKind.VALUE_READ}
    stayed = {each.memory_id: each for each in written if each.kind == ReceiptKind.VALUE_REFUSED}
    told = [events.handed_over(left[item.seq]) for item in items if item.seq]
    told += [events.refused(item, stayed.get(item.memory_id)) for item in items if item.state is ItemState.REFUSED]
    if said.sent is not None:
        told.append(events.prompt("answer", provider.recipient(), said.sent))
    parameters = {} if said.stand_in else provider.parameters(stream=True)
    answered = events.answered(
        said.text,
        model=said.model,
        parameters=parameters,
        stand_in=said.stand_in,
        interrupted=said.sent is None,
        failed=said.failed,
    )
    return [*told, answered]
