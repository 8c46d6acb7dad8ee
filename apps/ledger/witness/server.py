"""The witness over HTTP/1.1, by the standard library: two resources, for logs and for whoever looks after them.

    POST <prefix>/add-checkpoint
    GET  <prefix>/<hex sha256(origin)>/checkpoint

A connection has a thread. How many there are, how large a request is and how long it may take are bounded, so that
nobody who is slow, idle or talkative keeps the others out.
"""

import io
import logging
import socket
import socketserver
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from time import monotonic
from typing import Any

from ..format.strict import Malformed, decimal
from .witness import PLAIN, Reply, Witness

MOST_BYTES = 256 * 1024  # of a request: 63 hashes and a checkpoint with many signatures take a tenth of it
MOST_CONNECTIONS = 256
IDLE = 60.0  # seconds that a connection may wait for its next request
PATIENCE = 10.0  # seconds for a whole request from its first byte; and for its answer
METHODS = {"add-checkpoint": "POST", "checkpoint": "GET, HEAD"}

log = logging.getLogger("muniment.witness")


class Server(socketserver.ThreadingTCPServer):
    """A witness's server at (host, port); port 0 takes a free one. `serve_forever` until `shutdown`."""

    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], witness: Witness, prefix: str = "") -> None:
        """Listens when this returns. Raises OSError where it cannot."""
        self.witness, self.prefix = witness, prefix
        self.address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        self._places = threading.BoundedSemaphore(MOST_CONNECTIONS)
        super().__init__(address, _Handler)

    @property
    def url(self) -> str:
        """Where it is reached on this machine: the submission and the monitoring prefix."""
        host, port = self.server_address[:2]
        return f"http://[{host!s}]:{port}{self.prefix}" if ":" in str(host) else f"http://{host!s}:{port}{self.prefix}"

    def serve_forever(self, poll_interval: float = 0.2) -> None:
        with self.witness.state.held():
            super().serve_forever(poll_interval)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Give the connection a thread, or turn it away where all places are taken."""
        if not self._places.acquire(blocking=False):
            log.warning("A connection was turned away: %d are open.", MOST_CONNECTIONS)
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except BaseException:
            self._places.release()
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """The client went away in the middle of something: nobody is left to be told."""
        log.info("A connection broke off.", exc_info=log.isEnabledFor(logging.DEBUG))


class _Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: Server
    protocol_version = "HTTP/1.1"
    default_request_version = "HTTP/1.0"  # of what names none: it too is answered with a status
    wbufsize = -1  # an answer leaves in one piece
    disable_nagle_algorithm = True

    def setup(self) -> None:
        super().setup()
        self._patient = _Patient(self.connection)
        self.rfile = io.BufferedReader(self._patient)

    def handle_one_request(self) -> None:
        self._patient.wait()
        super().handle_one_request()

    def __getattr__(self, name: str) -> Callable[[], None]:
        """Whatever the method is, it is answered in one place."""
        if name.startswith("do_"):
            return self._answer
        raise AttributeError(name)

    def _answer(self) -> None:
        body = self._body()
        if isinstance(body, Reply):
            self.close_connection = True  # what follows on the connection may be the rest of a body
            self._send(body)
            return
        try:
            reply, headers = self._reply(body)
        except Exception as error:  # mostly sqlite3.Error; whatever it is, no cosignature leaves
            log.error("A request was not answered (%s): %s.", type(error).__name__, error)
            reply, headers = Reply(500, b"this witness cannot keep its state now, and has cosigned nothing\n"), {}
        self._send(reply, headers)

    def _body(self) -> bytes | Reply:
        """The body of a request, or the answer to one whose end cannot be known or waited for."""
        lengths = set(self.headers.get_all("Content-Length", ["0"] if self.command != "POST" else []))
        if self.headers.get_all("Transfer-Encoding") or not lengths:
            return Reply(411, b"send the request with its Content-Length\n")
        try:
            length = decimal(lengths.pop(), "Content-Length")
        except Malformed as problem:
            return Reply(400, f"{problem}\n".encode())
        if lengths:
            return Reply(400, b"send one Content-Length\n")
        if length > MOST_BYTES:
            self.rfile.read(min(length, 4 * MOST_BYTES))  # so that the client comes to read the answer
            return Reply(413, f"a request is at most {MOST_BYTES} bytes\n".encode())
        body = self.rfile.read(length)
        return body if len(body) == length else Reply(400, b"the request is shorter than its Content-Length\n")

    def _reply(self, body: bytes) -> tuple[Reply, dict[str, str]]:
        """The answer to a whole request, and its headers."""
        path = self.path.partition("?")[0]
        inside, _, name = path.removeprefix(self.server.prefix + "/").rpartition("/")
        allowed = METHODS.get(name, "") if path.startswith(self.server.prefix + "/") else ""
        if not allowed or bool(inside) != (name == "checkpoint"):
            return Reply(404, b"there is nothing here\n"), {}
        if self.command not in allowed.split(", "):
            return Reply(405, f"use {allowed}\n".encode()), {"Allow": allowed}
        if name == "add-checkpoint":
            return self.server.witness.add_checkpoint(body), {}
        note = self.server.witness.checkpoint(inside)
        if note is None:
            return Reply(404, b"this witness has cosigned no checkpoint of such a log\n"), {}
        return Reply(200, note), {"Cache-Control": "no-cache"}

    def _send(self, reply: Reply, headers: dict[str, str] | None = None) -> None:
        self.connection.settimeout(PATIENCE)
        self.send_response(reply.status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Type", reply.content_type)
        self.send_header("Content-Length", str(len(reply.body)))
        self.send_header("X-Content-Type-Options", "nosniff")
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(reply.body)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """The standard library's refusal of what is no HTTP: in our form, and the connection ends."""
        self.close_connection = True
        self._send(Reply(code, b"this is not a request that HTTP/1.1 knows\n", PLAIN))

    def handle_expect_100(self) -> bool:
        going_on = super().handle_expect_100()
        self.wfile.flush()
        return going_on

    def version_string(self) -> str:
        return "muniment-witness"

    def log_message(self, format: str, *args: object) -> None:
        log.debug("%s", format % args)


class _Patient(io.RawIOBase):
    """A connection to read from that ends, whatever the other side does: by TimeoutError."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self.wait()

    def wait(self) -> None:
        """For the first byte of a request; from there on it has its own time."""
        self._until, self._waiting = monotonic() + IDLE, True

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        left = self._until - monotonic()
        if left <= 0:
            raise TimeoutError
        self._connection.settimeout(left)
        got = self._connection.recv_into(buffer)
        if self._waiting:
            self._until, self._waiting = monotonic() + PATIENCE, False
        return got
