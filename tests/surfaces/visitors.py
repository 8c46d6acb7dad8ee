"""Somebody who was given a link: a browser of their own, with what they see and what they press."""

import html
import re
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from ipaddress import IPv6Address
from typing import Any

from django.db import connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.policy.ids import untyped
from apps.policy.types import Holder, Refused
from apps.shares import services as shares
from tests.drivers import signed_in
from vault.clock import utc_now

PHONE = "Mozilla/5.0 (Android 14; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0"
NOWHERE = "0" * 32  # the token of no link


def share(holder: Holder, *memories: str, **terms: Any) -> shares.Made:
    """A share of these memories (typed ids), for an hour and three openings unless it says otherwise."""
    chosen = [found for each in memories if (found := untyped("mem", each))]
    made = shares.make(holder, chosen, utc_now(), **{"lasts": timedelta(hours=1), "opens": 3, **terms})
    assert not isinstance(made, Refused), made
    return made


def token_of(made: shares.Made, number: int = 0) -> str:
    return made.links[number].token


class Visitor:
    """A browser, at an address of its own, that follows a link and presses what it is shown."""

    def __init__(self, address: str = "") -> None:
        self.browser = Client(
            enforce_csrf_checks=True,
            headers={"User-Agent": PHONE},
            REMOTE_ADDR=address or str(IPv6Address((0xFD00 << 112) + secrets.randbits(64))),
        )

    def look(self, token: str) -> Any:
        """The page that the link leads to."""
        return self.browser.get(f"/s/{token}")

    def press(self, token: str, **more: str) -> Any:
        """Look, and press Open."""
        return self.send(fields(self.look(token)), **more)

    def send(self, form: dict[str, str], **more: str) -> Any:
        """Send a page's form, or send it again."""
        return self.browser.post("/s", form | more)


def fields(response: Any) -> dict[str, str]:
    """What the first form of a page carries unseen."""
    found = re.findall(r'<input type="hidden" name="(token|nonce)" value="([^"]+)">', response.content.decode())
    return {name: html.unescape(value) for name, value in reversed(found)}


def told(response: Any) -> str:
    """The page as it is read."""
    return html.unescape(response.content.decode())


def without_its_own(response: Any, token: str) -> str:
    """A page without what is each page's own: the link's token and the nonce."""
    page = response.content.decode().replace(token, "")
    return re.sub(r'name="nonce" value="[^"]+"', "", page)


def headers_of(response: Any) -> dict[str, str]:
    """Every header, with the cookies that it sets."""
    return {**response.headers, "Set-Cookie": str(response.cookies)}


@contextmanager
def statements(aliases: Sequence[str] = ("default", "gate")) -> Iterator[list[str]]:
    """The list holds every statement of these connections once the block is left."""
    found: list[str] = []
    watched = [CaptureQueriesContext(connections[each]) for each in aliases]
    for each in watched:
        each.__enter__()
    try:
        yield found
    finally:
        for each in watched:
            each.__exit__(None, None, None)
            found += [query["sql"] for query in each.captured_queries]


def owner(holder: Holder) -> Client:
    """The browser in which the owner is signed in."""
    return signed_in(holder)
