"""Processes of the product that may be killed: a worker as in life, and somebody who orders an erasure."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID

from celery import Celery
from django.conf import settings

from tests.databases import ROOT

PATIENCE_SECONDS = 120
ORDER = """
import sys
from uuid import UUID
import django
django.setup()
from apps.erasure import services as erasure
from apps.holders import services as holders
from apps.policy.erasing import Plan, Where
from vault.clock import utc_now
holder = holders.holder(UUID(sys.argv[1]))
everything = Where(subjects=frozenset({"measured"}), below=True)
plan = erasure.preview(holder, everything)
assert isinstance(plan, Plan)
print("ready", flush=True)
done = erasure.order(holder, everything, utc_now(), plan=plan.digest)
print("ordered", done.order_id, flush=True)
"""


def broker_url() -> str:
    """A broker's database that no other test sends to."""
    parts = urlsplit(settings.REDIS_URL)
    if parts.scheme == "redis+socket":
        return parts._replace(query="virtual_host=8").geturl()
    return parts._replace(path="/8").geturl()


@dataclass
class Processes:
    """What was started for a test, on the test's database; all of it ends with `end`."""

    folder: Path
    settings: dict[str, str] = field(default_factory=dict)
    broker: Celery = field(default_factory=lambda: Celery(broker=broker_url(), task_ignore_result=True))
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def environ(self) -> dict[str, str]:
        env = {**os.environ, "MUNIMENT_STATE_DIR": str(self.folder), "REDIS_URL": broker_url()}
        env |= {"C_FORCE_ROOT": "true", "DJANGO_SETTINGS_MODULE": "vault.settings"}
        for role in ("APP", "GATE"):
            url = urlsplit(env[f"MUNIMENT_DB_{role}_URL"])
            env[f"MUNIMENT_DB_{role}_URL"] = url._replace(path=f"/{settings.DATABASES['default']['NAME']}").geturl()
        return env | self.settings

    def worker(self, name: str) -> subprocess.Popen[bytes]:
        """A worker that listens."""
        command = [sys.executable, "-m", "celery", "-A", "vault", "worker", "--pool", "threads", "--concurrency", "2"]
        command += ["--without-gossip", "--without-mingle", "--loglevel", "INFO", "--hostname", f"{name}@%h"]
        made = self._start(command, name)
        self._await(lambda: len(self.broker.control.ping(timeout=0.3, destination=self._named(name))) == 1, name)
        return made

    def _named(self, name: str) -> list[str]:
        return [f"{name}@{os.uname().nodename}"]

    def order(self, user_id: UUID, name: str) -> subprocess.Popen[bytes]:
        """Somebody who is about to order that everything under `measured` is erased."""
        made = self._start([sys.executable, "-W", "error", "-c", ORDER, str(user_id)], name)
        self._await(lambda: "ready" in self.said(name), name)
        return made

    def said(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text()

    def sweep(self, vault_id: UUID, order_id: UUID) -> None:
        """Two beats find the order, whoever ordered it says so as well, and the broker delivers that twice."""
        for _ in range(2):
            self.broker.send_task("erasure.sweep")
            self.broker.send_task("erasure.carry_out", args=[str(vault_id), str(order_id)])

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """SIGKILL: it says nothing more and puts nothing in order."""
        process.send_signal(signal.SIGKILL)
        process.wait()

    def end(self) -> None:
        """Whatever still runs is stopped, and what nobody took is forgotten."""
        for each in self.running:
            if each.poll() is None:
                self.kill(each)
        self.broker.control.purge()
        self.broker.close()

    def _start(self, command: list[str], name: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{name}.log").open("ab") as log:
            made = subprocess.Popen(command, cwd=ROOT, env=self.environ, stdout=log, stderr=subprocess.STDOUT)
        self.running.append(made)
        return made

    def _await(self, done: Callable[[], bool], name: str) -> None:
        until = time.monotonic() + PATIENCE_SECONDS
        while not done():
            assert time.monotonic() < until, self.said(name)
            assert self.running[-1].poll() is None, self.said(name)
            time.sleep(0.02)
