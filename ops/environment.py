"""Settings as the operator gives them: the environment, ``NAME_FILE`` for any ``NAME``, a ``.env`` file."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

from ops.trouble import Trouble

# What web, worker and beat must never hold: the roles that could read or rewrite everything.
# Nor the log's keys, nor where they are: who serves could then sign another history. Nor what opens the backups.
PRIVILEGED = (
    "DATABASE_URL",
    "MUNIMENT_DB_OWNER_URL",
    "MUNIMENT_DB_LOG_URL",
    "MUNIMENT_DB_ADMIN_URL",
    "MUNIMENT_LOG_KEY_FILE",
    "MUNIMENT_LOG_SIGNER",
    "MUNIMENT_BACKUP_PASSPHRASE",
)


def load_dotenv(path: Path) -> None:
    """Put the lines ``NAME=value`` of ``path`` into the environment; what is already set there wins."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return
    for number, line in enumerate(lines, start=1):
        text = line.strip().removeprefix("export ")
        if not text or text.startswith("#"):
            continue
        name, equals, value = text.partition("=")
        name = name.strip()
        if not equals or not name.isidentifier():
            raise Trouble(f"Line {number} of {path.name} is not NAME=value: correct it or put # before it.")
        value = value.strip()
        if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
            value = value[1:-1]
        if name not in os.environ and f"{name}_FILE" not in os.environ:
            os.environ[name] = value


def setting(name: str) -> str | None:
    """The value of ``name``, or the stripped contents of the file ``name_FILE`` names; else None."""
    if value := os.environ.get(name):
        return value
    path = os.environ.get(f"{name}_FILE")
    if not path:
        return None
    try:
        return Path(path).read_text(encoding="utf-8").strip() or None
    except OSError as error:
        raise Trouble(f"{name}_FILE names {path}, which cannot be read: {error.strerror}.") from error


def server(name: str) -> str | None:
    """As `setting`, of a server's URL. Trouble, which shows nothing of it, where it cannot be used."""
    schemes = ("redis", "rediss", "redis+socket") if "REDIS" in name else ("postgresql", "postgres")
    text = setting(name)
    if text:
        from vault.env import WrongSetting, env_url  # the rules of a URL stand where the settings are read

        try:
            env_url(name, schemes=schemes, host=False)
        except WrongSetting as wrong:
            raise Trouble(str(wrong)) from None
    return text


def password_of(url: str, name: str) -> str:
    """The password in a database URL; Trouble when it has none."""
    word = urlsplit(url).password
    if not word:
        raise Trouble(f"{name} has no password: write it as postgresql://role:password@host/database.")
    return unquote(word)


def base(*, keep_settings: bool) -> dict[str, str]:
    """The caller's environment without anything that would lead libpq or a service to other rights.

    Without ``keep_settings`` the operator's own settings go too: no test sends mail through a real server.
    """
    drop = {*PRIVILEGED, *(f"{name}_FILE" for name in PRIVILEGED)}
    gone = ("PG",) if keep_settings else ("PG", "MUNIMENT_", "REDIS_URL")
    return {name: value for name, value in os.environ.items() if name not in drop and not name.startswith(gone)}


def server_env() -> dict[str, str]:
    """The small clean environment of the embedded servers."""
    return {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}
