"""Typed readers for environment variables: wrong input stops the start with one sentence.

Any variable `NAME` may be given as `NAME_FILE`, the path of a file that holds the value, so that
secrets need not stand in the environment.
"""

import os
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit


class WrongSetting(SystemExit):
    """A setting that cannot be used: its message names the variable and what would be right."""


def env_text(name: str, default: str | None = None) -> str:
    """The value of `name`, or of the file that `name`_FILE points to, stripped; else `default`.

    Raises WrongSetting where neither is given and there is no default, or the file cannot be read.
    """
    path = os.environ.get(f"{name}_FILE")
    if path:
        try:
            return Path(path).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise WrongSetting(f"{name}_FILE points to {path}, which cannot be read: {error.strerror}.") from error
    value = os.environ.get(name)
    if value is None or value == "":
        if default is None:
            raise WrongSetting(f"{name} is not set. Set it, or {name}_FILE; see .env.example.")
        return default
    return value


def env_bool(name: str, default: bool) -> bool:
    """True for `true` or `1`, False for `false` or `0`; anything else stops the start."""
    value = env_text(name, "true" if default else "false")
    if value not in ("true", "false", "1", "0"):
        raise WrongSetting(f"{name} is {value!r}. Write true or false.")
    return value in ("true", "1")


def env_int(name: str, default: int, least: int = 0) -> int:
    """A whole number of at least `least`."""
    value = env_text(name, str(default))
    try:
        number = int(value)
    except ValueError:
        number = least - 1
    if number < least:
        raise WrongSetting(f"{name} is {value!r}. Write a whole number of at least {least}.")
    return number


def env_database(name: str, *, pool: int = 0) -> dict[str, object]:
    """Django's settings for the PostgreSQL URL in the variable `name` (unix sockets by `?host=`).

    `pool` is the most connections of a pool in this process; 0: none.
    """
    url = urlsplit(env_text(name))
    if url.scheme not in ("postgresql", "postgres"):
        raise WrongSetting(f"{name} must be a postgresql:// URL; see .env.example.")
    host = parse_qs(url.query).get("host", [url.hostname or ""])[0]
    options: dict[str, object] = {"server_side_binding": True}
    if pool:
        # Threads are many and short under ASGI: connections are borrowed, never owned by a thread.
        options["pool"] = {"min_size": 1, "max_size": pool, "timeout": 10}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(url.path.lstrip("/")),
        "USER": unquote(url.username or ""),
        "PASSWORD": unquote(url.password or ""),
        "HOST": host,
        "PORT": str(url.port or ""),
        "ATOMIC_REQUESTS": False,
        "CONN_MAX_AGE": 0 if pool else None,
        "OPTIONS": options,
    }
