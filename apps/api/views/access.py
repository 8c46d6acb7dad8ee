"""Asking, deciding and reading."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from rest_framework.request import Request
from rest_framework.response import Response

from apps.access import services as access
from apps.api import waiting
from apps.api.authentication import CLIENT, EITHER, HOLDER, caller_of, holder_of, party_of
from apps.api.errors import Problem, no_receipt_no_read, pointed
from apps.api.inputs import AskIn, DecisionIn, NoQuery, PageQuery, ReadIn
from apps.api.outputs import HANDLING, PendingOut, ReadOut, RequestOut, page_of
from apps.api.outputs.links import beside_facts
from apps.api.problems import KINDS, POLL
from apps.api.schema import A_HAND_OVER, IDEMPOTENCY_KEY, PREFER_WAIT, operation
from apps.api.views.base import (
    Resource,
    agreed,
    body_digest,
    id_of,
    idempotency_key,
    page,
    queried,
    some,
    tagged,
    taken,
)
from apps.api.views.grants import at as grant_at
from apps.policy.ids import typed
from apps.policy.types import AccessRequest, Asked, Caller, Holder, Refused
from apps.policy.vocabulary import Category, PartStatus


class AccessRequests(Resource):
    """A client asks; the holder sees what waits."""

    allow = {"GET": HOLDER, "POST": CLIENT}

    @operation(
        "What waits for the holder's decision, then what waits for a reviewer after it",
        gives=page_of(PendingOut),
        query=PageQuery,
    )
    def get(self, request: Request) -> Response:
        query, holder = queried(request, PageQuery), holder_of(request)
        waiting = access.waiting(holder, self.now)
        found = (*waiting, *(each for each in access.in_review(holder, self.now) if each not in waiting))
        return page(
            request,
            found,
            lambda each: typed("req", each.request_id),
            query,
            lambda chosen: _all_words(holder, chosen),
        )

    @operation(
        "Ask for access; the same open request is found again, not doubled",
        takes=AskIn,
        gives=RequestOut,
        status=201,
        refuses=("not-found", "cool-down"),
    )
    def post(self, request: Request) -> Response:
        caller, wish = caller_of(request), taken(request, AskIn)
        lines = [Asked(each.get("memory"), each.get("category")) for each in wish.pop("items")]
        filed = agreed(access.ask(caller, lines, now=self.now, **wish))
        body = request_words(caller, filed, self.now)
        location = f"/api/v1/access-requests/{typed('req', filed.request_id)}"
        return tagged(body, request, 201, {"Location": location, "Retry-After": str(filed.interval_seconds)})


class OneAccessRequest(Resource):
    """One request: polled by its client, read by the holder."""

    allow = {"GET": EITHER}

    @operation(
        "What became of a request",
        gives={200: RequestOut, 304: None},
        query=NoQuery,
        headers=[PREFER_WAIT],
        refuses=("slow-down",),
    )
    def get(self, request: Request, access_request: str) -> Response:
        queried(request, NoQuery)
        request_id = id_of("req", access_request)
        party = party_of(request)
        if isinstance(party, Holder):
            return tagged(pending_words(party, some(access.request(party, request_id))), request)
        caller = caller_of(request)
        found = agreed(access.check(caller, request_id, self.now), self.now, RATE_LIMITED="slow-down")
        seconds = waiting.wanted(request.headers.get("Prefer", ""))
        if seconds and found.status is PartStatus.PENDING:
            found = waiting.until(_decided, lambda: some(access.outcome(caller, request_id)), seconds)
        headers = {"Preference-Applied": f"wait={seconds}"} if seconds else {}
        return tagged(request_words(caller, found, self.now), request, headers=headers)


class AccessRequestCancel(Resource):
    """A client takes its request back."""

    allow = {"POST": CLIENT}

    @operation("Take a request back", gives=RequestOut, refuses=("already-decided",))
    def post(self, request: Request, access_request: str) -> Response:
        caller = caller_of(request)
        return tagged(
            request_words(caller, agreed(access.cancel(caller, id_of("req", access_request), self.now)), self.now),
            request,
        )


class AccessRequestDecision(Resource):
    """The holder decides. No key reaches this."""

    allow = {"POST": HOLDER}

    @operation(
        "Decide parts of a request", takes=DecisionIn, gives=PendingOut, refuses=("not-found", "already-decided")
    )
    def post(self, request: Request, access_request: str) -> Response:
        holder, sent = holder_of(request), taken(request, DecisionIn)
        decisions = {
            Category(each["part"].removeprefix("special:")): access.Decision(
                frozenset(each["memories"]), each["until"], each["reads"], frozenset(each["subjects"]), each["allow"]
            )
            for each in sent["parts"]
        }
        request_id, shown = id_of("req", access_request), shown_by(holder, sent)
        at = {category.value: f"/parts/{index}" for index, category in enumerate(decisions)}
        with pointed(at):
            decided = agreed(access.decide(holder, request_id, decisions, self.now, shown=shown))
        return tagged(pending_words(holder, decided), request)


class Reads(Resource):
    """The only road by which a client gets a value."""

    allow = {"POST": CLIENT}

    @operation(
        "Read memories",
        takes=ReadIn,
        gives=ReadOut,
        headers=[IDEMPOTENCY_KEY],
        refuses=A_HAND_OVER,
    )
    def post(self, request: Request) -> Response:
        key, digest = idempotency_key(request), body_digest(request)
        caller, sent = caller_of(request), taken(request, ReadIn)
        with no_receipt_no_read():
            result = access.read(
                caller,
                sent["memories"],
                purpose=sent["purpose"],
                idempotency_key=key,
                body_digest=digest,
                now=self.now,
                turn=typed("trn", sent["turn"]) if "turn" in sent else "-",
            )
        policy = f'"reads";q={settings.READS_PER_MINUTE};w=60'
        return Response(read_words(agreed(result, self.now)), headers={"RateLimit-Policy": policy})


def shown_by(holder: Holder, sent: Mapping[str, Any]) -> access.Shown:
    """What a program says that the person read above the buttons: a text that stands at this vault, or none."""
    below = sent["notice_below"] and access.Below(sent["notice_below"]["space"], sent["notice_below"]["version"])
    found = access.stood(holder, access.Surface.REST, sent["notice"], below)
    if found is None:
        raise Problem("validation", [("/notice", "No notice here goes by this. Name the one that was shown, or none.")])
    return found


# ---------------------------------------------------------------- words
def request_words(caller: Caller, found: AccessRequest, now: datetime) -> Any:
    """A request as its client sees it."""
    pending = found.status is PartStatus.PENDING
    answer = {"action": "read", "method": "POST", "href": "/api/v1/reads"}
    if found.status not in (PartStatus.GRANTED, PartStatus.PARTLY_GRANTED):
        answer = {"action": "answer_without"}
    return RequestOut.of(
        {
            "request_id": found.request_id,
            "status": found.status,
            "purpose": found.purpose,
            "parts": found.parts,
            "grants": [grant_at(each, now) for each in access.granted(caller, found)],
            "made_at": found.made_at,
            "expires_at": found.expires_at,
            "interval_seconds": found.interval_seconds,
            "holder_url": f"{settings.PUBLIC_URL}/requests/{typed('req', found.request_id)}",
            "next": _poll(found.request_id) if pending else answer,
        }
    )


def _poll(request_id: UUID) -> dict[str, str]:
    """To look what became of a request."""
    return {**POLL, "method": "GET", "href": f"/api/v1/access-requests/{typed('req', request_id)}"}


def _all_words(holder: Holder, chosen: Sequence[AccessRequest]) -> list[Any]:
    notice = access.notice_above(holder, access.REQUEST_NOTICE)
    return [pending_words(holder, each, notice) for each in chosen]


def pending_words(holder: Holder, found: AccessRequest, notice: access.Notice | None = None) -> Any:
    """A request as the holder sees it, with what may be chosen from, and what is to be read before."""
    called = access.names(holder.vault_id, holder.actor)
    return PendingOut.of(
        {
            "request_id": found.request_id,
            "client_id": found.client_id,
            "client_name": called.get(typed("cli", found.client_id), ""),
            "status": found.status,
            "purpose": found.purpose,
            "purpose_note": found.purpose_note,
            "ttl_seconds": found.ttl_seconds,
            "max_reads": found.max_reads,
            "made_at": found.made_at,
            "expires_at": found.expires_at,
            "parts": access.choices(holder, found),
            "notice": notice or access.notice_above(holder, access.REQUEST_NOTICE),
        }
    )


def read_words(result: access.ReadResult) -> Any:
    """What a read led to: outer labels, values as delimited fields, and the receipt of each."""
    return ReadOut.of(
        {
            "receipt": {
                "id": f"rcp_{result.first}",
                "seq": result.first,
                "last_seq": result.last,
                "at": result.at,
                "digest": f"sha256:{result.digest}",
                "href": f"/api/v1/receipts/rcp_{result.first}",
            },
            "handed_over": [_handed_words(each) for each in result.released],
            "withheld": [
                {
                    "memory": each.memory_id,
                    "problem": each.reason,
                    "cool_down_until": each.until,
                    "next": _poll(each.request_id) if each.request_id else KINDS[each.reason.value].next,
                }
                for each in result.withheld
            ],
            **beside_facts(result.beside),
            "replayed": result.replayed,
            "handling": HANDLING,
        }
    )


def _handed_words(released: access.Released) -> dict[str, object]:
    memory, handed = released.memory, released.handed
    return {
        "memory": memory.memory_id,
        "label": memory.outer_label,
        "value": handed.value,
        "attested": {"claim": memory.claim, "confirmed": True} if handed.value is None and memory.claim else None,
        "as_of": memory.as_of,
        "status": memory.state,
        "provenance": memory.source,
        "rationale": "",
        "receipt": f"rcp_{handed.seq}",
        "grant": released.grant_id,
        "reads_left": released.reads_left,
    }


def _decided(found: AccessRequest | Refused) -> bool:
    return isinstance(found, Refused) or found.status is not PartStatus.PENDING
