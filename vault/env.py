"""Typed readers for environment variables: wrong input stops the start with one sentence.

Any variable `NAME` may be given as `NAME_FILE`, the path of a file that holds the value, so that
secrets need not stand in the environment.
"""

import os
import re
from pathlib import Path
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit


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


def env_url(
    name: str,
    default: str | None = None,
    *,
    schemes: tuple[str, ...],
    bare: bool = False,
    host: bool = True,
    credentials: bool = True,
) -> SplitResult:
    """The URL in the variable `name`, in its parts (RFC 3986); `default` where it is not set, as it is ("": none).

    Raises WrongSetting, which shows nothing of a URL that may hold a password, for one of another scheme, whose port is
    no number from 1 to 65535, in which a character stands that is written as %XX there, and by the rest: `bare`, it
    holds no path and no query; `host`, it names one; without `credentials` it holds no user and no password.
    """
    text = env_text(name, default)
    if text == "" == default:
        return urlsplit("")
    named = " or ".join(f"{scheme}://" for scheme in schemes)
    try:
        url = urlsplit(text)
        url.hostname  # noqa: B018  (some of what is wrong is found only now)
    except ValueError:  # its text quotes the URL
        raise WrongSetting(f"{name} cannot be read as a URL. {_ESCAPED}") from None
    if url.scheme not in schemes or (host and not url.netloc):
        raise WrongSetting(f"{name} must be a {named} URL{' with a host' if host else ''}; see .env.example.")
    split = url.netloc and "@" not in url.netloc and "@" in f"{url.path}?{url.query}"
    if split or _RAW.search(text) or not text.isprintable():
        raise WrongSetting(f"{name} holds a character that cannot stand in it as it is. {_ESCAPED}")
    if not credentials and "@" in url.netloc:
        raise WrongSetting(f"{name} holds a user or a password, which would be shown. Write it without them.")
    if bare and (url.path not in ("", "/") or url.query):
        raise WrongSetting(f"{name} ends with its host and port. Leave out what follows. {_ESCAPED}")
    try:
        port = url.port
    except ValueError:
        port = 0
    if port == 0:
        raise WrongSetting(f"{name} has no port from 1 to 65535 after its host. Write one, or none. {_ESCAPED}")
    if host and not url.hostname:
        raise WrongSetting(f"{name} must be a {named} URL with a host; see .env.example.")
    return url


_RAW = re.compile(r"[# ]|%(?![0-9A-Fa-f]{2})")
_ESCAPED = "In a user or password, write what is no letter or digit as %XX, such as %23 for #."


def env_database(name: str, *, pool: int = 0) -> dict[str, object]:
    """Django's settings for the PostgreSQL URL in the variable `name` (unix sockets by `?host=`).

    `pool` is the most connections of a pool in this process; 0: none.
    """
    url = env_url(name, schemes=("postgresql", "postgres"), host=False)
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
