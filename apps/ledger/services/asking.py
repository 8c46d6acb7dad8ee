"""One question to one witness over HTTP, C2SP tlog-witness v1.0.0: bounded in time and size, and sent on to nobody."""

import asyncio
import hashlib
import ssl
from dataclasses import dataclass, field
from functools import cache

import httpx2

from apps.ledger.format.checkpoint import Checkpoint
from apps.ledger.format.strict import Malformed
from apps.ledger.format.witness import Request, read_size

PATIENCE = 2.0  # seconds for an answer, from the first byte asked to the last one read
MOST_ANSWER_BYTES = 64 << 10


class NoAnswer(Exception):
    """A witness could not be reached, was too slow, or answered what is no HTTP answer. Says which."""


@dataclass(frozen=True, slots=True)
class Question:
    """A checkpoint for a witness to cosign, with the proof from the size it is believed to have seen.

    `name` is the policy's for the witness, `url` its submission prefix.
    """

    name: str
    url: str
    checkpoint: Checkpoint
    note: bytes = field(repr=False)
    old: int
    proof: tuple[bytes, ...] = field(repr=False)
    again: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What a witness answered; and the checkpoint it holds itself, fetched where it may be of another history."""

    status: int
    body: bytes
    theirs: bytes | None = None

    def seen(self, question: Question) -> int | None:
        """The size to ask again from: the witness has seen another one than was believed, and ours is as large."""
        if self.status != 409 or question.again:
            return None
        try:
            size = read_size(self.body)
        except Malformed:
            return None
        return size if size != question.old and size <= question.checkpoint.size else None


def exchange(question: Question) -> Answer:
    """Ask for a cosignature. Raises NoAnswer."""
    request = Request(question.old, question.proof, question.note).to_bytes()
    status, body = _fetch("POST", f"{question.url}/add-checkpoint", request)
    answer = Answer(status, body)
    if status == 422 or (status == 409 and answer.seen(question) is None):
        return Answer(status, body, their_checkpoint(question.url, question.checkpoint.origin))
    return answer


def their_checkpoint(url: str, origin: str) -> bytes | None:
    """The last checkpoint of the log with this origin that a witness cosigned, as it says, nothing of it looked at.

    `url` is its prefix. None where it shows none. Raises NoAnswer.
    """
    log = hashlib.sha256(origin.encode()).hexdigest()
    status, body = _fetch("GET", f"{url.rstrip('/')}/{log}/checkpoint")
    return body if status == 200 else None


def _fetch(method: str, url: str, body: bytes | None = None) -> tuple[int, bytes]:
    """Status and body. On an event loop of its own: there the whole exchange has one end, however it trickles."""
    try:
        return asyncio.run(_within_bounds(method, url, body))
    except TimeoutError:
        raise NoAnswer(f"no answer within {PATIENCE:.0f} seconds") from None
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError, UnicodeError) as error:
        raise NoAnswer(f"no answer: {type(error).__name__}") from None


async def _within_bounds(method: str, url: str, body: bytes | None) -> tuple[int, bytes]:
    headers = {"Accept-Encoding": "identity"}  # a small answer must not unpack into a huge one
    async with (
        asyncio.timeout(PATIENCE),
        httpx2.AsyncClient(verify=_tls(), headers=headers, follow_redirects=False, trust_env=False) as client,
        client.stream(method, url, content=body) as answer,
    ):
        read = bytearray()
        async for part in answer.aiter_raw():
            read += part
            if len(read) > MOST_ANSWER_BYTES:
                raise NoAnswer(f"an answer of more than {MOST_ANSWER_BYTES >> 10} KiB")
        return answer.status_code, bytes(read)


@cache
def _tls() -> ssl.SSLContext:
    return httpx2.create_ssl_context(trust_env=False)
