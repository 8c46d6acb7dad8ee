"""The chat: ask, decide, get the answer at once or piece by piece, leave a memory out."""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

from django.http import StreamingHttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from apps.access import services as access
from apps.api import waiting
from apps.api.authentication import HOLDER, holder_of
from apps.api.errors import pointed
from apps.api.inputs import ConversationQuery, NoQuery, TurnDecisionIn, TurnIn, WithoutIn
from apps.api.outputs import TurnOut
from apps.api.schema import operation
from apps.api.views.access import shown_by
from apps.api.views.base import Resource, agreed, id_of, queried, some, tagged, taken
from apps.ledger import services as ledger
from apps.policy.ids import typed
from apps.policy.types import Holder, Turn
from apps.policy.vocabulary import Category, TurnStatus
from apps.turns import services as turns
from vault.clock import utc_now
from vault.streaming import pulled, streamed

STREAM = "text/event-stream"
JSON_LINES = "application/jsonl"
LONGEST_STREAM = 600
NOT_SHOWN = access.Shown(access.Surface.REST)
ANSWERS = {(200, "application/json"): TurnOut, (200, STREAM): str}


class Turns(Resource):
    """A question. Nothing is read by it, only offered."""

    allow = {"POST": HOLDER}

    @operation("Ask a question", takes=TurnIn, gives=TurnOut, status=201)
    def post(self, request: Request) -> Response:
        holder = holder_of(request)
        asked = turns.ask(holder, taken(request, TurnIn)["question"], self.now)
        return tagged(
            turn_words(holder, asked), request, 201, {"Location": f"/api/v1/turns/{typed('trn', asked.turn_id)}"}
        )


class OneTurn(Resource):
    """A turn as it stands."""

    allow = {"GET": HOLDER}

    @operation("One turn", gives={200: TurnOut, 304: None}, query=NoQuery)
    def get(self, request: Request, turn: str) -> Response:
        queried(request, NoQuery)
        holder = holder_of(request)
        return tagged(turn_words(holder, some(turns.turn(holder, id_of("trn", turn)))), request)


class TurnFile(Resource):
    """One turn as a file to keep, with its receipts and what ties them to the log."""

    allow = {"GET": HOLDER}

    @operation("One turn as a file to keep", gives={(200, JSON_LINES): str}, query=ConversationQuery)
    def get(self, request: Request, turn: str) -> StreamingHttpResponse:
        query, holder = queried(request, ConversationQuery), holder_of(request)
        return file_of(turns.conversation_file(holder, id_of("trn", turn), content=query["content"]))


class TurnsFile(Resource):
    """The whole conversation as a file to keep."""

    allow = {"GET": HOLDER}

    @operation(
        "The conversation as a file to keep",
        gives={(200, JSON_LINES): str},
        query=ConversationQuery,
        refuses=("not-found",),
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        query, holder = queried(request, ConversationQuery), holder_of(request)
        return file_of(turns.conversation_file(holder, content=query["content"]))


class TurnDecision(Resource):
    """The press on the card. When it decides the turn, the answer follows."""

    allow = {"POST": HOLDER}

    @operation("Decide what may go into the answer", takes=TurnDecisionIn, gives=ANSWERS, refuses=("already-decided",))
    def post(self, request: Request, turn: str) -> Response | StreamingHttpResponse:
        holder, sent = holder_of(request), taken(request, TurnDecisionIn)
        ordinary = frozenset(sent["ordinary"]) if "ordinary" in sent else None
        special = {category: frozenset(chosen) for category, chosen in sent.get("special", {}).items()}
        turn_id, shown = id_of("trn", turn), shown_by(holder, sent)
        at = {each.value: f"/special/{each.value}" if each.special else f"/{each.value}" for each in Category}
        with pointed(at, whole=True):
            decided = turns.decide(holder, turn_id, ordinary=ordinary, special=special, now=self.now, shown=shown)
        return answered(request, holder, agreed(decided))


class TurnWithout(Resource):
    """The same question again, without one memory."""

    allow = {"POST": HOLDER}

    @operation("Answer again without one memory", takes=WithoutIn, gives=ANSWERS)
    def post(self, request: Request, turn: str) -> Response | StreamingHttpResponse:
        holder, sent = holder_of(request), taken(request, WithoutIn)
        again = turns.without(holder, id_of("trn", turn), sent["memory"], self.now, NOT_SHOWN)
        return answered(request, holder, agreed(again))


class TurnStream(Resource):
    """Watching a turn. It spends nothing: its state until it is answered, then the answer."""

    allow = {"GET": HOLDER}

    @operation("Watch a turn", gives={(200, STREAM): str}, query=NoQuery)
    def get(self, request: Request, turn: str) -> StreamingHttpResponse:
        queried(request, NoQuery)
        holder, turn_id = holder_of(request), id_of("trn", turn)
        some(turns.turn(holder, turn_id))

        def watch() -> Iterator[str]:
            seen = None
            for _ in range(LONGEST_STREAM):
                found = turns.turn(holder, turn_id)
                if found is None:
                    return
                if found.status is not seen:
                    seen = found.status
                    yield event(seen.value, turn_words(holder, found))
                if seen in (TurnStatus.ANSWERED, TurnStatus.ABANDONED):
                    return
                waiting.pause(1)

        return event_stream(streamed(watch))


def answered(request: Request, holder: Holder, decided: Turn) -> Response | StreamingHttpResponse:
    """The turn with its answer: in one piece, or as events where the caller accepts a stream."""
    now = utc_now()
    if STREAM in request.headers.get("Accept", ""):
        if ledger.on_hold():  # before the stream begins, which could not say it
            raise ledger.OnHold

        def events() -> Iterator[str]:
            for each in turns.answer(holder, decided.turn_id, now):
                if isinstance(each, turns.Delta):
                    yield event("delta", {"text": each.text})
                else:
                    yield event("answered", turn_words(holder, each.turn))

        return event_stream(streamed(events))
    for _ in turns.answer(holder, decided.turn_id, now):
        pass
    return tagged(turn_words(holder, some(turns.turn(holder, decided.turn_id))), request)


def file_of(made: turns.ConversationFile | None) -> StreamingHttpResponse:
    """The file to keep, as it is made."""
    found = some(made)
    headers = {"Content-Disposition": f'attachment; filename="{found.name}"'}
    return StreamingHttpResponse(pulled(found.parts), content_type=JSON_LINES, headers=headers)


def event_stream(events: AsyncIterator[bytes]) -> StreamingHttpResponse:
    """Server-sent events; a proxy is asked not to gather them."""
    return StreamingHttpResponse(events, content_type=STREAM, headers={"X-Accel-Buffering": "no"})


def event(name: str, data: Any) -> str:
    """One event; its data are one line of JSON."""
    return f"event: {name}\ndata: {json.dumps(data, default=str)}\n\n"


def turn_words(holder: Holder, found: Turn) -> Any:
    """A turn with its card, and, where it answers again, what changed."""
    card, found = turns.card(holder, found), turns.numbered(holder, found)
    parts = [{"part": "ordinary", "status": card.ordinary_status, "memories": card.ordinary}] if card.ordinary else []
    parts += [
        {"part": f"special:{each.category.value}", "status": each.status, "memories": each.memories}
        for each in card.special
    ]
    earlier = turns.turn(holder, found.without_of) if found.without_of and found.answered_at else None
    return TurnOut.of(
        {
            "turn_id": found.turn_id,
            "status": found.status,
            "question": found.question,
            "answer": found.answer,
            "model": found.model,
            "stand_in": found.stand_in,
            "without_of": found.without_of,
            "items": found.items,
            "asked_at": found.asked_at,
            "answered_at": found.answered_at,
            "receipt_seq": found.receipt_seq,
            "card": parts,
            "notice": access.notice_above(holder, access.CARD_NOTICE) if parts else None,
            "compared": turns.compare(earlier.answer, found.answer) if earlier else None,
        }
    )
