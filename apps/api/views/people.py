"""Seats, leave to act for the holder, and invitations. An invitation is accepted on its page alone."""

from datetime import datetime
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.authentication import HOLDER, holder_of
from apps.api.inputs import AddressIn, InvitationIn, PageQuery, RenewIn
from apps.api.outputs import ChildOut, DelegationOut, InvitationOut, SeatOut, page_of
from apps.api.schema import operation
from apps.api.views.base import Resource, agreed, id_of, page, queried, tagged, taken
from apps.holders import services as holders
from apps.holders.adapter import send_invitation
from apps.policy.ids import typed
from apps.policy.people import Invitation
from apps.policy.types import Holder, Refused


class Seats(Resource):
    """Where the person sits."""

    allow = {"GET": HOLDER}

    @operation(
        "The vaults the person sits at: their own first",
        gives=page_of(SeatOut),
        query=PageQuery,
    )
    def get(self, request: Request) -> Response:
        query, found = queried(request, PageQuery), holders.seats(holder_of(request).user_id)
        return page(request, found, lambda each: typed("vlt", each.vault_id), query, lambda some: SeatOut.each(some))


class Delegations(Resource):
    """Who may act at this vault."""

    allow = {"GET": HOLDER}

    @operation("Who may act at this vault; whoever acts sees their own", gives=page_of(DelegationOut), query=PageQuery)
    def get(self, request: Request) -> Response:
        query, found = queried(request, PageQuery), holders.delegations(holder_of(request))
        return page(
            request,
            found,
            lambda each: typed("del", each.delegation_id),
            query,
            lambda chosen: DelegationOut.each(chosen),
        )


class DelegationEnd(Resource):
    """The holder, or whoever acts on it, ends it."""

    allow = {"POST": HOLDER}

    @operation(
        "End somebody's leave to act: it bites at their next request", gives=DelegationOut, refuses=("too-young",)
    )
    def post(self, request: Request, delegation: str) -> Response:
        done = agreed(holders.end_delegation(holder_of(request), id_of("del", delegation), self.now))
        return tagged(DelegationOut.of(done), request)


class DelegationRenew(Resource):
    """The holder alone renews it."""

    allow = {"POST": HOLDER}

    @operation("Renew somebody's leave to act, from now on", takes=RenewIn, gives=DelegationOut)
    def post(self, request: Request, delegation: str) -> Response:
        holder, sent = holder_of(request), taken(request, RenewIn)
        done = agreed(holders.renew_delegation(holder, id_of("del", delegation), self.now, sent["days"]))
        return tagged(DelegationOut.of(done), request)


class ChildAddress(Resource):
    """A guardian gives a child who does not sign in yet an address to do it with."""

    allow = {"POST": HOLDER}

    @operation(
        "Give the child of this vault an address to sign in with",
        takes=AddressIn,
        gives=ChildOut,
        refuses=("not-found", "rate-limited"),
    )
    def post(self, request: Request) -> Response:
        given = agreed(holders.give_address(holder_of(request), taken(request, AddressIn)["email"], self.now))
        return tagged(ChildOut.of(given), request)


class Invitations(Resource):
    """To act at this vault, and to the spaces whose admin the person is."""

    allow = {"GET": HOLDER, "POST": HOLDER}

    @operation("Invitations that nobody has accepted yet", gives=page_of(InvitationOut), query=PageQuery)
    def get(self, request: Request) -> Response:
        query, holder = queried(request, PageQuery), holder_of(request)
        return page(
            request,
            _open(holder, self.now),
            lambda each: typed("inv", each.invitation_id),
            query,
            lambda chosen: InvitationOut.each(chosen),
        )

    @operation(
        "Invite somebody by mail",
        takes=InvitationIn,
        gives=InvitationOut,
        status=201,
        refuses=("not-found", "rate-limited"),
    )
    def post(self, request: Request) -> Response:
        made, token = agreed(self._invite(holder_of(request), taken(request, InvitationIn)))
        send_invitation(made, token)
        return tagged(InvitationOut.of(made), request, 201)

    def _invite(self, holder: Holder, sent: dict[str, Any]) -> tuple[Invitation, str] | Refused:
        if sent["space"] is not None:
            return holders.invite_to_space(holder.user_id, sent["space"], sent["email"], sent["role"], self.now)
        return holders.invite_to_vault(holder, sent["email"], sent["role"], sent["level"], self.now, sent["days"])


def _open(holder: Holder, now: datetime) -> list[Invitation]:
    return [
        *holders.invitations(holder),
        *(each for place in holders.places(holder.user_id, now) for each in place.invitations),
    ]


class InvitationWithdraw(Resource):
    """Whoever may invite may take it back."""

    allow = {"POST": HOLDER}

    @operation("Take an invitation back", gives=InvitationOut, refuses=("invitation-over",))
    def post(self, request: Request, invitation: str) -> Response:
        holder, invitation_id = holder_of(request), id_of("inv", invitation)
        done = holders.withdraw(holder, invitation_id, self.now)
        return tagged(InvitationOut.of(agreed(done)), request)
