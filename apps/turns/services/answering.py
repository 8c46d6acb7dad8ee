"""Answering: hand over what was chosen, build the prompt from that alone, stream, and leave the turn receipt."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.access import services as access
from apps.ledger.log import act
from apps.memories import services as memories
from apps.policy.consent import NOT_SHOWN, Shown
from apps.policy.ids import typed
from apps.policy.roles import Deed, needs
from apps.policy.rules import labels_for_scope
from apps.policy.text import TextProblem
from apps.policy.types import AccessRequest, Holder, Refused, Turn, TurnItem
from apps.policy.vocabulary import Category, Claim, ItemState, Purpose, ReceiptKind, Refusal, TurnStatus
from apps.turns import provider, standin, store
from apps.turns.prompts import Reference, answer_prompt
from apps.turns.services.asking import beginning, open_turn, told, turn
from apps.turns.services.choosing import Scoped
from apps.turns.services.recording import record_turn
from apps.turns.services.telling import Chosen, Said, as_stamped, chosen_of, interrupted, told_of


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The turn with its whole answer and its stamps. Its answer replaces whatever was streamed."""

    turn: Turn


Event = Delta | Finished


@needs(Deed.ASK)
def answer(holder: Holder, turn_id: UUID, now: datetime) -> Iterator[Event]:
    """Answer a decided turn, piece by piece; on an answered one, only say so. An unknown or undecided one: nothing.

    When the model fails, at the start or in the middle, the stand-in answers, and the turn says that it did. A turn
    that was interrupted after its memories left (the process died) is ended as that: they are shown as handed over.
    """
    asked = turn(holder, turn_id)
    if asked is None or asked.status not in (TurnStatus.DECIDED, TurnStatus.ANSWERED):
        return
    if asked.status is TurnStatus.ANSWERED:
        yield Finished(asked)
        return
    handed = None if interrupted(holder, asked, now) else _hand_over(holder, asked, now)
    if handed is None:
        said = Said(standin.INTERRUPTED, standin.NAME, True, None)
        _store(holder, asked, as_stamped(holder, asked), said, _granted(holder, asked)[1], now)
        yield from answer(holder, turn_id, now)
        return
    references, items = handed
    messages = answer_prompt(asked.question, references)
    sent = provider.as_sent(messages, stream=True)
    pieces: list[str] = []
    try:
        for piece in provider.stream(messages):
            pieces.append(piece)
            yield Delta(piece)
        said = Said("".join(pieces), provider.name(), not provider.configured(), sent)
    except provider.ModelFailed as problem:
        said = Said(standin.answer(messages), standin.NAME, True, sent, str(problem))
    _store(holder, asked, items, said, chosen_of(items), now)
    finished = turn(holder, turn_id)
    assert finished is not None
    yield Finished(finished)


@needs(Deed.ASK)
def without(holder: Holder, turn_id: UUID, memory_id: UUID, now: datetime, shown: Shown = NOT_SHOWN) -> Turn | Refused:
    """Leave one memory out: a new turn, decided by this press, with what the earlier one was handed but for this.

    Its prompt holds neither the value nor the earlier answer, which may quote it. The earlier turn stays as it is.
    """
    earlier = turn(holder, turn_id)
    if earlier is None or earlier.status is not TurnStatus.ANSWERED:
        return Refused(Refusal.NOT_FOUND)
    used = [item.memory_id for item in earlier.items if item.state is ItemState.HANDED_OVER]
    if memory_id not in used:
        return Refused(Refusal.NOT_FOUND)
    kept = [each for each in used if each != memory_id]
    mine = memories.facts(holder.vault_id, holder.actor)
    labels = labels_for_scope(mine, neutral=True, local=provider.local())
    gone = [item for item in earlier.items if item.memory_id == memory_id or item.state is ItemState.LEFT_OUT]
    left_out = [TurnItem(item.memory_id, item.category, ItemState.LEFT_OUT, None) for item in gone]
    again = open_turn(
        holder, earlier.question, Scoped(tuple(kept), "earlier"), labels, now, without_of=turn_id, left_out=left_out
    )
    if again.request_id:
        wish = access.request(holder, again.request_id)
        assert wish is not None
        decisions = {each.part.category: access.Decision(frozenset(each.part.memory_ids)) for each in wish.parts}
        with suppress(TextProblem):  # something was put away this moment: the card asks, of what is left
            access.decide(holder, again.request_id, decisions, now, also=told(again.turn_id, now), shown=shown)
    return turn(holder, again.turn_id) or Refused(Refusal.NOT_FOUND)


def _hand_over(holder: Holder, asked: Turn, now: datetime) -> tuple[list[Reference], list[TurnItem]] | None:
    """Each part is stamped apart, under its own grant. Returns what the prompt may hold, and what became of all.

    None where a part was stamped before and is not released again: the turn was interrupted.
    """
    wish, granted = _granted(holder, asked)
    references: list[Reference] = []
    items: list[TurnItem] = []
    by_category: dict[Category, list[UUID]] = {}
    for item in asked.items:
        if item.state is ItemState.OFFERED:
            by_category.setdefault(item.category, []).append(item.memory_id)
    for category, ids in by_category.items():
        chosen = [memory_id for memory_id in ids if memory_id in granted.get(category, frozenset())]
        items += [TurnItem(each, category, ItemState.DECLINED, None) for each in ids if each not in chosen]
        if not chosen or wish is None:
            continue
        asking = typed("cli", wish.client_id)
        party = access.Party(holder.vault_id, asking, provider.recipient(), wish.client_id, provider.local())
        result = access.hand_over(
            party,
            chosen,
            purpose=Purpose.ANSWER,
            key=f"{asked.turn_id.hex} {category.value}",
            body_digest=asked.turn_id.hex,
            now=now,
            turn=typed("trn", asked.turn_id),
            turn_id=asked.turn_id,
            request=typed("req", wish.request_id),
        )
        if isinstance(result, Refused):
            return None
        released = result.released
        references += [_reference(each) for each in released]
        seqs = {each.handed.memory_id: each.handed.seq for each in released}
        items += [
            TurnItem(each, category, ItemState.HANDED_OVER if each in seqs else ItemState.REFUSED, seqs.get(each))
            for each in chosen
        ]
    return references, items


def _granted(holder: Holder, asked: Turn) -> tuple[AccessRequest | None, Chosen]:
    """The turn's request, and what the holder chose of each part of it."""
    wish = access.request(holder, asked.request_id) if asked.request_id else None
    if wish is None:
        return None, {}
    granted = access.chosen(holder, wish)
    return wish, {each.part.category: granted.get(each.part.category, frozenset()) for each in wish.parts}


def _reference(released: access.Released) -> Reference:
    memory, handed = released.memory, released.handed
    claim: Claim | None = memory.claim if handed.value is None else None
    return Reference(
        memory.outer_label, handed.value, claim.value if claim else None, memory.as_of, memory.source, handed.seq
    )


def _store(holder: Holder, asked: Turn, items: Sequence[TurnItem], said: Said, chosen: Chosen, now: datetime) -> None:
    """The answer and its turn receipt in one act. Of two that answered at once, the first is kept."""
    told = told_of(holder, asked, items, said)
    with act(holder.vault_id, holder.actor) as answering:
        commitment = store.finish(
            answering,
            asked.turn_id,
            items,
            told,
            beginning=beginning(asked, Scoped((), "words")),
            chosen=chosen,
            model=said.model,
            stand_in=said.stand_in,
            now=now,
        )
        if commitment is None:
            answering.cancel()
            return
        record_turn(answering, ReceiptKind.TURN_ANSWERED, asked, commitment)
