"""Shares beside what is bare of them: the page of a link under a crowd, and an opening beside a read of one value."""

import asyncio
import re
import secrets
import statistics
import time
from collections.abc import Iterator
from itertools import islice
from urllib.parse import urlsplit

import httpx2

from bench.instance import Holder, instance
from bench.registry import bench
from bench.rest import prepared

VISITORS, LOOKS, ROUNDS = 100, 1_000, 5
OPENINGS, OPENS_OF_ONE = 30, 25
NONCE = re.compile(r'name="nonce" value="([^"]+)"')


@bench("share_page_vs_bare", "share", better="higher", must=0.6, goal=0.8)
def page_vs_bare() -> list[float]:
    """Five ratios: how many pages of links a second 100 visitors at once are shown ÷ how many bare ones. Each has a
    connection of its own and asks again as soon as it was answered; an answer that is not 200 fails the bench.
    """
    with instance("share_page", settings="bench.settings") as running:
        asyncio.run(_crowd(running.url, "/bare-page", 200))
        asyncio.run(_crowd(running.url, _link(), 200))
        return [_ratio_of_pages(running.url, turn) for turn in range(ROUNDS)]


def _ratio_of_pages(url: str, turn: int) -> float:
    """The two take turns at being first."""
    where = ["/bare-page", _link()] if turn % 2 else [_link(), "/bare-page"]
    took = {each: asyncio.run(_crowd(url, each, LOOKS)) for each in where}
    bare = took.pop("/bare-page")
    (page,) = took.values()
    return bare / page


def _link() -> str:
    return f"/s/{secrets.token_hex(16)}"


async def _crowd(url: str, path: str, looks: int) -> float:
    """How many seconds it takes until everybody together has looked so often."""
    left = iter(range(looks))
    began = time.perf_counter()
    await asyncio.gather(*(_visitor(url, path, left) for _ in range(VISITORS)))
    return time.perf_counter() - began


async def _visitor(url: str, path: str, left: Iterator[int]) -> None:
    host = urlsplit(url)
    reader, writer = await asyncio.open_connection(host.hostname, host.port)
    asked = f"GET {path} HTTP/1.1\r\nHost: {host.netloc}\r\nUser-Agent: Mozilla/5.0\r\nAccept: */*\r\n\r\n".encode()
    for _ in left:
        writer.write(asked)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        if not head.startswith(b"http/1.1 200"):
            raise RuntimeError(f"{path}: {head[:40]!r}")
        await reader.readexactly(int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0]))
    writer.close()
    await writer.wait_closed()


@bench("opening_vs_read", "times", better="lower", must=1.5, goal=1.2)
def opening_vs_read() -> list[float]:
    """Five ratios of medians: the press that opens a share of one memory ÷ a read of that memory over REST, the two
    taking turns. The page before the press is looked at outside of the time.
    """
    many = {"MUNIMENT_SHARE_PRESSES_PER_MINUTE": "1000000", "MUNIMENT_WISHES_PER_HOUR": "1000000"}
    with instance("opening", settings="bench.settings", **many) as running:
        holder = Holder(running.url, f"{secrets.token_hex(6)}@measure.example")
        key, memory = prepared(running, holder)
        tokens = _tokens(holder, memory)
        with httpx2.Client(base_url=running.url, timeout=30) as http:
            body = {"memories": [memory], "purpose": "answer"}
            _took(http, tokens, key, body, 20)
            return [_ratio(*_took(http, tokens, key, body, OPENINGS)) for _ in range(ROUNDS)]


def _tokens(holder: Holder, memory: str) -> Iterator[str]:
    """Tokens, each as often as one link is pressed here; a link takes some thirty presses a minute."""
    while True:
        made = holder.call(
            "POST", "/shares", {"Idempotency-Key": secrets.token_hex(8)}, memories=[memory], opens=OPENS_OF_ONE
        )
        yield from [made["links"][0]["url"].rpartition("/")[2]] * OPENS_OF_ONE


def _took(
    http: httpx2.Client, tokens: Iterator[str], key: str, body: dict[str, object], count: int
) -> tuple[list[float], list[float]]:
    """Seconds of each opening and of each read."""
    openings, reads = [], []
    for token in islice(tokens, count):
        found = NONCE.search(http.get(f"/s/{token}").text)
        if found is None:
            raise RuntimeError("the page of a link has no nonce")
        http.cookies.clear()
        began = time.perf_counter()
        answer = http.post("/s", data={"token": token, "nonce": found[1]})
        openings.append(time.perf_counter() - began)
        if answer.status_code != 200 or "opened_" not in answer.headers.get("Set-Cookie", ""):
            raise RuntimeError(f"a press opened nothing: {answer.status_code}")
        http.cookies.clear()
        headers = {"Authorization": f"Bearer {key}", "Idempotency-Key": secrets.token_hex(8)}
        began = time.perf_counter()
        answer = http.post("/api/v1/reads", json=body, headers=headers)
        reads.append(time.perf_counter() - began)
        if answer.status_code != 200 or not answer.json()["handed_over"]:
            raise RuntimeError(f"a read did not hand over: {answer.text[:200]}")
    return openings, reads


def _ratio(openings: list[float], reads: list[float]) -> float:
    return statistics.median(openings) / statistics.median(reads)
