"""``make run``: everything under one supervisor, the demo's transcript, and the address."""

from __future__ import annotations

import errno
import http.client
import os
import socket
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ops import background, environment
from ops.prepare import Prepare
from ops.servers import Servers
from ops.state import CHECKOUT, take_supervision
from ops.supervisor import Interrupted, Part, Step, Supervisor
from ops.trouble import Trouble

FIRST_PORT = 8000
TRIES = 50


def say(line: str) -> None:
    """Print a line at once, also into a pipe."""
    print(line, flush=True)


def choose_port(bind: str) -> int:
    """``MUNIMENT_PORT``, which must be free, or the first free port from 8000 on."""
    wanted = environment.setting("MUNIMENT_PORT")
    if wanted is not None:
        if not wanted.isdigit() or not 0 < int(wanted) < 65536:
            raise Trouble(f"MUNIMENT_PORT is {wanted!r}: write a number from 1 to 65535.")
        if not _free(bind, int(wanted)):
            raise Trouble(f"Port {wanted} on {bind} is in use: choose another MUNIMENT_PORT, or none.")
        return int(wanted)
    for port in range(FIRST_PORT, FIRST_PORT + TRIES):
        if _free(bind, port):
            return port
    raise Trouble(f"No port from {FIRST_PORT} to {FIRST_PORT + TRIES - 1} is free: set MUNIMENT_PORT.")


def _free(bind: str, port: int) -> bool:
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    with socket.socket(family) as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((bind, port))
        except PermissionError:
            raise Trouble(f"Port {port} may only be opened by root: choose a MUNIMENT_PORT above 1023.") from None
        except socket.gaierror:
            raise Trouble(f"MUNIMENT_BIND is {bind!r}, which is no address of this machine.") from None
        except OSError as error:
            if error.errno == errno.EADDRNOTAVAIL:
                raise Trouble(f"MUNIMENT_BIND is {bind!r}, which is no address of this machine.") from None
            return False
    return True


def answers(bind: str, port: int) -> bool:
    """Whether the web process serves (any answer but an error of the server)."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(bind, bind)  # noqa: S104 - compared, not bound
    connection = http.client.HTTPConnection(host, port, timeout=10)
    try:
        connection.request("GET", "/healthz", headers={"Host": f"localhost:{port}"})
        return connection.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def services(servers: Servers, bind: str, port: int) -> list[Part]:
    """Web, worker and beat, which know the app's and the gate's role and no other; and the log's process, which knows
    its own role alone, under an account of its own where there can be one."""
    env = {**servers.env(port=port), "DJANGO_SETTINGS_MODULE": "vault.settings"}
    python = sys.executable
    web = [python, "-m", "uvicorn", "vault.asgi:application", "--host", bind, "--port", str(port)]
    # An access log would keep the paths of share links; the application writes its own lines.
    web += ["--no-access-log", "--no-server-header", "--no-proxy-headers", "--timeout-graceful-shutdown", "5"]
    celery = [python, "-m", "celery", "-A", "vault"]
    worker = [*celery, "worker", "--pool", "threads", "--concurrency", "4", "--loglevel", "INFO"]
    worker += ["--without-gossip", "--without-mingle", "--hostname", "muniment@%h"]
    beat = [*celery, "beat", "--loglevel", "INFO", "--pidfile=", "--schedule", str(servers.state.app / "beat")]
    log = [python, "manage.py", "publish_log"]

    def part(name: str, argv: list[str], extra: Mapping[str, str], patience: float) -> Part:
        return Part(name, argv, {**env, **extra}, servers.services, lambda _: True, cwd=CHECKOUT, patience=patience)

    made = [
        part("web", web, {"MUNIMENT_DB_POOL": "true"}, 8),
        part("worker", worker, {"C_FORCE_ROOT": "true"}, 8),
        part("beat", beat, {}, 4),
        Part("log", log, servers.log_env(port), servers.log, lambda _: True, cwd=CHECKOUT, patience=4),
    ]
    made[0].ready = lambda _: answers(bind, port)
    return made


@dataclass
class Run:
    """One ``make run``, from the lock to the last stopped process."""

    servers: Servers
    bind: str
    port: int
    began: float = field(default_factory=time.monotonic)
    ready: bool = False

    @property
    def url(self) -> str:
        return environment.setting("MUNIMENT_PUBLIC_URL") or f"http://localhost:{self.port}"

    def go(self) -> int:
        """Start everything and serve until Ctrl-C. Returns the exit status."""
        state = self.servers.state
        lock = take_supervision(state)
        if lock is None:
            raise Trouble("Another 'make run' is starting here: wait for it, or run 'make stop'.")
        self.boss = Supervisor(state.log, say)
        self.boss.changed = self._note
        try:
            self._start()
            self.boss.serve()
        except Interrupted:
            pass
        finally:
            say("Stopping …")
            self.boss.stop()
            state.set_status(None)
            lock.release()
        return 0

    def _note(self) -> None:
        parts = {part.name: part.process.pid for part in self.boss.parts if part.process}
        self.servers.state.set_status(
            {
                "kind": "run",
                "outside": self.servers.outside(),
                "pid": os.getpid(),
                "url": self.url,
                "bind": self.bind,
                "port": self.port,
                "ready": self.ready,
                "parts": parts,
            }
        )

    def _start(self) -> None:
        self._note()
        say("Starting the servers …")
        prepare = Prepare(self.servers, self.port)
        self.servers.bring_up(self.boss)
        self.ready = True
        self._note()
        needed = prepare.needed()
        if needed:
            say("Preparing the database and the demo …")
            prepare.migrate(self.boss)
        held = prepare.guard(self.boss)
        seed = prepare.seed(self.boss) if needed and not held else None
        web, worker, beat, log = services(self.servers, self.bind, self.port)
        self.boss.start(web)
        self.boss.await_ready(web)
        for part in (log, worker, beat):  # after the first page: their imports would have slowed it down
            self.boss.start(part)
        say(f"Serving at {self.url} after {time.monotonic() - self.began:.1f} s.")
        if held:
            say(f"\n{held}\n\nMuniment is at {self.url}, for people to read (logs in {_short(self.servers.state.log)})")
            return
        if seed:
            self.boss.finish(seed)
            prepare.done()
        self._demo(prepare.sign_in())

    def _demo(self, sign_in: str) -> None:
        """Print the demo's transcript. A demo that fails is shown, and the instance goes on serving."""
        step = demo_step(self.servers, self.port)
        try:
            self.boss.finish(self.boss.begin(step))
            failed = None
        except Trouble as trouble:
            failed = str(trouble)
        assert step.output is not None
        say("\n" + step.output.read_text(errors="replace").rstrip())
        if failed:
            say(f"\nmuniment: {failed}")
        if sign_in:
            say(f"\n{sign_in}")
        say(f"Muniment is at {self.url}  (Ctrl-C stops it; logs in {_short(self.servers.state.log)})")


def demo_step(servers: Servers, port: int) -> Step:
    """``manage.py demo`` with the rights of the web process."""
    env = {**servers.env(port=port), "DJANGO_SETTINGS_MODULE": "vault.settings"}
    return Step("demo", [sys.executable, "manage.py", "demo"], env, servers.services, CHECKOUT)


def _short(path: Path) -> str:
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def run(servers: Servers) -> int:
    """``python -m ops run``."""
    bind = environment.setting("MUNIMENT_BIND") or "127.0.0.1"
    background.end_unused(servers.state)  # of a whole instance it says where that runs
    return Run(servers, bind, choose_port(bind)).go()
