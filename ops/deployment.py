"""The secrets of a deployment with containers: made once, in files, each folder for those who need it.

``servers/`` is for PostgreSQL and Valkey, ``owner/`` for the one-shot migration, ``app/`` for web, worker and
beat, ``log/`` for the process that signs, which keeps its keys there. A lost folder cannot be made again from the
others: back up ``app/`` (it holds the root keys) and ``log/`` apart from the database.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from ops.state import write_private

LOGINS = ("owner", "app", "gate", "log", "admin", "reclaim")
VALKEY = """\
requirepass {password}
dir /data
appendonly yes
appendfsync everysec
save ""
maxmemory-policy noeviction
"""


def make_secrets(root: Path, uid: int, database_host: str, redis_host: str) -> list[str]:
    """Write what is missing below ``root`` for services that run as ``uid``. Returns the names it wrote.

    A folder that is complete is left alone; a secret that others depend on is never replaced.
    """
    servers, owner, app, log = (root / name for name in ("servers", "owner", "app", "log"))
    for folder, mode in ((servers, 0o755), (owner, 0o700), (app, 0o700), (log, 0o700)):
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(mode)
        if folder is not servers and os.geteuid() == 0:
            os.chown(folder, uid, uid)
    written: list[str] = []

    def keep(path: Path, text: str, mode: int = 0o600) -> str:
        if path.exists():
            return path.read_text().strip()
        write_private(path, text + "\n")
        path.chmod(mode)
        if mode == 0o600 and os.geteuid() == 0:
            os.chown(path, uid, uid)
        written.append(str(path.relative_to(root)))
        return text

    # The servers' own accounts read these two; their volume is mounted nowhere else.
    superuser = keep(servers / "postgres_password", secrets.token_hex(32), 0o444)
    password = keep(servers / "valkey_password", secrets.token_hex(32), 0o444)
    keep(servers / "valkey.conf", VALKEY.format(password=password).rstrip(), 0o444)

    keep(owner / "database_url", f"postgresql://postgres:{superuser}@{database_host}:5432/postgres")
    for login in LOGINS:
        url = f"postgresql://muniment_{login}:{secrets.token_hex(32)}@{database_host}:5432/muniment"
        url = keep(owner / f"db_{login}_url", url)
        if login in ("app", "gate", "reclaim"):
            keep(app / f"db_{login}_url", url)
        if login == "log":
            keep(log / "db_log_url", url)
    keep(app / "redis_url", f"redis://:{password}@{redis_host}:6379/0")
    keep(app / "secret_key", secrets.token_hex(32))
    keep(app / "ticket_key", secrets.token_hex(32))
    keep(app / "root_keys", f"1 {secrets.token_hex(32)}")
    return written
