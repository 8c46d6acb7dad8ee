"""A link that opens nothing answers a press alike, whatever it was: the same bytes, headers and work."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from apps.memories import services as memories
from apps.policy.ids import untyped
from apps.shares import services as shares
from tests.cast import admin  # noqa: F401  (fixture)
from tests.fixtures import Household
from tests.shares.links import lock
from tests.surfaces.visitors import NOWHERE, Visitor, headers_of, share, statements, token_of
from vault.clock import utc_now

Made = Callable[[Household, Any], str]


def unknown(home: Household, rows: Any) -> str:
    return NOWHERE


def nonsense(home: Household, rows: Any) -> str:
    return "wp-login.php"


def stopped(home: Household, rows: Any) -> str:
    made = share(home.holder, home.kitchen)
    shares.stop(home.holder, made.share.share_id, utc_now())
    return token_of(made)


def link_stopped(home: Household, rows: Any) -> str:
    made = share(home.holder, home.kitchen, recipients=[shares.Recipient("Rosa"), shares.Recipient("Otto")])
    shares.stop_link(home.holder, made.share.share_id, made.links[0].link.link_id, utc_now())
    return token_of(made)


def expired(home: Household, rows: Any) -> str:
    made = share(home.holder, home.kitchen)
    rows.execute("UPDATE share SET expires_at = now() WHERE share_id = %s", [made.share.share_id])
    return token_of(made)


def used_up(home: Household, rows: Any) -> str:
    made = share(home.holder, home.kitchen, opens=1)
    assert Visitor().press(token_of(made)).status_code == 200
    return token_of(made)


def locked(home: Household, rows: Any) -> str:
    made = share(home.holder, home.kitchen, code=shares.Code.PIN, pin="731946")
    lock(home.holder.vault_id, made.share, token_of(made))
    return token_of(made)


def empty(home: Household, rows: Any) -> str:
    made = share(home.holder, home.time)
    time = untyped("mem", home.time)
    assert time is not None
    memories.put_away(home.holder, time, utc_now())
    return token_of(made)


DEAD: tuple[Made, ...] = (unknown, nonsense, stopped, link_stopped, expired, used_up, locked, empty)


@pytest.fixture
def answers(home: Household, admin: Any) -> dict[str, tuple[bytes, dict[str, str], int]]:  # noqa: F811
    """What each of them answers to a press, and how many statements that took. The first press warms what is kept."""
    found = {}
    for made in DEAD:
        token = made(home, admin)
        Visitor().press(token)
        with statements() as asked:
            answer = Visitor().press(token)
        assert token.encode() not in answer.content
        found[made.__name__] = (answer.content, headers_of(answer) | {"status": str(answer.status_code)}, len(asked))
    return found


def test_every_one_has_the_same_bytes_and_headers(answers: dict[str, tuple[bytes, dict[str, str], int]]) -> None:
    body, headers, _ = answers["unknown"]
    assert headers["status"] == "404" and not headers["Set-Cookie"]
    for name, (its_body, its_headers, _) in answers.items():
        assert its_body == body, name
        assert its_headers == headers, name


def test_every_one_takes_the_same_work(answers: dict[str, tuple[bytes, dict[str, str], int]]) -> None:
    """No statement more or fewer, so that the time does not tell what the page does not."""
    assert {name: count for name, (_, _, count) in answers.items()} == dict.fromkeys(answers, answers["unknown"][2])


def test_a_code_makes_no_difference(home: Household, admin: Any) -> None:  # noqa: F811
    """Neither its being asked for before the end nor its being sent afterwards."""
    made = share(home.holder, home.kitchen, code=shares.Code.PIN, pin="731946")
    shares.stop(home.holder, made.share.share_id, utc_now())
    nowhere = Visitor().press(NOWHERE)
    for code in ("", "731946", "000000"):
        assert Visitor().press(token_of(made), code=code).content == nowhere.content
    again = Visitor().press(token_of(made), do="mail-again")
    assert (again.status_code, again.content) == (404, nowhere.content)


def test_who_opened_it_before_sees_the_same(home: Household, admin: Any) -> None:  # noqa: F811
    """Also with the cookie of an opening, on each thing that it can be used for."""
    made, visitor = share(home.holder, home.kitchen), Visitor()
    visitor.press(token_of(made))
    shares.stop(home.holder, made.share.share_id, utc_now())
    for sent in ({}, {"note": "Hello"}):
        nowhere = Visitor().press(NOWHERE, **sent)
        answer = visitor.browser.post("/s", {"token": token_of(made), **sent})
        assert (answer.status_code, answer.content) == (404, nowhere.content)
        assert headers_of(answer) == headers_of(nowhere)


def test_it_says_none_of_the_reasons(answers: dict[str, tuple[bytes, dict[str, str], int]]) -> None:
    page = answers["expired"][0].decode()
    assert "There is nothing to open here" in page
    assert not re.search(r"expired|revoked|stopped|used up|too late|limit", page, re.IGNORECASE)
