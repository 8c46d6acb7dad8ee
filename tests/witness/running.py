"""A witness that runs: in this process, or in one of its own that may be killed."""

import hashlib
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from apps.ledger.format.checkpoint import Checkpoint, parse_signed
from apps.ledger.format.keys import SigningKey, VerifierKey
from apps.ledger.format.witness import Request, read_cosignatures
from apps.ledger.witness.key import read_key
from apps.ledger.witness.server import Server
from apps.ledger.witness.state import open_state
from apps.ledger.witness.witness import Logs, Witness
from tests.ledger.material import LOG

NAME = "witness.example/w1"
PATIENCE = 60.0  # seconds until a test gives up
COMMAND = "import sys; from apps.ledger.witness.command import main; sys.exit(main(sys.argv[1:]))"
ROOT = Path(__file__).resolve().parent.parent.parent


class Said(NamedTuple):
    """An answer as it came over the wire."""

    status: int
    body: bytes
    content_type: str


@dataclass
class Asking:
    """Whoever asks a witness: each question on a connection of its own."""

    url: str
    key: VerifierKey
    said: list[Said] = field(default_factory=list)

    def connect(self) -> HTTPConnection:
        return HTTPConnection(urlsplit(self.url).netloc, timeout=PATIENCE)

    def send(self, method: str, path: str, body: bytes | None = None) -> Said:
        connection = self.connect()
        try:
            connection.request(method, urlsplit(self.url).path + path, body)
            self.said.append(read(connection.getresponse()))
        finally:
            connection.close()
        return self.said[-1]

    def ask(self, body: bytes) -> Said:
        return self.send("POST", "/add-checkpoint", body)

    def seen(self, origin: str = LOG.name) -> Said:
        return self.send("GET", f"/{hashlib.sha256(origin.encode()).hexdigest()}/checkpoint")

    def cosigned(self, body: bytes) -> Checkpoint | None:
        """The checkpoint of a request, if the witness has cosigned it; its signature is checked."""
        said = self.ask(body)
        if said.status != 200:
            assert "—".encode() not in said.body
            return None
        checkpoint, _ = parse_signed(Request.parse(body).checkpoint)
        assert len(read_cosignatures(said.body, checkpoint, [self.key])) == 1
        return checkpoint


def read(response: HTTPResponse) -> Said:
    return Said(response.status, response.read(), response.headers.get("Content-Type", ""))


def following(*keys: SigningKey | VerifierKey) -> Logs:
    verifiers = [key.verifier if isinstance(key, SigningKey) else key for key in keys or (LOG,)]
    return {name: tuple(key for key in verifiers if key.name == name) for name in {key.name for key in verifiers}}


@contextmanager
def serving(folder: Path, logs: Logs | None = None, prefix: str = "") -> Iterator[Asking]:
    """In this process, on a free port of loopback."""
    state = open_state(folder, None if (folder / "key").exists() else NAME)
    with Server(("127.0.0.1", 0), Witness(state, logs or following()), prefix) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield Asking(server.url, state.key.verifier)
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def process(folder: Path, *argv: str, program: str = COMMAND) -> Iterator[tuple[Asking, "subprocess.Popen[str]"]]:
    """In a process of its own, which is killed at the end if it still runs."""
    words = ["--state", str(folder), "--log", str(LOG.verifier), "--listen", "127.0.0.1:0", *argv]
    if not (folder / "key").exists():
        words += ["--name", NAME]
    with subprocess.Popen(
        [sys.executable, "-c", program, *words], cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as child:
        try:
            assert child.stdout is not None
            lines = []
            while not lines or not lines[-1].startswith("Listening on "):
                lines.append(child.stdout.readline())
                assert lines[-1], "it ended before it listened"
            yield Asking(lines[-1].split()[-1], read_key(folder / "key").verifier), child
        finally:
            child.kill()


def command(*argv: str) -> "subprocess.CompletedProcess[str]":
    """The command, run to its end."""
    return subprocess.run(
        [sys.executable, "-c", COMMAND, *argv], cwd=ROOT, text=True, capture_output=True, timeout=PATIENCE, check=False
    )
