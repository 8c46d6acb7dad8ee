"""A model endpoint: any that speaks the OpenAI chat-completions protocol. Without one, the labelled stand-in."""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from urllib.parse import urlsplit

import httpx2
from django.conf import settings

from apps.turns import standin
from apps.turns.prompts import Message

MOST_CHARACTERS = 20_000
MOST_SCOPE_CHARACTERS = 100_000
MOST_STREAMED_CHARACTERS = 4_000_000  # a stream wraps each few words in JSON
SCOPE_SECONDS = 15
PATIENCE = 5  # how many times the setting's seconds a whole answer may take, however busily it trickles


class ModelFailed(Exception):
    """The endpoint could not be reached, was too slow, or answered what is no answer. Says which; quotes nothing."""


def name() -> str:
    """Who answers: the configured model at its host, or the stand-in."""
    if not settings.LLM_BASE_URL:
        return standin.NAME
    host = urlsplit(settings.LLM_BASE_URL).netloc
    return f"{settings.LLM_MODEL or 'default'} at {host}"


def recipient() -> str:
    """To whom values go when the chat uses them, as receipts name it: `mdl_<host>`, `mdl_local/<host>` for one that is
    marked local, or `mdl_stand-in`. What was given to the one is not given to the other.
    """
    if not settings.LLM_BASE_URL:
        return "mdl_stand-in"
    return ("mdl_local/" if settings.LLM_LOCAL else "mdl_") + urlsplit(settings.LLM_BASE_URL).netloc.replace("|", "")


def local() -> bool:
    """Does what the chat is handed stay at home? With the stand-in it does, and with an endpoint that is marked so."""
    return not settings.LLM_BASE_URL or settings.LLM_LOCAL


def configured() -> bool:
    """Is there a model endpoint at all?"""
    return bool(settings.LLM_BASE_URL)


def parameters(*, stream: bool) -> dict[str, str | int | bool]:
    """With what a model is asked; the stand-in has no parameters."""
    if not configured():
        return {}
    return {"model": settings.LLM_MODEL or "default", "stream": stream, "temperature": 0}


def as_sent(messages: Sequence[Message], *, stream: bool) -> str:
    """The body of a request, of which exactly these bytes are sent; for the stand-in, what it is given."""
    body = {**parameters(stream=stream), "messages": list(messages)}
    return json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def complete(messages: Sequence[Message]) -> str:
    """A whole answer at once, for the scoping step. Raises ModelFailed."""
    seconds = min(SCOPE_SECONDS, settings.LLM_TIMEOUT_SECONDS)
    with _answer(as_sent(messages, stream=False), seconds) as answer:
        whole = "".join(_texts(answer, time.monotonic() + seconds, MOST_SCOPE_CHARACTERS))
        text = _dug(whole, "message")
    if text is None:
        raise ModelFailed("malformed answer")
    return text


def stream(messages: Sequence[Message]) -> Iterator[str]:
    """An answer piece by piece, at most 20,000 characters. Raises ModelFailed, also in the middle.

    One that ends without saying that it is at its end was cut off, and is no answer.
    """
    if not configured():
        yield from standin.stream(messages)
        return
    sent, ended = 0, False
    with _answer(as_sent(messages, stream=True), settings.LLM_TIMEOUT_SECONDS) as answer:
        for line in _lines(answer, time.monotonic() + PATIENCE * settings.LLM_TIMEOUT_SECONDS):
            data = line.removeprefix("data:").strip()
            if not line.startswith("data:") or not data:
                continue
            if data == "[DONE]":
                ended = True
                break
            piece = _whole(_dug(data, "delta") or "")
            if piece:
                yield piece[: MOST_CHARACTERS - sent]
                sent += len(piece)
            if sent >= MOST_CHARACTERS:
                return
            ended = ended or '"finish_reason":"' in data.replace(" ", "")
    if not sent or not ended:
        raise ModelFailed("empty answer" if ended else "cut off")


@contextmanager
def _answer(body: str, seconds: int) -> Iterator[httpx2.Response]:
    """The endpoint's answer, its body not yet read; whatever goes wrong with it is a ModelFailed."""
    try:
        with _client(seconds) as client, client.stream("POST", "/chat/completions", content=body.encode()) as answer:
            answer.raise_for_status()
            answer.encoding = "utf-8"  # JSON and event streams are; what the endpoint says of it is not believed
            yield answer
    except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError) as error:
        raise ModelFailed(type(error).__name__) from None


def _texts(answer: httpx2.Response, end: float, most: int) -> Iterator[str]:
    """The body as it comes. Raises ModelFailed beyond `most` characters, or at the monotonic time `end`."""
    length = 0
    for text in answer.iter_text():
        length += len(text)
        if time.monotonic() > end or length > most:
            raise ModelFailed("too slow" if length <= most else "too long")
        yield text


def _lines(answer: httpx2.Response, end: float) -> Iterator[str]:
    """The body's lines."""
    rest = ""
    for text in _texts(answer, end, MOST_STREAMED_CHARACTERS):
        *lines, rest = (rest + text).split("\n")
        yield from (line.rstrip("\r") for line in lines)
    yield rest


def _dug(text: str, member: str) -> str | None:
    """The text in a reply of the protocol: `choices[0].<member>.content`; None where there is none. Or ModelFailed."""
    try:
        choices = json.loads(text)["choices"]
        found = choices[0][member].get("content") if choices else None
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        raise ModelFailed("malformed answer") from None
    return found if isinstance(found, str) else None


def _whole(text: str) -> str:
    """The text with half characters (lone surrogates, which JSON can carry) replaced: they cannot be kept or sent."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _client(seconds: int) -> httpx2.Client:
    headers = {"Content-Type": "application/json"}
    headers["Accept-Encoding"] = "identity"  # a small answer must not unpack into a huge one
    if settings.LLM_API_KEY:
        headers["Authorization"] = f"Bearer {settings.LLM_API_KEY}"
    return httpx2.Client(
        base_url=settings.LLM_BASE_URL,
        headers=headers,
        timeout=httpx2.Timeout(seconds, connect=5),
        follow_redirects=False,
        trust_env=False,
    )
