"""Numbered system checks: a wrong setting stops the start, and the hint names the variable to change.

They look at settings and files alone. What needs a server to answer is asked by `manage.py doctor`.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from django.apps.config import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

Apps = Sequence[AppConfig] | None

LEAST_SECRET = 50
ROOT_KEY_LINE = re.compile(r"[1-9][0-9]{0,8} [0-9a-f]{64}")
TICKET_KEY = re.compile(r"[0-9a-fA-F]{64}")


def root_keys_wrong(path: Path) -> str | None:
    """What is wrong with a root key file, as a sentence; None when it can be used. Never shows its contents."""
    try:
        mode = path.stat().st_mode & 0o777
        lines = [line.strip() for line in path.read_text(encoding="ascii").splitlines() if line.strip()]
    except OSError as error:
        return f"The root key file {path} cannot be read: {error.strerror}."
    except UnicodeDecodeError:
        return f"The root key file {path} is not a text file."
    if mode & 0o077:
        return f"The root key file {path} is open to other accounts (mode {mode:04o})."
    if not lines or any(not ROOT_KEY_LINE.fullmatch(line) for line in lines):
        return f"The root key file {path} must hold lines of an epoch number, a space and 64 hex digits."
    epochs = [line.split()[0] for line in lines]
    if len(set(epochs)) < len(epochs):
        return f"The root key file {path} names an epoch twice."
    return None


@register("muniment")
def keys(app_configs: Apps, **kwargs: Any) -> list[CheckMessage]:
    """E001 secret key, E002 ticket key, E003 root keys."""
    found: list[CheckMessage] = []
    if len(settings.SECRET_KEY) < LEAST_SECRET:
        found.append(
            Error(
                f"The secret key has fewer than {LEAST_SECRET} characters.",
                hint="Set MUNIMENT_SECRET_KEY (or MUNIMENT_SECRET_KEY_FILE) to 64 random characters.",
                id="muniment.E001",
            )
        )
    if not TICKET_KEY.fullmatch(settings.MUNIMENT_TICKET_KEY):
        found.append(
            Error(
                "The ticket key is not 64 hex digits.",
                hint="Set MUNIMENT_TICKET_KEY to the output of: openssl rand -hex 32; "
                "then run manage.py install_ticket_key.",
                id="muniment.E002",
            )
        )
    if wrong := root_keys_wrong(Path(settings.MUNIMENT_ROOT_KEY_FILE)):
        found.append(
            Error(
                wrong,
                hint="Point MUNIMENT_ROOT_KEY_FILE to a file that only this account reads (chmod 600). "
                "Without the right keys no stored value opens.",
                id="muniment.E003",
            )
        )
    return found


@register("muniment")
def databases(app_configs: Apps, **kwargs: Any) -> list[CheckMessage]:
    """E004 ATOMIC_REQUESTS, E005 roles, E006 binding: what the hand-over of a value rests on."""
    return databases_wrong(settings.DATABASES)


def databases_wrong(aliases: Mapping[str, Any]) -> list[CheckMessage]:
    """What is wrong with a set of database aliases."""
    found: list[CheckMessage] = []
    for alias, database in aliases.items():
        if database.get("ATOMIC_REQUESTS"):
            found.append(
                Error(
                    f"ATOMIC_REQUESTS is on for the alias {alias}.",
                    hint="Turn it off: a value is released only after its receipt is committed.",
                    id="muniment.E004",
                )
            )
        if not database.get("OPTIONS", {}).get("server_side_binding"):
            found.append(
                Error(
                    f"server_side_binding is off for the alias {alias}.",
                    hint="Turn it on in OPTIONS: otherwise a failing statement carries its values into logs.",
                    id="muniment.E006",
                )
            )
    roles = {alias: database.get("USER") for alias, database in aliases.items()}
    if len(set(roles.values())) < len(roles):
        found.append(
            Error(
                "Two database aliases use the same role.",
                hint="MUNIMENT_DB_APP_URL, MUNIMENT_DB_GATE_URL and MUNIMENT_DB_OWNER_URL "
                "each need a role of their own; the web role must have no way to a value.",
                id="muniment.E005",
            )
        )
    return found


@register("muniment")
def broker_and_cache(app_configs: Apps, **kwargs: Any) -> list[CheckMessage]:
    """E007 a cache every process shares, E008 the broker's password where the client looks for it."""
    found: list[CheckMessage] = []
    if not str(settings.CACHES["default"]["BACKEND"]).endswith("RedisCache"):
        found.append(
            Error(
                "The cache is not shared by all processes.",
                hint="Use the Redis cache (REDIS_URL): rate limits count across processes.",
                id="muniment.E007",
            )
        )
    broker = urlsplit(settings.REDIS_URL)
    if "password" in parse_qs(broker.query):
        found.append(
            Error(
                "REDIS_URL gives its password as a query parameter, which the broker's client ignores.",
                hint="Write redis+socket://:PASSWORD@/path/to.sock?virtual_host=0 or redis://:PASSWORD@host:6379/0.",
                id="muniment.E008",
            )
        )
    return found


@register("muniment")
def addresses(app_configs: Apps, **kwargs: Any) -> list[CheckMessage]:
    """E009 debug in public, E010 a public URL with a path, E011 half a model; W001 plain http, W002 proxies."""
    found: list[CheckMessage] = []
    public = urlsplit(settings.PUBLIC_URL)
    local = public.hostname in ("localhost", "127.0.0.1", "::1")
    if settings.DEBUG and not local:
        found.append(
            Error(
                f"Debugging is on while the public address is {settings.PUBLIC_URL}.",
                hint="Set MUNIMENT_DEBUG=false: error pages would show settings and values to anybody.",
                id="muniment.E009",
            )
        )
    if public.path not in ("", "/") or public.query:
        found.append(
            Error(
                "The public address has a path.",
                hint="Set MUNIMENT_PUBLIC_URL to scheme, host and port alone, e.g. https://vault.example.org.",
                id="muniment.E010",
            )
        )
    if settings.LLM_BASE_URL and not settings.LLM_MODEL:
        found.append(
            Error(
                "A model endpoint is set without a model.",
                hint="Set MUNIMENT_LLM_MODEL, or unset MUNIMENT_LLM_BASE_URL to use the labelled stand-in.",
                id="muniment.E011",
            )
        )
    if public.scheme == "http" and not local:
        found.append(
            Warning(
                f"The public address {settings.PUBLIC_URL} is not encrypted.",
                hint="Put a TLS proxy in front and set MUNIMENT_PUBLIC_URL to its https:// address.",
                id="muniment.W001",
            )
        )
    if public.scheme == "https" and not settings.TRUSTED_PROXY_COUNT:
        found.append(
            Warning(
                "The public address is https, but no proxy is trusted.",
                hint="Set MUNIMENT_TRUSTED_PROXY_COUNT to the number of proxies in front (usually 1): "
                "otherwise all visitors share one address, and one visitor's limits hit everybody.",
                id="muniment.W002",
            )
        )
    return found
