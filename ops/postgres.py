"""An embedded PostgreSQL: SCRAM passwords, one unix socket, no TCP, logs outside its data."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from ops.accounts import Account
from ops.environment import server_env
from ops.process import alive, spawn, works_in
from ops.state import State, secret, write_private
from ops.trouble import Trouble

SUPERUSER = "postgres"

# A statement must never reach a log: it may hold a value, a ticket or a password.
QUIET_LOGS = {
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
}
MODEST_MEMORY = {
    "shared_buffers": "32MB",
    "max_connections": "60",
    "work_mem": "2MB",
    "maintenance_work_mem": "32MB",
    "max_wal_size": "256MB",
    "max_worker_processes": "4",
    "max_parallel_workers": "2",
    "autovacuum_max_workers": "2",
    "huge_pages": "off",
    "jit": "off",
}
# For tests alone: nobody needs their data after a crash of the machine.
THROW_AWAY = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "on",
    "max_connections": "120",
    "shared_buffers": "64MB",
    "scram_iterations": "1",  # passwords of our own making, on a socket of our own: each connection costs half
}


@dataclass(frozen=True)
class Postgres:
    """One cluster: where its data and socket are and under which account it runs."""

    state: State
    account: Account
    bin: Path
    throw_away: bool = False

    death_signal = signal.SIGINT  # fast shutdown

    @property
    def data(self) -> Path:
        return self.state.postgres / "data"

    def url(self, role: str = SUPERUSER, password: str | None = None, database: str = "postgres") -> str:
        """A URL of this cluster; without a password the superuser's."""
        word = secret(self.state, "db_superuser") if password is None else password
        return f"postgresql://{role}:{word}@/{database}?host={quote(str(self.state.sock))}"

    def version(self) -> int:
        """The major version of the programs."""
        shown = subprocess.run([self.bin / "postgres", "--version"], capture_output=True, text=True, check=False)
        words = shown.stdout.split()
        if shown.returncode != 0 or not words:
            raise Trouble(f"{self.bin / 'postgres'} does not run here ({shown.stderr.strip()}): set DATABASE_URL.")
        return int(words[2].split(".")[0])

    def make(self) -> None:
        """Make the cluster if there is none, whole or not at all, and write its settings."""
        version = self.version()
        if version < 16:
            raise Trouble(f"PostgreSQL {version} is too old: PG_BINDIR must name version 16 or newer.")
        if not (self.data / "PG_VERSION").exists():
            self._initdb(version)
        made = int((self.data / "PG_VERSION").read_text())
        if made != version:
            raise Trouble(
                f"The data in {self.data} is PostgreSQL {made}, the programs are {version}: "
                f"set PG_BINDIR to version {made}, dump, and restore into a new state."
            )
        self._configure(version)

    def _initdb(self, version: int) -> None:
        if self.account.name.isdigit():
            raise Trouble(
                f"PostgreSQL needs an account with a name and uid {self.account.uid} has none: "
                "give it an entry in /etc/passwd, or set DATABASE_URL."
            )
        fresh = self.state.postgres / "data.new"
        shutil.rmtree(fresh, ignore_errors=True)
        word = self.state.postgres / "password"
        write_private(word, secret(self.state, "db_superuser") + "\n", self.account)
        argv: list[str | Path] = [self.bin / "initdb", "-D", fresh, "-U", SUPERUSER, "--pwfile", word]
        argv += ["--auth=scram-sha-256", "--encoding=UTF8", "--data-checksums", "--no-instructions"]
        if version >= 17:  # a collation that no update of the C library can corrupt
            argv += ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        else:
            argv += ["--locale=C.UTF-8"]
        if self.throw_away:
            argv += ["--no-sync", "--set", f"scram_iterations={THROW_AWAY['scram_iterations']}"]
        process = spawn(argv, env=server_env(), account=self.account, output=subprocess.PIPE)
        said = process.communicate()[0].decode(errors="replace")
        word.unlink()
        if process.returncode != 0:
            shutil.rmtree(fresh, ignore_errors=True)
            if "No space left" in said:
                raise Trouble(f"The disk is full under {self.state.root}: free some space and start again.")
            last = said.strip().splitlines()[-1:] or ["it said nothing"]
            raise Trouble(f"PostgreSQL could not make its data folder {self.data}: {last[0]}")
        fresh.rename(self.data)

    def _configure(self, version: int) -> None:
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.state.sock),
            "unix_socket_permissions": "0777",  # the password decides, not the folder
            "password_encryption": "scram-sha-256",
            "logging_collector": "off",  # the supervisor keeps the log, outside the data
            "log_line_prefix": "%m [%p] %u@%d ",
            "timezone": "UTC",
            "log_timezone": "UTC",
            **QUIET_LOGS,
            **MODEST_MEMORY,
            **(THROW_AWAY if self.throw_away else {}),
        }
        if version >= 18:
            settings["io_method"] = "sync"  # three fewer processes
        lines = [f"{name} = '{value.replace(chr(39), chr(39) * 2)}'" for name, value in settings.items()]
        text = "# Written at each start by ops/postgres.py; put your own lines into local.conf.\n"
        text += "\n".join(lines) + "\ninclude_if_exists 'local.conf'\n"
        write_private(self.data / "postgresql.conf", text, self.account)
        rule = "local all all scram-sha-256\nlocal replication all scram-sha-256\n"
        write_private(self.data / "pg_hba.conf", rule, self.account)

    def argv(self) -> list[str | Path]:
        return [self.bin / "postgres", "-D", self.data]

    def env(self) -> dict[str, str]:
        return server_env()

    def clear(self) -> None:
        """Before a start: end a server that outlived its supervisor, forget a pid file left by a crash."""
        pid_file = self.data / "postmaster.pid"
        pid = self._noted_pid()
        if pid is None:
            return
        if alive(pid) and works_in(pid, self.data):
            os.kill(pid, signal.SIGINT)
            until = time.monotonic() + 10
            while alive(pid) and time.monotonic() < until:
                time.sleep(0.05)
            if alive(pid):
                os.kill(pid, signal.SIGQUIT)
        elif Path("/proc/self/cwd").exists():
            # The id may belong to another program by now, and PostgreSQL would wait for that one.
            pid_file.unlink(missing_ok=True)

    def _noted_pid(self) -> int | None:
        try:
            return int((self.data / "postmaster.pid").read_text().splitlines()[0])
        except (OSError, ValueError, IndexError):
            return None

    def ready(self, pid: int) -> bool:
        """Whether the server with this process id accepts connections (it says so in its pid file)."""
        try:
            lines = (self.data / "postmaster.pid").read_text().splitlines()
            return int(lines[0]) == pid and lines[7].strip() == "ready"
        except (OSError, ValueError, IndexError):
            return False
