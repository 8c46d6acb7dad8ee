"""A turn as its page shows it: cards before the decision; the answer, its stamps and its other versions after."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from apps.access import services as access
from apps.policy.ids import typed
from apps.policy.types import Holder, Receipt, Turn
from apps.policy.vocabulary import Form, ItemState, PartStatus, TurnStatus
from apps.turns import services as turns
from apps.web.lines import Names, names_of
from apps.web.words import REFUSALS, refusal

MOST_STAMPS = 200
MOST_VERSIONS = 50


@dataclass(frozen=True, slots=True)
class Stamp:
    """What became of one memory in an answer. Made from receipts, never from the model's text.

    `shape` is value, attested, refused or left; `seq` and `at` are its receipt's, where there is one.
    """

    memory_id: UUID
    label: str
    shape: str
    state: ItemState
    special: bool
    why: str
    seq: int | None
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Version:
    """One answer to the question: what was left out of it that the one before had, and when it was asked for."""

    turn: Turn
    left_out: tuple[str, ...]


def conversation(holder: Holder, asked: Turn) -> dict[str, Any]:
    """What the turn's templates need, by name."""
    names, asked = names_of(holder), turns.numbered(holder, asked)
    found: dict[str, Any] = {"turn": asked, "stage": asked.status.value}
    if asked.status is TurnStatus.OFFERED:
        card = turns.card(holder, asked)
        undecided = [each for each in card.special if each.status is PartStatus.PENDING]
        found |= {"card": card, "undecided": undecided, "preselect": access.preselects(holder)}
        return found | {"notice": access.notice_above(holder, access.CARD_NOTICE)}
    earlier = turns.turn(holder, asked.without_of) if asked.without_of else None
    found |= {"versions": versions(holder, asked, names), "left_out": left_out(asked, earlier, names)}
    if asked.status is TurnStatus.ANSWERED:
        found |= {"stamps": stamps(holder, asked, names)}
        found["handed"] = [each for each in found["stamps"] if each.state is ItemState.HANDED_OVER]
    if earlier is not None and earlier.answer:
        found |= {"earlier": earlier, "earlier_seqs": _seqs(turns.numbered(holder, earlier))}
        found["sentences"] = turns.compare(earlier.answer, asked.answer)
        found["earlier_sentences"] = turns.compare(asked.answer, earlier.answer)  # what is new in reverse is gone
    return found


def stamps(holder: Holder, asked: Turn, names: Names) -> list[Stamp]:
    """The stamps of a turn, in the order its memories were offered."""
    written = turns.receipts(holder, limit=MOST_STAMPS, turn=typed("trn", asked.turn_id))
    about: Mapping[UUID, Receipt] = {
        each.memory_id: each for each in written if each.memory_id and each.kind.startswith("value.")
    }
    return [
        Stamp(
            item.memory_id,
            names.memory(item.memory_id),
            _shape(item.state, about.get(item.memory_id)),
            item.state,
            item.category.special,
            _why(item.state, about.get(item.memory_id)),
            about[item.memory_id].seq if item.memory_id in about else None,
            about[item.memory_id].at if item.memory_id in about else None,
        )
        for item in asked.items
    ]


def versions(holder: Holder, asked: Turn, names: Names) -> list[Version]:
    """Every answer to this question, oldest first, from the first one asked to the newest."""
    first = asked
    while first.without_of and (before := turns.turn(holder, first.without_of)):
        first = before
    found, todo = [Version(first, ())], [first]
    while todo and len(found) < MOST_VERSIONS:
        before = todo.pop(0)
        for turn_id in turns.answered_again(holder, before.turn_id):
            again = turns.turn(holder, turn_id)
            if again is not None:
                found.append(Version(again, left_out(again, before, names)))
                todo.append(again)
    return found if len(found) > 1 else []


def left_out(asked: Turn, earlier: Turn | None, names: Names) -> tuple[str, ...]:
    """The labels that this answer leaves out and the earlier one did not."""
    before = {item.memory_id for item in earlier.items if item.state is ItemState.LEFT_OUT} if earlier else set()
    return tuple(
        names.memory(item.memory_id)
        for item in asked.items
        if item.state is ItemState.LEFT_OUT and item.memory_id not in before
    )


def _shape(state: ItemState, receipt: Receipt | None) -> str:
    if state is ItemState.LEFT_OUT:
        return "left"
    if state is not ItemState.HANDED_OVER:
        return "refused"
    return "attested" if receipt and receipt.form == Form.ATTESTED else "value"


def _why(state: ItemState, receipt: Receipt | None) -> str:
    reason = receipt.reason if receipt and state is ItemState.REFUSED else ""
    return refusal(reason).short if reason in set(REFUSALS) else ""


def _seqs(turn: Turn) -> list[int]:
    return sorted(item.seq for item in turn.items if item.seq is not None)
