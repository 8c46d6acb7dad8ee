"""Which account each process runs under. PostgreSQL refuses root, and a web process needs no root either."""

from __future__ import annotations

import os
import pwd
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ops.trouble import Trouble


@dataclass(frozen=True)
class Account:
    """A system account; ``switch`` is true when a process must change to it from root."""

    name: str
    uid: int
    gid: int
    switch: bool


def current() -> Account:
    """The account this process runs under (a uid without a passwd entry keeps its number as its name)."""
    uid = os.geteuid()
    try:
        name = pwd.getpwuid(uid).pw_name
    except KeyError:
        name = str(uid)
    return Account(name, uid, os.getegid(), switch=False)


def _first_of(names: Sequence[str]) -> Account | None:
    for name in names:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        if entry.pw_uid != 0:
            return Account(name, entry.pw_uid, entry.pw_gid, switch=True)
    return None


def for_servers() -> Account:
    """The account of the embedded servers: this one, or for root ``postgres``, else ``nobody``."""
    here = current()
    if here.uid != 0:
        return here
    found = _first_of(("postgres", "nobody"))
    if found is None:
        raise Trouble("PostgreSQL does not run as root and no account 'postgres' or 'nobody' exists: create one.")
    return found


def for_services(must_read: Sequence[Path]) -> Account:
    """The account of web, worker and beat: ``nobody`` for root, if it can read the code and run Python."""
    here = current()
    if here.uid != 0:
        return here
    found = _first_of(("nobody",))
    if found is not None and all(can_read(found, path) for path in must_read):
        return found
    return here


def for_log(services: Account, must_read: Sequence[Path]) -> Account:
    """The account of the log's process: another than the services' where root can give it one, so that they cannot read
    the keys it signs with. For anybody but root it is the same one."""
    if not services.switch:
        return services
    found = _first_of(("daemon",))
    if found is not None and found.uid != services.uid and all(can_read(found, path) for path in must_read):
        return found
    return services


def can_read(account: Account, path: Path) -> bool:
    """Whether the account reaches and reads the path (a real try under that uid, not a guess from modes)."""
    if not account.switch:
        return os.access(path, os.R_OK)
    script = 'test -r "$1" && { test ! -d "$1" || test -x "$1"; }'
    tried = subprocess.run(
        ["/bin/sh", "-c", script, "sh", str(path)],
        cwd="/",
        user=account.uid,
        group=account.gid,
        extra_groups=[],
        check=False,
    )
    return tried.returncode == 0
