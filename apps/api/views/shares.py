"""Shares, for whoever may share at a vault: preview, make, follow, stop. Whoever has a link opens it on its page."""

from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.authentication import HOLDER, holder_of
from apps.api.errors import pointed, sent_as
from apps.api.inputs import NoQuery, PageQuery
from apps.api.outputs.shape import page_of
from apps.api.outputs.shares import ShareOpeningOut, ShareOut, SharePreviewOut, share_facts
from apps.api.problems import Kind
from apps.api.schema import IDEMPOTENCY_KEY_OF_A_SHARE, IF_MATCH, operation
from apps.api.sharing import ShareIn, SharePreviewIn, places, terms_of
from apps.api.views.base import (
    Resource,
    agreed,
    body_digest,
    etag,
    id_of,
    idempotency_key,
    page,
    queried,
    require_match,
    some,
    taken,
)
from apps.policy.ids import typed
from apps.policy.types import Holder, Sent
from apps.policy.vocabulary import Refusal
from apps.shares import services as shares
from vault.tokens import share_address

NOT_THESE = ("not-found", "no-shares", "never-shared", "local-only")
TOLD = {
    Refusal.LOCAL_ONLY: Kind(
        403,
        "Stays local",
        "This memory is kept to what runs at home, and a link goes out. Leave it out, or let it leave home first.",
    )
}


class SharePreview(Resource):
    """What whoever opens a share would see. Nothing is shared, and no value is looked at."""

    allow = {"POST": HOLDER}

    @operation("What a share of these would show", takes=SharePreviewIn, gives=SharePreviewOut, refuses=NOT_THESE)
    def post(self, request: Request) -> Response:
        sent = taken(request, SharePreviewIn)
        return Response(SharePreviewOut.of(agreed(shares.preview(holder_of(request), sent["memories"]), told=TOLD)))


class Shares(Resource):
    """Shares, newest first; what has ended is among them for 30 days."""

    allow = {"GET": HOLDER, "POST": HOLDER}

    @operation("Shares, newest first", gives=page_of(ShareOut), query=PageQuery)
    def get(self, request: Request) -> Response:
        query, holder = queried(request, PageQuery), holder_of(request)
        courses = shares.courses(holder)
        return page(
            request,
            shares.shares(holder, self.now),
            lambda each: typed("shr", each.share.share_id),
            query,
            lambda chosen: [ShareOut.of(share_facts(each, courses)) for each in chosen],
        )

    @operation(
        "Share: its links are told in this answer alone",
        takes=ShareIn,
        gives=ShareOut,
        status=201,
        headers=[IDEMPOTENCY_KEY_OF_A_SHARE],
        refuses=(*NOT_THESE, "rate-limited", "idempotency-key-required", "idempotency-reuse"),
    )
    def post(self, request: Request) -> Response:
        holder, known_by = holder_of(request), Sent(idempotency_key(request), body_digest(request))
        sent = taken(request, ShareIn)
        with pointed(places(sent)), sent_as({"lasts": "lasts_seconds"}):
            done = shares.make(holder, sent["memories"], self.now, **terms_of(sent), sent=known_by)
        made = agreed(done, self.now, told=TOLD)
        found = some(shares.share(holder, made.share.share_id, self.now))
        urls = {each.link.link_id: share_address(each.token) for each in made.links}
        headers = {"ETag": _tag(found), "Location": f"/api/v1/shares/{typed('shr', found.share.share_id)}"}
        told = share_facts(found, shares.courses(holder, found.share.share_id), urls)
        return Response(ShareOut.of(told), status=201, headers=headers)


class OneShare(Resource):
    """One share. Its ETag is that of its terms: opening it does not change it."""

    allow = {"GET": HOLDER}

    @operation("One share; its ETag is that of its terms", gives=ShareOut, query=NoQuery)
    def get(self, request: Request, share: str) -> Response:
        queried(request, NoQuery)
        holder = holder_of(request)
        return _answer(holder, some(shares.share(holder, id_of("shr", share), self.now)))


class ShareRevoke(Resource):
    """Stop a share."""

    allow = {"POST": HOLDER}

    @operation(
        "Stop a share: the very next press opens nothing",
        gives=ShareOut,
        headers=[IF_MATCH],
        refuses=("precondition-required", "precondition-failed"),
    )
    def post(self, request: Request, share: str) -> Response:
        holder = holder_of(request)
        found = some(shares.share(holder, id_of("shr", share), self.now))
        require_match(request, _terms(found))
        # The service compares the terms again, under the lock: of two that were sent at once, one finds them moved.
        stopped = shares.stop(holder, found.share.share_id, self.now, if_version=found.share.terms_version)
        return _answer(holder, agreed(stopped, STALE="precondition-failed"))


class ShareOpenings(Resource):
    """What a share was opened by."""

    allow = {"GET": HOLDER}

    @operation("Its openings, newest first", gives=page_of(ShareOpeningOut), query=PageQuery)
    def get(self, request: Request, share: str) -> Response:
        query, holder = queried(request, PageQuery), holder_of(request)
        found = some(shares.share(holder, id_of("shr", share), self.now))
        return page(
            request,
            shares.openings(holder, found.share.share_id),
            lambda each: typed("opn", each.opening_id),
            query,
            ShareOpeningOut.each,
        )


def _terms(found: shares.Shared) -> list[object]:
    return [found.share.share_id.hex, found.share.terms_version]


def _tag(found: shares.Shared) -> str:
    return etag(_terms(found))


def _answer(holder: Holder, found: shares.Shared) -> Response:
    told = share_facts(found, shares.courses(holder, found.share.share_id))
    return Response(ShareOut.of(told), headers={"ETag": _tag(found)})
