"""A model endpoint: any that speaks the OpenAI chat-completions protocol. Without one, the labelled stand-in."""

import json
import time
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

import httpx2
from django.conf import settings

from apps.turns import standin
from apps.turns.prompts import Message

MOST_CHARACTERS = 20_000
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
    """To whom values go when the chat uses them, as receipts name it: `mdl_<host>`, or `mdl_stand-in`."""
    if not settings.LLM_BASE_URL:
        return "mdl_stand-in"
    return "mdl_" + urlsplit(settings.LLM_BASE_URL).netloc.replace("|", "")


def configured() -> bool:
    """Is there a model endpoint at all?"""
    return bool(settings.LLM_BASE_URL)


def complete(messages: Sequence[Message]) -> str:
    """A whole answer at once, for the scoping step. Raises ModelFailed."""
    body = {**_body(messages), "stream": False}
    try:
        with _client(min(SCOPE_SECONDS, settings.LLM_TIMEOUT_SECONDS)) as client:
            answer = client.post("/chat/completions", json=body)
            answer.raise_for_status()
            text = answer.json()["choices"][0]["message"]["content"]
    except httpx2.HTTPError as error:
        raise ModelFailed(type(error).__name__) from None
    except (ValueError, KeyError, IndexError, TypeError):
        raise ModelFailed("malformed answer") from None
    if not isinstance(text, str):
        raise ModelFailed("malformed answer")
    return text


def stream(messages: Sequence[Message]) -> Iterator[str]:
    """An answer piece by piece, at most 20,000 characters. Raises ModelFailed, also in the middle."""
    if not configured():
        yield from standin.stream(messages)
        return
    sent = 0
    try:
        with (
            _client(settings.LLM_TIMEOUT_SECONDS) as client,
            client.stream("POST", "/chat/completions", json={**_body(messages), "stream": True}) as answer,
        ):
            answer.raise_for_status()
            for line in _lines(answer, time.monotonic() + PATIENCE * settings.LLM_TIMEOUT_SECONDS):
                piece = _piece(line)
                if piece:
                    yield piece[: MOST_CHARACTERS - sent]
                    sent += len(piece)
                    if sent >= MOST_CHARACTERS:
                        return
    except httpx2.HTTPError as error:
        raise ModelFailed(type(error).__name__) from None
    if not sent:
        raise ModelFailed("empty answer")


def _lines(answer: httpx2.Response, end: float) -> Iterator[str]:
    """The answer's lines. Raises ModelFailed when it still trickles at the time `end` of the monotonic clock."""
    rest = ""
    for text in answer.iter_text():
        if time.monotonic() > end or len(rest) > MOST_CHARACTERS:
            raise ModelFailed("too slow")
        *lines, rest = (rest + text).split("\n")
        yield from (line.rstrip("\r") for line in lines)
    yield rest


def _piece(line: str) -> str:
    if not line.startswith("data:") or line.removeprefix("data:").strip() == "[DONE]":
        return ""
    try:
        choices = json.loads(line.removeprefix("data:"))["choices"]
        piece = choices[0]["delta"].get("content") if choices else ""
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        raise ModelFailed("malformed answer") from None
    return _whole(piece) if isinstance(piece, str) else ""


def _whole(text: str) -> str:
    """The text with half characters (lone surrogates, which JSON can carry) replaced: they cannot be kept or sent."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _body(messages: Sequence[Message]) -> dict[str, object]:
    return {"model": settings.LLM_MODEL or "default", "messages": list(messages), "temperature": 0}


def _client(seconds: int) -> httpx2.Client:
    headers = {"Authorization": f"Bearer {settings.LLM_API_KEY}"} if settings.LLM_API_KEY else {}
    return httpx2.Client(
        base_url=settings.LLM_BASE_URL,
        headers=headers,
        timeout=httpx2.Timeout(seconds, connect=5),
        follow_redirects=False,
        trust_env=False,
    )
