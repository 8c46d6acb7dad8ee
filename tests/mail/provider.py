"""A provider that takes mail over HTTP on a loopback port, as Mailgun and Postmark do, and tells what became of it."""

import hashlib
import hmac
import json
import threading
from dataclasses import dataclass, field
from email.message import Message
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl

SIGNED_WITH = "the-signing-key"


@dataclass
class House:
    """What it was given, and what it answers: an HTTP status and a body."""

    status: int = 200
    answer: dict[str, Any] = field(default_factory=lambda: {"id": "<1@mg.example>", "message": "Queued."})
    taken: list[dict[str, str]] = field(default_factory=list)
    url: str = ""

    def open(self) -> ThreadingHTTPServer:
        """Answer from now on, at `url`."""
        house = self

        class Desk(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                house.taken.append(_read(self.headers["Content-Type"], body) | {"path": self.path})
                said = json.dumps(house.answer).encode()
                self.send_response(house.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(said)))
                self.end_headers()
                self.wfile.write(said)

            def log_message(self, *args: Any) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Desk)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{server.server_port}/v3"
        return server


def _read(kind: str, body: bytes) -> dict[str, str]:
    """The fields of what was posted: a form of parts, or one that is URL-encoded, or JSON."""
    if kind.startswith("application/json"):
        return {name: json.dumps(value) for name, value in json.loads(body).items()}
    if kind.startswith("application/x-www-form-urlencoded"):
        return dict(parse_qsl(body.decode()))
    parts = BytesParser().parsebytes(b"Content-Type: " + kind.encode() + b"\r\n\r\n" + body)
    fields: dict[str, str] = {}
    for part in parts.get_payload():
        assert isinstance(part, Message)
        name = str(part.get_param("name", header="content-disposition"))
        payload = part.get_payload(decode=True)
        assert isinstance(payload, bytes)
        fields[name] = payload.decode()
    return fields


def told(letter: str, event: str, severity: str = "", *, key: str = SIGNED_WITH) -> bytes:
    """What Mailgun tells of a mail, signed."""
    data = {
        "event": event,
        "timestamp": 1_700_000_000.5,
        "user-variables": {"letter": letter},
        "recipient": "a@b.example",
    }
    data |= {"severity": severity, "reason": "bounce"} if severity else {}
    token, at = "t" * 50, "1700000000"
    signature = hmac.new(key.encode(), f"{at}{token}".encode(), hashlib.sha256).hexdigest()
    return json.dumps(
        {"signature": {"token": token, "timestamp": at, "signature": signature}, "event-data": data}
    ).encode()
