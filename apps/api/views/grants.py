"""Grants: what stands, narrowing it, stopping it."""

from datetime import datetime
from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from apps.access import services as access
from apps.api.authentication import EITHER, HOLDER, caller_of, holder_of, party_of
from apps.api.errors import Problem
from apps.api.inputs import GrantsQuery, NarrowIn, NoQuery
from apps.api.outputs import ConsentRecordOut, GrantOut, page_of
from apps.api.schema import IF_MATCH, operation
from apps.api.views.base import Resource, agreed, etag, id_of, listed, queried, require_match, some, tagged, taken
from apps.policy.ids import typed
from apps.policy.types import Grant, Holder


class Grants(Resource):
    """What stands and what has ended: the holder's grants, or a client's own."""

    allow = {"GET": EITHER}

    @operation("Grants, newest first", gives=page_of(GrantOut), query=GrantsQuery)
    def get(self, request: Request) -> Response:
        query = queried(request, GrantsQuery)
        after = _found(request, query["cursor"]) if "cursor" in query else None
        if after is None and "cursor" in query:
            raise Problem("validation", [("/cursor", "It leads nowhere. Begin without a cursor.")])
        limit = query["limit"]
        if isinstance(party := party_of(request), Holder):
            found = access.grants(party, client_id=query.get("client"), limit=limit + 1, after=after)
        else:
            found = access.own_grants(caller_of(request), limit=limit + 1, after=after)
        chosen = found[:limit]
        more = typed("gra", chosen[-1].grant_id) if len(found) > limit else None
        return listed(request, [grant_words(each, self.now) for each in chosen], more)


class OneGrant(Resource):
    """One grant. Its ETag is that of its terms: reading on it does not change it."""

    allow = {"GET": EITHER, "PATCH": HOLDER}

    @operation("One grant; its ETag is that of its terms", gives=GrantOut, query=NoQuery)
    def get(self, request: Request, grant: str) -> Response:
        queried(request, NoQuery)
        return _answer(some(_found(request, id_of("gra", grant))), self.now)

    @operation(
        "Narrow a grant: an earlier end, fewer reads, fewer memories; never more",
        takes=NarrowIn,
        gives=GrantOut,
        headers=[IF_MATCH],
        refuses=("precondition-required", "precondition-failed", "grant-ended", "wider"),
    )
    def patch(self, request: Request, grant: str) -> Response:
        holder, sent = holder_of(request), taken(request, NarrowIn)
        found = some(access.grant(holder, id_of("gra", grant)))
        require_match(request, _terms(found))
        wish = access.Narrower(sent.get("until"), sent.get("reads"), sent.get("memories"))
        # The service compares the terms again, under the lock: of two that were sent at once, one finds them moved.
        narrowed = access.narrow(holder, found.grant_id, wish, self.now, terms_version=found.terms_version)
        return _answer(agreed(narrowed, STALE="precondition-failed"), self.now)


class GrantConsentRecord(Resource):
    """What was agreed to, in the shape of ISO/IEC TS 27560; see docs/consent-record.md."""

    allow = {"GET": HOLDER}

    @operation("A grant's consent record, as a file to keep", gives={200: ConsentRecordOut, 304: None}, query=NoQuery)
    def get(self, request: Request, grant: str) -> Response:
        queried(request, NoQuery)
        grant_id = id_of("gra", grant)
        found = some(access.consent_record(holder_of(request), grant_id, self.now))
        name = f'attachment; filename="{typed("gra", grant_id)}.consent.json"'
        return tagged(found, request, headers={"Content-Disposition": name})


class GrantRevoke(Resource):
    """Stop a grant."""

    allow = {"POST": HOLDER}

    @operation("Revoke a grant: the very next read is refused", gives=GrantOut)
    def post(self, request: Request, grant: str) -> Response:
        return _answer(agreed(access.revoke_grant(holder_of(request), id_of("gra", grant), self.now)), self.now)


def grant_words(found: Grant, now: datetime) -> Any:
    """A grant as both its holder and its client see it."""
    return GrantOut.of(at(found, now))


def at(found: Grant, now: datetime) -> dict[str, object]:
    """A grant and how it stands at a moment: what GrantOut writes down."""
    return {"grant": found, "state": access.state_of(found, now)}


def _found(request: Request, grant_id: UUID) -> Grant | None:
    party = party_of(request)
    if isinstance(party, Holder):
        return access.grant(party, grant_id)
    return access.own_grant(caller_of(request), grant_id)


def _terms(found: Grant) -> list[object]:
    return [found.grant_id.hex, found.terms_version]


def _answer(found: Grant, now: datetime) -> Response:
    return Response(grant_words(found, now), headers={"ETag": etag(_terms(found))})
