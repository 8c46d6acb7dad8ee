"""While the server that counts is away, or takes a call and says nothing, nothing is opened or shared uncounted:
whoever asks is told soon that nothing was done.
"""

import socket
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any

import pytest

from apps.shares import services as shares
from tests.drivers import Http
from tests.fixtures import KITCHEN, Household
from tests.surfaces.calls import key
from tests.surfaces.test_web_shares import FORM
from tests.surfaces.visitors import Visitor, fields, owner, share, token_of, told
from vault import limits
from vault.clock import utc_now

SOON = 10  # seconds: far less than a proxy waits


@pytest.fixture(params=["says nothing", "is away"])
def stall(request: pytest.FixtureRequest, home: Household, settings: Any) -> Iterator[Callable[[], None]]:
    """Puts a socket in the server's place: one that accepts and never answers, or one that is closed."""
    with socket.create_server(("127.0.0.1", 0)) as peer:
        port = peer.getsockname()[1]
        if request.param == "is away":
            peer.close()

        def stalled() -> None:
            cache = settings.CACHES["default"] | {"LOCATION": f"redis://127.0.0.1:{port}/1"}
            settings.CACHES = {"default": cache}
            limits._server.cache_clear()

        yield stalled
    limits._server.cache_clear()


def stands(home: Household) -> list[tuple[int, int]]:
    return [(each.share.opens, len(each.share.links)) for each in shares.shares(home.holder, utc_now())]


@pytest.fixture
def made(home: Household) -> shares.Made:
    return share(home.holder, home.kitchen)


def test_a_press_opens_nothing_and_is_told_so(made: shares.Made, home: Household, stall: Callable[[], None]) -> None:
    stall()
    visitor, began = Visitor(), monotonic()
    answer = visitor.press(token_of(made))
    assert monotonic() - began < SOON
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60")
    assert "Nothing was opened and nothing was counted" in told(answer) and KITCHEN not in told(answer)
    assert answer.headers["Referrer-Policy"] == "no-referrer" and not visitor.browser.cookies
    assert stands(home) == [(0, 1)]


def test_who_opened_it_before_sees_nothing_uncounted_either(
    made: shares.Made, home: Household, stall: Callable[[], None]
) -> None:
    visitor = Visitor()
    assert KITCHEN in told(visitor.press(token_of(made)))
    form = fields(visitor.look(token_of(made)))
    stall()
    for sent in ({}, {"note": "Thank you"}):
        answer = visitor.send(form, **sent)
        assert answer.status_code == 503 and KITCHEN not in told(answer)
    assert [each.views for each in shares.openings(home.holder, made.share.share_id)] == [0]


def test_nobody_shares_uncounted(home: Household, stall: Callable[[], None]) -> None:
    stall()
    began = monotonic()
    page = owner(home.holder).post("/shares/new", FORM | {"memories": [home.kitchen], "note": "Hello", "do": "make"})
    assert (page.status_code, page.headers["Retry-After"]) == (503, "5")
    assert "Busy just now" in told(page) and "Hello" in told(page)
    answer = Http(holder=home.holder).send("POST", "shares", {"memories": [home.kitchen]}, **key())
    assert (answer.status_code, answer.json()["code"], answer.json()["retryable"]) == (503, "busy", True)
    assert monotonic() - began < 2 * SOON
    assert stands(home) == []
