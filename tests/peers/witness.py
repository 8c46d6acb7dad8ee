"""Witnesses for the log to ask: ours, the real one, served on the loopback; and a peer that answers as it is told to.

The peer records every request, so that a test can say what it was asked, and may be switched between requests.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from apps.ledger.format.checkpoint import parse_signed
from apps.ledger.format.keys import COSIGNATURE, SigningKey, VerifierKey
from apps.ledger.format.witness import Request, cosignature_line
from apps.ledger.witness.server import Server
from apps.ledger.witness.state import State, open_state
from apps.ledger.witness.witness import Witness

NOON = 1_800_000_000  # POSIX seconds: when the peers cosign


@dataclass(frozen=True, slots=True)
class Real:
    """A witness of our own that is up: its name in a policy, its state, and where it is."""

    name: str
    state: State
    url: str

    @property
    def line(self) -> str:
        """Its line in a policy."""
        return f"witness {self.name} {self.state.key.verifier} {self.url}\n"

    def size(self, origin: str) -> int:
        """How large a tree of this log it has cosigned."""
        return self.state.standing(origin).size

    def statuses(self) -> list[int]:
        """What it has refused although the log had signed it: the statuses."""
        return [each.status for each in self.state.refused()]


@contextmanager
def witness(name: str, folder: Path, *logs: VerifierKey, port: int = 0) -> Iterator[Real]:
    """The real witness with its state in a folder, following these logs, up for as long as the block lasts."""
    state = open_state(folder, f"{name}.example/w")
    known = {key.name: tuple(each for each in logs if each.name == key.name) for key in logs}
    with Server(("127.0.0.1", port), Witness(state, known)) as server, _served(server):
        yield Real(name, state, server.url)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a peer answers: a status, bytes, headers beside Content-Length; `wait` holds it back until it is let go."""

    status: int
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    wait: bool = False
    trickle: bool = False  # the body comes a byte at a time, for ever


Behaviour = Callable[[Request], Reply]


class Peer:
    """A witness that does what it is told: `answer` decides on what is posted, `shows` is its own checkpoint."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.key = SigningKey(f"{name}.example/w", COSIGNATURE, name.encode().ljust(32, b"."))
        self.answer: Behaviour = self.cosigns
        self.shows: Reply = Reply(404)
        self.asked: list[Request] = []
        self.paths: list[str] = []
        self.let_go = threading.Event()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.server.daemon_threads = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/prefix"

    @property
    def line(self) -> str:
        """Its line in a policy."""
        return f"witness {self.name} {self.key.verifier} {self.url}/\n"

    def cosigns(self, request: Request) -> Reply:
        """Sign whatever comes: what a witness must not do, and what the log cannot tell from outside."""
        checkpoint = parse_signed(request.checkpoint)[0]
        return Reply(200, cosignature_line(self.key, checkpoint, NOON).encode())


@contextmanager
def peer(name: str) -> Iterator[Peer]:
    """A peer, up for as long as the block lasts."""
    made = Peer(name)
    with made.server, _served(made.server):
        try:
            yield made
        finally:
            made.let_go.set()


@contextmanager
def _served(server: ThreadingHTTPServer | Server) -> Iterator[None]:
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()


def _handler(peer: Peer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            """The tests say what happened."""

        def do_POST(self) -> None:
            request = Request.parse(self.rfile.read(int(self.headers["Content-Length"])))
            peer.asked.append(request)
            self._send(peer.answer(request))

        def do_GET(self) -> None:
            self._send(peer.shows)

        def _send(self, reply: Reply) -> None:
            peer.paths.append(f"{self.command} {self.path}")
            if reply.wait:
                peer.let_go.wait(20)
            try:
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                if not reply.trickle:
                    self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)
                while reply.trickle and not peer.let_go.wait(0.1):
                    self.wfile.write(b"x")
            except (BrokenPipeError, ConnectionResetError):
                return  # whoever asked has gone

    return Handler
