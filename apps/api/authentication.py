"""Who calls: a client by its API key, or the holder by a session. Nothing else, and never one for the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.middleware.csrf import CsrfViewMiddleware
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from apps.access import services as access
from apps.api.errors import Problem
from apps.holders import services as holders
from apps.policy.ids import untyped
from apps.policy.types import Caller, Holder

if TYPE_CHECKING:  # rest_framework.views imports this module, by the settings
    from rest_framework.views import APIView

SEAT = "Muniment-Seat"
CLIENT, HOLDER = Caller, Holder
EITHER = (Caller, Holder)
# `request.auth` is the Caller or the Holder; `request.user` stays Django's, for the middleware.
Who = type[Caller] | type[Holder] | tuple[type[Caller], type[Holder]]


class ClientKey(BaseAuthentication):
    """`Authorization: Bearer mnk_…`. A header that leads nowhere is refused, whatever cookies came with it."""

    def authenticate(self, request: Request) -> tuple[AnonymousUser, Caller] | None:
        header = request.headers.get("Authorization")
        if header is None:
            return None
        scheme, _, key = header.partition(" ")
        now = request.parser_context["view"].now
        caller = access.authenticate(key.strip(), now) if scheme.lower() == "bearer" else None
        if caller is None:
            raise Problem("unauthenticated")
        return AnonymousUser(), caller


class HolderSession(BaseAuthentication):
    """The signed-in person at one vault, with the CSRF token on everything that changes something.

    `Muniment-Seat: vlt_…` names the vault of somebody they act for, or another of their own.
    """

    def authenticate(self, request: Request) -> tuple[Any, Holder] | None:
        user = getattr(request._request, "user", None)
        if user is None or not user.is_active:
            return None
        found = self.seat(request, user.pk)
        if found is None:
            return None
        check = _Csrf(lambda _: None)  # type: ignore[arg-type]
        check.process_request(request._request)
        if check.process_view(request._request, _nothing, (), {}):
            raise Problem("csrf-failed")
        return user, found

    def seat(self, request: Request, user_id: UUID) -> Holder | None:
        """At the vault that the header names; without one at their own. A foreign one is as unknown as any."""
        named = request.headers.get(SEAT)
        if named is None:
            return holders.holder(user_id)
        vault_id = untyped("vlt", named)
        found = holders.seat(user_id, vault_id) if vault_id else None
        if found is None:
            raise Problem("not-found")
        return found


def _nothing(request: Any) -> Any:
    """The view that the check looks at for an exemption."""


class _Csrf(CsrfViewMiddleware):
    """Django's check, which says why instead of rendering a page."""

    def _reject(self, request: Any, reason: str) -> Any:
        return reason


class DenyAll(BasePermission):
    """The default: a view that does not say who may call it is called by nobody."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return False


class Declared(BasePermission):
    """Whoever the view's `allow` names for the method; a method it does not name is called by nobody."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        method = str(request.method)
        if method.lower() not in view.http_method_names or not hasattr(view, method.lower()):
            return True  # answered with 405
        who: Who | None = getattr(view, "allow", {}).get("GET" if method == "HEAD" else method)
        if who is None:
            return False
        if request.auth is None:
            raise Problem("unauthenticated")
        if not isinstance(request.auth, who):
            raise Problem("client-only" if isinstance(request.auth, Holder) else "holder-only")
        return True


_Party = TypeVar("_Party", Caller, Holder)


def party_of(request: Request) -> Caller | Holder:
    """Whoever calls; the view's `allow` has made sure that it is one of these."""
    party: object = request.auth
    if not isinstance(party, Caller | Holder):
        raise Problem("forbidden")
    return party


def caller_of(request: Request) -> Caller:
    """The client that calls; the view's `allow` has made sure of it."""
    return _as(request, Caller)


def holder_of(request: Request) -> Holder:
    """The holder who calls; the view's `allow` has made sure of it."""
    return _as(request, Holder)


def _as(request: Request, kind: type[_Party]) -> _Party:
    party = party_of(request)
    if not isinstance(party, kind):
        raise Problem("forbidden")
    return party
