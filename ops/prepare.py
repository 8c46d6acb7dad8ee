"""What the database and the static files need before the web process starts, done only when something changed."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ops.servers import Servers
from ops.state import CHECKOUT, write_private
from ops.supervisor import Step, Supervisor

# Several management commands in one process: importing Django costs more than any of them.
COMMANDS = """\
import sys
from django.core.management import execute_from_command_line
for line in sys.argv[1:]:
    execute_from_command_line(["manage.py", *line.split()])
    print("== done:", line.split()[0], flush=True)
"""
MIGRATE = ("migrate --database owner --noinput --verbosity 1", "install_ticket_key")
SEED = ("seed_demo",)
ON_HOLD = 3  # how manage.py guard exits where nothing may be stamped
COLLECT = ("collectstatic --noinput --verbosity 0",)
# On this machine alone nobody waits for a download, and compressing 10 MB as well as can be takes 40 s of work.
# The manifest is the same; an image is built with the compressed files.
_PLAIN_STATIC = """\
from django.conf import settings
backend = "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"
settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": backend}}
"""


@dataclass
class Prepare:
    """The steps between a bootstrapped database and a web process that can serve."""

    servers: Servers
    port: int

    def digest(self) -> str:
        """A digest of all that the steps depend on: code, requirements, and which cluster it is."""
        found = hashlib.sha256()
        for path in sorted(_sources()):
            facts = path.stat()
            found.update(f"{path}\0{facts.st_size}\0{facts.st_mtime_ns}\n".encode())
        cluster = self.servers.state.postgres / "data" / "PG_VERSION"
        if cluster.exists():
            found.update(f"{cluster.stat().st_ino} {cluster.stat().st_mtime_ns}".encode())
        return found.hexdigest()

    def needed(self) -> bool:
        """Whether anything changed since ``done``. Of a server that is not ours nothing is known: always."""
        static = self.servers.state.app / "static"
        if self.servers.postgres is None or not static.is_dir():
            return True
        return self.servers.state.stamp("prepared") != self.digest()

    def done(self) -> None:
        """Note that all steps succeeded, and what the seed said of the demo's sign-in."""
        said = (self.servers.state.log / "prepare.log").read_text(errors="replace")
        lines = [line.strip() for line in said.splitlines() if line.startswith("Demo sign-in:")]
        write_private(self.servers.state.secrets / "demo_sign_in", "".join(lines[-1:]) + "\n")
        self.servers.state.set_stamp("prepared", self.digest())

    def sign_in(self) -> str:
        """The line that says how to sign in to the demo, or nothing."""
        path = self.servers.state.secrets / "demo_sign_in"
        return path.read_text().strip() if path.exists() else ""

    def migrate(self, boss: Supervisor) -> None:
        """Migrate the database and gather the static files; both are there when this returns."""
        collect = boss.begin(self.step("static", COLLECT, privileged=False))
        boss.finish(boss.begin(self.step("migrate", MIGRATE, privileged=True)), collect)

    def guard(self, boss: Supervisor) -> str:
        """Ask whether the database continues what its log has signed, before anything is stamped in it.

        What is held against it and what to do, in lines; empty where it may stamp. Warnings are printed.
        """
        argv = [sys.executable, "manage.py", "guard"]
        env = self.servers.log_env(self.port)
        step = boss.begin(Step("guard", argv, env, self.servers.log, CHECKOUT, answers=(0, ON_HOLD)))
        boss.finish(step)
        assert step.process is not None and step.output is not None
        said = step.output.read_text(errors="replace").strip()
        for line in said.splitlines():
            if line.startswith("warning:"):
                boss.say(line)
        return said if step.process.returncode == ON_HOLD else ""

    def seed(self, boss: Supervisor) -> Step:
        """Begin to seed the demo; give the step to ``boss.finish``. Not on hold: it is made of deeds like any other."""
        return boss.begin(self.step("prepare", SEED, privileged=True))

    def step(self, name: str, commands: tuple[str, ...], *, privileged: bool) -> Step:
        env = {
            **self.servers.env(privileged=privileged, port=self.port),
            "DJANGO_SETTINGS_MODULE": "vault.settings",
        }
        script = (_PLAIN_STATIC if commands is COLLECT else "") + COMMANDS
        return Step(name, [sys.executable, "-c", script, *commands], env, self.servers.services, CHECKOUT)


def _sources() -> Iterator[Path]:
    yield Path(__file__)
    for folder in (CHECKOUT / "apps", CHECKOUT / "vault"):
        for path in folder.rglob("*"):
            if "__pycache__" not in path.parts and path.is_file():
                yield path
    yield CHECKOUT / "requirements" / "runtime.txt"
