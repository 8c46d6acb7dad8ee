"""The web process: `/mcp/<vault>` and the lifespan go to the MCP server, everything else to Django."""

import os
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "vault.settings")
django = get_asgi_application()  # also configures logging: before the MCP server, which would bring its own handler

from apps.mcp.server import build_app  # noqa: E402  (needs the settings)

mcp = build_app()


async def application(
    scope: MutableMapping[str, Any],
    receive: Callable[[], Awaitable[MutableMapping[str, Any]]],
    send: Callable[[MutableMapping[str, Any]], Awaitable[None]],
) -> None:
    """One ASGI application for one address."""
    if scope["type"] == "http" and scope["path"].startswith("/log/"):  # public and cached: nobody is asked who they are
        scope = {**scope, "headers": [pair for pair in scope["headers"] if pair[0] != b"cookie"]}
    if scope["type"] == "lifespan" or (scope["type"] == "http" and scope["path"].startswith("/mcp/")):
        await mcp(scope, receive, send)
    else:
        await django(scope, receive, send)  # type: ignore[arg-type]
