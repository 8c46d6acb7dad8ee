"""Spaces: who belongs to one, leaving it; and, for its admins, what it settles, ending a place in it, its ledger."""

from dataclasses import replace

from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.authentication import HOLDER, holder_of
from apps.api.inputs import LedgerPageQuery, NoQuery, PageQuery, PlaceEndIn, PolicyIn
from apps.api.outputs import MemberOut, PolicyOut, SpaceOut, SpaceReceiptOut, page_of
from apps.api.schema import IF_MATCH, operation
from apps.api.views.base import Resource, agreed, etag, id_of, listed, page, queried, require_match, some, tagged, taken
from apps.holders import services as holders
from apps.policy.ids import typed
from apps.policy.people import Ages, Place, SpacePolicy


class Spaces(Resource):
    """What the person belongs to."""

    allow = {"GET": HOLDER}

    @operation("The spaces the person belongs to, with their members", gives=page_of(SpaceOut), query=PageQuery)
    def get(self, request: Request) -> Response:
        query, found = queried(request, PageQuery), holders.places(holder_of(request).user_id, self.now)
        return page(
            request,
            found,
            lambda each: typed("spc", each.mine.space_id),
            query,
            lambda chosen: SpaceOut.each(chosen),
        )


class SpaceLeave(Resource):
    """Whoever belongs to it leaves it, but for its last admin and its privacy lead."""

    allow = {"POST": HOLDER}

    @operation(
        "Leave a space; the person is signed out everywhere",
        gives=SpaceOut,
        refuses=("last-admin", "privacy-lead", "too-young"),
    )
    def post(self, request: Request, space: str) -> Response:
        left = agreed(holders.leave(holder_of(request).user_id, id_of("spc", space), self.now))
        return tagged(SpaceOut.of(Place(left, (), (), Ages(()))), request)


class SpaceMemberEnd(Resource):
    """Its admins end somebody's place."""

    allow = {"POST": HOLDER}

    @operation(
        "End somebody's place in a space, in one role or in all; they are signed out everywhere",
        takes=PlaceEndIn,
        gives=MemberOut,
        refuses=("last-admin", "privacy-lead"),
    )
    def post(self, request: Request, space: str, member: str) -> Response:
        admin, sent = holder_of(request).user_id, taken(request, PlaceEndIn)
        ended = holders.end_place(admin, id_of("spc", space), id_of("usr", member), self.now, sent["role"])
        return tagged(MemberOut.of(agreed(ended)), request)


class SpacePolicies(Resource):
    """What the space has settled. For its admins."""

    allow = {"GET": HOLDER, "PATCH": HOLDER}

    @operation("What the space has settled for the vaults in it", gives=PolicyOut, query=NoQuery)
    def get(self, request: Request, space: str) -> Response:
        queried(request, NoQuery)
        return _policy(_settled(request, space))

    @operation(
        "Settle something else: it holds from the next decision on. What is not sent stays",
        takes=PolicyIn,
        gives=PolicyOut,
        headers=[IF_MATCH],
        refuses=("precondition-required", "precondition-failed"),
    )
    def patch(self, request: Request, space: str) -> Response:
        sent, found = taken(request, PolicyIn), _settled(request, space)
        require_match(request, _version(found))
        # The service compares the versions again, under the lock: of two that were sent at once, one finds it moved.
        done = holders.settle(holder_of(request).user_id, id_of("spc", space), replace(found, **sent), self.now)
        return _policy(agreed(done, STALE="precondition-failed"))


class SpaceReceipts(Resource):
    """The space's own ledger. For its admins; nothing of any vault stands in it."""

    allow = {"GET": HOLDER}

    @operation("The space's ledger, newest first", gives=page_of(SpaceReceiptOut), query=LedgerPageQuery)
    def get(self, request: Request, space: str) -> Response:
        query, admin = queried(request, LedgerPageQuery), holder_of(request).user_id
        limit, before = query["limit"], query.get("cursor")
        found = agreed(holders.space_ledger(admin, id_of("spc", space), limit=limit + 1, before=before))
        more = str(found[limit - 1].receipt.seq) if len(found) > limit else None
        return listed(request, SpaceReceiptOut.each(found[:limit]), more)


def _settled(request: Request, space: str) -> SpacePolicy:
    """What holds there now; not-found for whoever is no admin there."""
    space_id = id_of("spc", space)
    some(holders.managed(holder_of(request).user_id, space_id))
    return holders.space_policy(space_id)


def _version(found: SpacePolicy) -> list[object]:
    return [found.version]


def _policy(found: SpacePolicy) -> Response:
    return Response(PolicyOut.of(found), headers={"ETag": etag(_version(found))})
