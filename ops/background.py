"""Servers for a command: those of a running instance, or a background pair that ends when unused.

Every user holds a shared lock, which the kernel releases however the user ends. The background
supervisor stops once it can take that lock alone.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from ops.servers import Servers
from ops.state import CHECKOUT, Lock, State, supervisor_of, take_supervision
from ops.supervisor import Interrupted, Supervisor
from ops.trouble import Trouble

LINGER = 20.0  # seconds the servers stay after their last user, so that the next command starts at once


def use(servers: Servers, seconds: float = 120) -> Lock:
    """Have the servers up and bootstrapped; they stay while the returned lock is held by anybody."""
    state = servers.state
    users = Lock(state.root / "users.lock")
    users.take(shared=True, wait=True)
    if supervisor_of(state) and state.status().get("outside") not in (None, servers.outside()):
        raise Trouble("The servers run with another DATABASE_URL or REDIS_URL: run 'make stop' first.")
    starting: subprocess.Popen[bytes] | None = None
    until = time.monotonic() + seconds
    while not (state.status().get("ready") and supervisor_of(state)):
        if time.monotonic() > until:
            raise Trouble(f"The servers were not ready after {seconds:.0f} s: see the logs in {state.log}.")
        if starting is not None and starting.poll() not in (None, 0):
            words = (state.log / "servers.log").read_text(errors="replace").strip().splitlines()
            raise Trouble(
                words[-1].removeprefix("muniment: ")
                if words
                else f"The servers did not start: see the logs in {state.log}."
            )
        if starting is None and not supervisor_of(state):
            starting = _start(servers)
        time.sleep(0.05)
    return users


def environment_for(servers: Servers) -> dict[str, str]:
    """The whole environment for a developer's command, with this Python and PostgreSQL's programs in PATH."""
    env = servers.env(privileged=True)
    programs = [str(Path(sys.executable).parent), *([str(servers.postgres.bin)] if servers.postgres else [])]
    env["PATH"] = os.pathsep.join([*programs, env.get("PATH", os.defpath)])
    return env


def _start(servers: Servers) -> subprocess.Popen[bytes]:
    with (servers.state.log / "servers.log").open("wb") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "ops", "serve", "--state", servers.kind],
            cwd=CHECKOUT,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def serve(servers: Servers) -> int:
    """The background supervisor's life: start the servers, bootstrap, end when unused for a while."""
    state = servers.state
    lock = take_supervision(state)
    if lock is None:
        return 0
    boss = Supervisor(state.log, lambda line: print(line, flush=True))
    status: dict[str, object] = {
        "kind": "servers",
        "pid": os.getpid(),
        "outside": servers.outside(),
        "ready": False,
    }

    def changed() -> None:
        parts = {part.name: part.process.pid for part in boss.parts if part.process}
        state.set_status({**status, "parts": parts})

    users = Lock(state.root / "users.lock")
    unused_since: float | None = None

    def idle() -> bool:
        nonlocal users, unused_since
        if not users.take():
            unused_since = None
            return False
        unused_since = unused_since or time.monotonic()
        if time.monotonic() - unused_since >= LINGER:
            return True  # holding the lock: who comes now waits for our end and starts anew
        users.release()
        users = Lock(state.root / "users.lock")
        return False

    boss.changed = changed
    try:
        changed()
        servers.bring_up(boss)
        status["ready"] = True
        changed()
        boss.serve(idle=idle, every=2)
    except Interrupted:
        pass
    finally:
        boss.stop()
        state.set_status(None)
    return 0


def end_unused(state: State, seconds: float = 30) -> None:
    """Stop background servers that nobody uses. Trouble when somebody does, or when a whole instance runs."""
    status, pid = state.status(), supervisor_of(state)
    if pid is None:
        return
    if status.get("kind") != "servers":
        where = status.get("url") or state.root
        raise Trouble(f"Muniment is already running at {where} (process {pid}): 'make stop' ends it.")
    users = Lock(state.root / "users.lock")
    try:
        if not users.take():
            raise Trouble("A command is using these servers: wait for its end, or run 'make stop'.")
        os.kill(pid, signal.SIGTERM)
        lock = take_supervision(state, seconds)
        if lock is None:
            raise Trouble(f"The servers of process {pid} do not end: run 'make stop'.")
        lock.release()
    finally:
        users.release()
