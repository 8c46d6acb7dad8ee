"""Clients and their keys, for the holder."""

from collections.abc import Sequence
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from apps.access import services as access
from apps.api.authentication import HOLDER, holder_of
from apps.api.inputs import ClientIn, PageQuery
from apps.api.outputs import ClientOut, KeyOut, NewKeyOut, RegisteredOut, page_of
from apps.api.problems import Kind
from apps.api.schema import operation
from apps.api.views.base import Resource, agreed, id_of, page, queried, tagged, taken
from apps.policy.ids import typed
from apps.policy.types import Client, Holder
from apps.policy.vocabulary import Refusal

STOPPED = {  # of a client that was
    Refusal.ALREADY_DECIDED: Kind(
        409,
        "It was stopped",
        "A client that was stopped stays so: its keys and grants ended with it. Register it anew to let it ask again.",
        "holder",
        next={"action": "register", "method": "POST", "href": "/api/v1/clients"},
    )
}


class Clients(Resource):
    """The programs that may ask."""

    allow = {"GET": HOLDER, "POST": HOLDER}

    @operation("Registered clients and their keys' beginnings", gives=page_of(ClientOut), query=PageQuery)
    def get(self, request: Request) -> Response:
        query, holder = queried(request, PageQuery), holder_of(request)
        return page(
            request,
            access.clients(holder),
            lambda each: typed("cli", each.client_id),
            query,
            lambda chosen: clients_words(holder, chosen),
        )

    @operation("Register a client", takes=ClientIn, gives=RegisteredOut, status=201)
    def post(self, request: Request) -> Response:
        holder = holder_of(request)
        made, key = access.register(holder, now=self.now, **taken(request, ClientIn))
        return Response({"client": client_words(holder, made), "api_key": key}, status=201)


class ClientRevoke(Resource):
    """End a client: its keys and grants with it."""

    allow = {"POST": HOLDER}

    @operation("Revoke a client, its keys and its grants", gives=ClientOut)
    def post(self, request: Request, client: str) -> Response:
        holder = holder_of(request)
        return tagged(client_words(holder, agreed(access.revoke(holder, id_of("cli", client), self.now))), request)


class ClientPause(Resource):
    """Make a client's grants inert."""

    allow = {"POST": HOLDER}
    paused = True

    @operation("Make a client's grants inert", gives=ClientOut, refuses=("already-decided",))
    def post(self, request: Request, client: str) -> Response:
        holder = holder_of(request)
        done = agreed(access.pause(holder, id_of("cli", client), self.paused), told=STOPPED)
        return tagged(client_words(holder, done), request)


class ClientResume(ClientPause):
    """Make a paused client's grants live again."""

    paused = False

    @operation("Make a paused client's grants live again", gives=ClientOut, refuses=("already-decided",))
    def post(self, request: Request, client: str) -> Response:
        return super().post(request, client)


class ClientLocal(Resource):
    """Say that a client runs at home."""

    allow = {"POST": HOLDER}
    local = True

    @operation(
        "Mark a client as running at home: what is local only may go to it",
        gives=ClientOut,
        refuses=("already-decided",),
    )
    def post(self, request: Request, client: str) -> Response:
        holder = holder_of(request)
        done = agreed(access.mark_local(holder, id_of("cli", client), self.local), told=STOPPED)
        return tagged(client_words(holder, done), request)


class ClientHosted(ClientLocal):
    """Say that a client does not run at home any more."""

    local = False

    @operation("Take that mark off a client", gives=ClientOut, refuses=("already-decided",))
    def post(self, request: Request, client: str) -> Response:
        return super().post(request, client)


class ClientKeys(Resource):
    """Another key, so that keys can be changed without a gap."""

    allow = {"POST": HOLDER}

    @operation("Make another API key for a client", gives=NewKeyOut, status=201, refuses=("already-decided",))
    def post(self, request: Request, client: str) -> Response:
        made, text = agreed(access.make_key(holder_of(request), id_of("cli", client), self.now), told=STOPPED)
        return Response({"key": KeyOut.of(made), "api_key": text}, status=201)


class KeyRevoke(Resource):
    """End one key; the client's others go on."""

    allow = {"POST": HOLDER}

    @operation("Revoke one API key", gives=KeyOut)
    def post(self, request: Request, key: str) -> Response:
        done = agreed(access.revoke_key(holder_of(request), id_of("key", key), self.now))
        return tagged(KeyOut.of(done), request)


def client_words(holder: Holder, client: Client) -> Any:
    """One client with its keys."""
    return clients_words(holder, [client])[0]


def clients_words(holder: Holder, found: Sequence[Client]) -> list[Any]:
    """Clients with their keys."""
    keys = access.keys(holder)
    return [
        ClientOut.of(
            {
                "client_id": each.client_id,
                "name": each.name,
                "domain": each.domain,
                "paused": each.paused,
                "local": each.local,
                "revoked_at": each.revoked_at,
                "registered_at": each.registered_at,
                "keys": [key for key in keys if key.client_id == each.client_id],
            }
        )
        for each in found
    ]
