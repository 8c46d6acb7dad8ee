"""Starting processes: another account, a private umask, its own session, and an end when the starter dies."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

from ops.accounts import Account

PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def die_with_parent(death_signal: int) -> Callable[[], None]:
    """Linux tells the child when its parent dies, so that a killed supervisor leaves nobody behind."""
    parent = os.getpid()

    def prepare() -> None:
        if _libc is not None:
            _libc.prctl(PR_SET_PDEATHSIG, death_signal)
            if os.getppid() != parent:  # it died between the fork and the call above
                os._exit(1)

    return prepare


def spawn(
    argv: Sequence[str | Path],
    *,
    env: Mapping[str, str],
    account: Account,
    cwd: Path = Path("/"),
    output: IO[bytes] | int = subprocess.DEVNULL,
    death_signal: int = signal.SIGTERM,
) -> subprocess.Popen[bytes]:
    """Start ``argv`` with exactly ``env``. Call from the main thread: the death signal follows the thread."""
    switch: dict[str, object] = {}
    if account.switch:
        switch = {"user": account.uid, "group": account.gid, "extra_groups": []}
    return subprocess.Popen(  # type: ignore[call-overload, no-any-return]
        [str(part) for part in argv],
        env=dict(env),
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        umask=0o077,
        start_new_session=True,
        preexec_fn=die_with_parent(death_signal),
        **switch,
    )


def alive(pid: int) -> bool:
    """Whether a process with this id exists (a zombie counts as gone)."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (OSError, IndexError):
        return True


def works_in(pid: int, folder: Path) -> bool:
    """Whether the process's working folder is ``folder``: how an orphaned server is told from a stranger."""
    try:
        return Path(f"/proc/{pid}/cwd").resolve(strict=True) == folder.resolve()
    except OSError:
        return False
