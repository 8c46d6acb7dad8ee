"""An embedded Valkey: the broker and the cache, behind a password on a unix socket."""

from __future__ import annotations

import signal
import socket
from dataclasses import dataclass
from pathlib import Path

from ops.accounts import Account
from ops.environment import server_env
from ops.state import State, secret, write_private


@dataclass(frozen=True)
class Valkey:
    """One server: where its data and socket are and under which account it runs."""

    state: State
    account: Account
    program: Path
    throw_away: bool = False

    death_signal = signal.SIGTERM

    @property
    def socket(self) -> Path:
        return self.state.sock / "valkey.sock"

    def url(self) -> str:
        """The broker's URL (database 0). In this spelling alone does the client library see the password."""
        return f"redis+socket://:{secret(self.state, 'redis')}@{self.socket}?virtual_host=0"

    def make(self) -> None:
        """Write the configuration."""
        lines = [
            "port 0",
            f'unixsocket "{self.socket}"',
            "unixsocketperm 777",
            f"requirepass {secret(self.state, 'redis')}",
            f'dir "{self.state.valkey}"',
            'save ""',
            f"appendonly {'no' if self.throw_away else 'yes'}",
            "appendfsync everysec",
            "maxmemory-policy noeviction",  # a job must never be evicted; the cache shares the server
            "daemonize no",
            'logfile ""',
        ]
        write_private(self.state.valkey / "valkey.conf", "\n".join(lines) + "\n", self.account)

    def argv(self) -> list[str | Path]:
        return [self.program, self.state.valkey / "valkey.conf"]

    def env(self) -> dict[str, str]:
        return server_env()

    def clear(self) -> None:
        """Nothing is left behind that would block a start."""

    def ready(self, pid: int) -> bool:
        """Whether the server answers on its socket."""
        try:
            with socket.socket(socket.AF_UNIX) as sock:
                sock.settimeout(1)
                sock.connect(str(self.socket))
                sock.sendall(f"AUTH {secret(self.state, 'redis')}\r\nPING\r\n".encode())
                said = b""
                while said.count(b"\r\n") < 2:
                    more = sock.recv(256)
                    if not more:
                        return False
                    said += more
        except OSError:
            return False
        return said.endswith(b"+PONG\r\n")
