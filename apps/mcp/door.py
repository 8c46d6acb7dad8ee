"""The door of `/mcp/<vault>`: the API key as bearer, and it must belong to that very vault.

The mount bypasses Django's middleware, so what that would check is checked here (the credential) or by the SDK (Host,
Origin, the body's size). An unknown vault, another's key and no key at all get the same answer.
"""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from contextvars import ContextVar
from typing import Any

from asgiref.sync import sync_to_async

from apps.access import services as access
from apps.mcp.work import closing
from apps.policy.ids import typed
from apps.policy.types import Caller
from vault.clock import utc_now

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_caller: ContextVar[Caller] = ContextVar("caller")
_BODY = json.dumps(
    {
        "type": "about:blank",
        "title": "Who are you?",
        "status": 401,
        "detail": "Send an API key of this vault as Authorization: Bearer mnk_…",
        "code": "unauthenticated",
    }
).encode()


def caller() -> Caller:
    """The client that this request comes from."""
    return _caller.get()


def door(app: App) -> App:
    """Let a request through to `app` once its key has opened the vault in its path."""

    async def enter(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        found = await sync_to_async(_authenticate, thread_sensitive=False)(_bearer(scope))
        if found is None or scope["path"] != f"/mcp/{typed('vlt', found.vault_id)}":
            await _refuse(send)
            return
        token = _caller.set(found)
        try:
            await app(scope, receive, send)
        finally:
            _caller.reset(token)

    return enter


def _authenticate(key: str) -> Caller | None:
    with closing():
        return access.authenticate(key, utc_now())


def _bearer(scope: Scope) -> str:
    """The key in the one Authorization header; "" for none, several or another scheme."""
    sent = [value for name, value in scope["headers"] if name == b"authorization"]
    scheme, _, key = sent[0].decode("latin-1").partition(" ") if len(sent) == 1 else ("", "", "")
    return key.strip() if scheme.lower() == "bearer" else ""


async def _refuse(send: Send) -> None:
    headers = [
        (b"content-type", b"application/problem+json"),
        (b"content-length", str(len(_BODY)).encode()),
        (b"cache-control", b"no-store"),
        (b"www-authenticate", b'Bearer realm="muniment"'),
    ]
    await send({"type": "http.response.start", "status": 401, "headers": headers})
    await send({"type": "http.response.body", "body": _BODY})
