"""Nobody who is slow, large, talkative or hostile keeps others from their answer, and nobody sees the inside."""

import contextlib
import hashlib
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from apps.ledger.witness import server
from tests.ledger.material import LOG
from tests.witness.logs import request
from tests.witness.running import Asking, process, read, serving

END = 30.0  # seconds; nobody is kept waiting for so long


@contextlib.contextmanager
def connected(witness: Asking) -> Iterator[socket.socket]:
    where = urlsplit(witness.url)
    with socket.create_connection((where.hostname, where.port), timeout=END) as connection:
        yield connection


def whole(witness: Asking, sent: bytes) -> bytes:
    """All that comes back on a connection for some bytes, until it ends."""
    with connected(witness) as connection:
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        parts = []
        with contextlib.suppress(ConnectionResetError):
            while part := connection.recv(65536):
                parts.append(part)
    return b"".join(parts)


def post(body: bytes, *headers: str, path: str = "/add-checkpoint") -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: w", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


# Others in the way


def test_those_who_send_slowly_do_not_hold_up_the_others(witness: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "PATIENCE", 0.6)
    with contextlib.ExitStack() as many:
        slow = [many.enter_context(connected(witness)) for _ in range(60)]
        for each in slow:
            each.sendall(b"POST /add-checkpoint HTTP/1.1\r\nContent-Length: 900\r\n")
        began = time.monotonic()
        assert witness.cosigned(request(0, 9))
        assert time.monotonic() - began < END / 2
        with pytest.raises(OSError):  # a byte now and then does not buy time
            while time.monotonic() - began < END:
                slow[0].sendall(b"X")
                time.sleep(0.05)
        assert time.monotonic() - began < END
        assert slow[1].recv(100) == b""


def test_those_who_send_nothing_are_let_go(witness: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "IDLE", 0.3)
    with connected(witness) as connection:
        assert connection.recv(100) == b""


def test_those_who_read_nothing_are_let_go(witness: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "PATIENCE", 0.5)
    assert witness.cosigned(request(0, 9))
    with connected(witness) as connection:
        connection.setblocking(False)
        began = time.monotonic()
        with pytest.raises(ConnectionError):
            while time.monotonic() - began < 2 * END:
                with contextlib.suppress(BlockingIOError):
                    connection.send(b"GET /nothing HTTP/1.1\r\nHost: w\r\n\r\n" * 1000)
        assert witness.seen().status == 200


def test_more_connections_than_there_is_room_for_are_turned_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 3)
    with serving(tmp_path / "w") as witness:
        with contextlib.ExitStack() as many:
            held = [many.enter_context(connected(witness)) for _ in range(3)]
            for each in held:
                each.sendall(b"G")
            with connected(witness) as one_more:
                assert one_more.recv(100) == b""
        deadline = time.monotonic() + END
        while time.monotonic() < deadline:
            with contextlib.suppress(ConnectionError):
                assert witness.cosigned(request(0, 9))
                break
        assert witness.seen().status == 200


def test_many_at_once_are_all_answered(witness: Asking) -> None:
    asking = [Asking(witness.url, witness.key) for _ in range(24)]
    with ThreadPoolExecutor(24) as pool:
        said = list(pool.map(lambda each: each.ask(request(0, 9)), asking))
    assert sorted(each.status for each in said) == [200, *[409] * 23]


# HTTP/1.1


def test_a_connection_is_kept_for_the_next_request(witness: Asking) -> None:
    connection = witness.connect()
    connection.connect()
    held = connection.sock
    for body, status in [(request(0, 3), 200), (request(0, 9), 409), (b"", 400), (request(3, 9), 200)]:
        connection.request("POST", "/add-checkpoint", body)
        assert read(connection.getresponse()).status == status
    connection.request("GET", "/nothing")
    assert read(connection.getresponse()).status == 404
    connection.request("PUT", "/add-checkpoint", b"x")
    assert read(connection.getresponse()).status == 405
    connection.request("POST", "/add-checkpoint", request(9, 10), {"Expect": "100-continue"})
    assert read(connection.getresponse()).status == 200
    assert connection.sock is held
    connection.close()


def test_requests_may_follow_one_another_unanswered(witness: Asking) -> None:
    one, two = request(0, 3), request(3, 9)
    sent = post(one, f"Content-Length: {len(one)}") + post(two, f"Content-Length: {len(two)}")
    assert whole(witness, sent).count(b"HTTP/1.1 200 OK\r\n") == 2


def test_an_answer_is_one_piece_and_names_no_version(witness: Asking) -> None:
    answer = whole(witness, post(b"", "Content-Length: 0"))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 Bad Request\r\nServer: muniment-witness\r\n")
    assert body == b"a request says `old` and a size, and has an empty line before its checkpoint\n"


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW"])
def test_405_for_another_method(witness: Asking, method: str) -> None:
    connection = witness.connect()
    connection.request(method, "/add-checkpoint")
    response = connection.getresponse()
    assert (response.status, response.headers["Allow"]) == (405, "POST")
    response.read()
    if method not in ("GET", "HEAD"):
        connection.request(method, f"/{'0' * 64}/checkpoint")
        response = connection.getresponse()
        assert (response.status, response.headers["Allow"]) == (405, "GET, HEAD")
    connection.close()


@pytest.mark.parametrize(
    "path",
    ["/", "/checkpoint", "//checkpoint", "/add-checkpoint/", "/x/add-checkpoint", "/add-checkpoints", "/%2e/checkpoint",
     "/../etc/checkpoint", f"/{'0' * 64}/checkpoint", "/state.db", "/key", "/a/b/checkpoint", "*"],
)  # fmt: skip
def test_404_for_another_path(witness: Asking, path: str) -> None:
    assert witness.cosigned(request(0, 3))
    for method in ("GET", "POST"):
        said = whole(witness, f"{method} {path} HTTP/1.1\r\nContent-Length: 0\r\n\r\n".encode())
        assert said.startswith((b"HTTP/1.1 404 ", b"HTTP/1.1 405 "))
        assert b" 404 " in said.split(b"\r\n")[0] or (path.endswith("/checkpoint") and method == "POST")


def test_the_head_of_a_checkpoint(witness: Asking) -> None:
    assert witness.cosigned(request(0, 3))
    said = witness.seen()
    connection: HTTPConnection = witness.connect()
    connection.request("HEAD", f"/{hashlib.sha256(LOG.name.encode()).hexdigest()}/checkpoint")
    response = connection.getresponse()
    assert (response.status, response.headers["Content-Length"]) == (200, str(len(said.body)))
    assert response.read() == b""
    connection.close()


# What is no request


def test_413_for_a_request_that_is_too_large(witness: Asking) -> None:
    said = witness.ask(b"x" * (server.MOST_BYTES + 1))
    assert (said.status, said.body) == (413, f"a request is at most {server.MOST_BYTES} bytes\n".encode())
    assert witness.ask(b"x" * server.MOST_BYTES).status == 400
    assert b" 413 " in whole(witness, post(b"", "Content-Length: 99999999999999"))
    assert witness.cosigned(request(0, 3))


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ([], 411),
        (["Transfer-Encoding: chunked"], 411),
        (["Content-Length: 5", "Transfer-Encoding: chunked"], 411),
        (["Content-Length: 5", "Content-Length: 6"], 400),
        (["Content-Length: -1"], 400),
        (["Content-Length: +5"], 400),
        (["Content-Length: 5x"], 400),
        (["Content-Length: 9"], 400),  # and five bytes follow
    ],
)
def test_a_request_whose_end_is_not_known_is_the_last_of_its_connection(
    witness: Asking, headers: list[str], status: int
) -> None:
    rest = b"GET /nothing HTTP/1.1\r\n\r\n" if headers != ["Content-Length: 9"] else b""
    answer = whole(witness, post(b"old 0" + rest, *headers))
    assert answer.startswith(f"HTTP/1.1 {status} ".encode())
    assert answer.count(b"HTTP/1.1") == 1
    assert b"Connection: close" in answer


@pytest.mark.parametrize(
    "sent",
    [b"", b"\r\n", b"\x00" * 100, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.1\r\n",
     b"\xff\xfe / HTTP/1.1\r\n\r\n",
     b"GET " + b"/" * 70000 + b" HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 200 + b"\r\n",
     b"GET / HTTP/1.1\r\nA: " + b"b" * 70000 + b"\r\n\r\n",
     b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET /\r\n\r\n",
     b"POST /add-checkpoint HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc"],
)  # fmt: skip
def test_what_is_no_http_is_refused_without_a_word_about_the_inside(
    witness: Asking, sent: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    answer = whole(witness, sent)
    assert answer.startswith((b"HTTP/1.1 4", b"HTTP/1.1 505 ")) or sent in (b"", b"\r\n")
    assert b"Traceback" not in answer and b".py" not in answer and b"Python" not in answer
    assert witness.cosigned(request(0, 3))
    assert "Traceback" not in capfd.readouterr().err


def test_a_client_that_goes_away_is_not_missed(witness: Asking, capfd: pytest.CaptureFixture[str]) -> None:
    body = request(0, 9)
    for cut in (10, 40, len(post(body)) - 3):
        with connected(witness) as connection:
            connection.sendall(post(body, f"Content-Length: {len(body)}")[:cut])
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
    assert witness.cosigned(body)
    assert "Traceback" not in capfd.readouterr().err


def test_a_signal_ends_it(tmp_path: Path) -> None:
    with process(tmp_path / "w") as (witness, child):
        assert witness.cosigned(request(0, 9))
        with connected(witness):  # one who stays does not keep it
            child.terminate()
            assert child.wait(10) == 0
