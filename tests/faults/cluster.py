"""A PostgreSQL of its own that may be killed: the product's settings, so with fsync, and nothing shared with others."""

import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from ops.accounts import for_servers
from ops.binaries import postgres_bin
from ops.bootstrap import LOGINS, bootstrap
from ops.postgres import Postgres
from ops.process import alive, spawn
from ops.state import CHECKOUT, locate, secret, write_private

DATABASE = "muniment"
PATIENCE_SECONDS = 120  # on a machine that is busy with something else


def _postgres() -> Postgres:
    account = for_servers()
    state = locate("faults", account)
    return Postgres(state, account, postgres_bin(state, account))


@dataclass
class Cluster:
    """One cluster and its server process."""

    postgres: Postgres = field(default_factory=_postgres)
    process: subprocess.Popen[bytes] | None = None

    def make(self, **settings: str) -> None:
        """A new cluster, migrated, with these settings beside the product's."""
        shutil.rmtree(self.postgres.data, ignore_errors=True)
        self.postgres.make()
        lines = "".join(f"{name} = '{value}'\n" for name, value in settings.items())
        write_private(self.postgres.data / "local.conf", lines, self.postgres.account)
        self.start()
        state = self.postgres.state
        bootstrap(self.postgres.url(), DATABASE, {role: secret(state, role) for role in LOGINS}, own_cluster=True)
        urls = {f"MUNIMENT_DB_{role.removeprefix('muniment_').upper()}_URL": self.url(role) for role in LOGINS}
        for command in (["migrate", "--database", "owner"], ["install_ticket_key"]):
            argv = [sys.executable, "manage.py", *command, "--verbosity", "0", "--skip-checks"]
            subprocess.run(argv, cwd=CHECKOUT, env=os.environ | urls, check=True, stdout=subprocess.DEVNULL)

    def url(self, role: str) -> str:
        return self.postgres.url(role, secret(self.postgres.state, role), DATABASE)

    def connect(self, role: str, **options: Any) -> psycopg.Connection[Any]:
        """A connection as `postgres`, `app` or `gate`."""
        if role == "postgres":
            return psycopg.connect(self.postgres.url(database=DATABASE), **options)
        return psycopg.connect(self.url(f"muniment_{role}"), **options)

    def start(self, seconds: float = PATIENCE_SECONDS) -> None:
        """Start the server and wait until it has recovered. Call from the main thread."""
        self.postgres.clear()
        with (self.postgres.state.log / "postgres.log").open("ab") as output:
            self.process = spawn(
                self.postgres.argv(),
                env=self.postgres.env(),
                account=self.postgres.account,
                output=output,
                death_signal=signal.SIGINT,
            )
        self.await_ready(seconds)

    def await_ready(self, seconds: float = PATIENCE_SECONDS) -> None:
        """Wait until the server lets us in, as after a crash of one of its children."""
        until = time.monotonic() + seconds
        while True:
            assert self.process and self.process.poll() is None, "the server did not start: see postgres.log"
            try:
                psycopg.connect(self.postgres.url()).close()
                return
            except psycopg.Error:
                assert time.monotonic() < until, "the server did not recover"
                time.sleep(0.05)

    def children(self, title: str = "") -> list[int]:
        """The server's child processes whose title holds this text."""
        assert self.process
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                shown = (folder / "cmdline").read_text()
            except OSError:
                continue
            if parent == self.process.pid and title in shown:
                found.append(int(folder.name))
        return found

    def kill_everybody(self) -> None:
        """SIGKILL to the server and all its children at once: what the kernel does to a container."""
        assert self.process
        family = [self.process.pid, *self.children()]
        for pid in family:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.process.wait()
        while any(map(alive, family)):
            time.sleep(0.01)

    def kill_child(self, title: str) -> None:
        """SIGKILL to one child: the server ends the others and recovers by itself."""
        family = self.children()
        os.kill(self.children(title)[0], signal.SIGKILL)
        while any(map(alive, family)):
            time.sleep(0.01)

    def stop_immediately(self) -> None:
        """SIGQUIT: stop without a checkpoint, recover at the next start."""
        assert self.process
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()

    def remove(self) -> None:
        """Stop the server and remove the cluster."""
        if self.process and self.process.poll() is None:
            self.stop_immediately()
        shutil.rmtree(self.postgres.state.root, ignore_errors=True)
        shutil.rmtree(self.postgres.state.run, ignore_errors=True)
