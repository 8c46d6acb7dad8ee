"""The page of a link tells nothing and does nothing: the same for every link, before anything is pressed."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from apps.shares import services as shares
from tests.fixtures import VALUES, Household
from tests.surfaces.visitors import NOWHERE, Visitor, fields, headers_of, share, statements, token_of, without_its_own
from tests.surfaces.web import browser, last_seq
from vault.clock import utc_now


@pytest.fixture
def tokens(home: Household) -> dict[str, str]:
    living = share(home.holder, home.kitchen, note="For Friday's dinner")
    stopped = share(home.holder, home.kitchen)
    shares.stop(home.holder, stopped.share.share_id, utc_now())
    coded = share(home.holder, home.kitchen, code=shares.Code.PIN, pin="731946")
    used = share(home.holder, home.kitchen, opens=1)
    assert Visitor().press(token_of(used)).status_code == 200
    made = {"living": living, "stopped": stopped, "with a PIN": coded, "used up": used}
    return {name: token_of(each) for name, each in made.items()} | {"nothing": NOWHERE, "nonsense": "x.php"}


def test_every_link_has_the_same_page(tokens: dict[str, str]) -> None:
    for method in ("get", "head"):
        answers = [(getattr(Client(), method)(f"/s/{each}"), each) for each in tokens.values()]
        assert {answer.status_code for answer, _ in answers} == {200}
        assert len({without_its_own(answer, token) for answer, token in answers}) == 1
        headers = [headers_of(answer) for answer, _ in answers]
        lengths = {len(each) for each in tokens.values()}
        assert all({**each, "Content-Length": ""} == {**headers[0], "Content-Length": ""} for each in headers)
        assert len(lengths) == 2, "the control: all but the nonsense are as long"


def test_it_names_nobody_and_shows_nothing(home: Household, tokens: dict[str, str]) -> None:
    page = Visitor().look(tokens["living"]).content.decode()
    for told in (home.holder.name, "Kitchen", "Friday", "dinner", *VALUES):
        assert told not in page
    assert "Were you expecting this?" in page and page.count("<form") == page.count("<button") == 1
    assert "og:" not in page and "twitter:" not in page


def test_looking_asks_the_database_nothing_whoever_looks(home: Household, tokens: dict[str, str]) -> None:
    signed_in = browser(home.holder)
    for client in (Client(), signed_in):
        for token in tokens.values():
            with statements() as asked:
                client.get(f"/s/{token}")
                client.head(f"/s/{token}")
                client.get("/s")
            assert asked == []


def test_looking_changes_nothing_and_leaves_no_cookie(home: Household, tokens: dict[str, str]) -> None:
    before = last_seq(home.holder)
    visitor = Visitor()
    for _ in range(5):
        for token in tokens.values():
            assert not visitor.look(token).cookies and not visitor.browser.head(f"/s/{token}").cookies
    assert not visitor.browser.cookies
    assert last_seq(home.holder) == before
    assert [each.share.opens for each in shares.shares(home.holder, utc_now())] == [1, 0, 0, 0]


def test_it_is_kept_and_found_nowhere_and_says_not_where_one_came_from(tokens: dict[str, str]) -> None:
    for where in (f"/s/{tokens['living']}", "/s"):
        headers = Client().get(where).headers
        assert headers["Cache-Control"] == "no-store"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["X-Robots-Tag"] == "noindex, nofollow"
        policy = set(headers["Content-Security-Policy"].split("; "))
        assert {"default-src 'none'", "script-src 'self'", "connect-src 'none'", "form-action 'self'"} <= policy


@pytest.mark.parametrize(
    "where", ["/s/{}/", "/s//{}", "/%2Fs/{}", "/S/{}", "/s;/{}", "/%73/{}", "/s%2F{}", "/s%252F{}"]
)
def test_nearly_its_address_is_its_address(tokens: dict[str, str], where: str) -> None:
    """A mail program or a hand wrote it a little differently: it opens all the same, and leaks no more."""
    visitor, token = Visitor(), tokens["living"]
    answer = visitor.browser.get(where.format(token))
    assert without_its_own(answer, token) == without_its_own(visitor.look(token), token)
    assert headers_of(answer) == headers_of(visitor.look(token)) and fields(answer)["token"] == token
    assert visitor.send(fields(answer)).status_code == 200


@pytest.mark.parametrize("where", ["/s/{}/a", "/s/a/{}", "/s/", "/S//"])
def test_what_leads_nowhere_is_kept_and_found_nowhere_either(tokens: dict[str, str], where: str) -> None:
    for method in ("get", "post"):
        answer = getattr(Client(), method)(where.format(tokens["living"]))
        assert answer.status_code == (404 if method == "get" else 405)
        assert answer.headers["Cache-Control"] == "no-store" and answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"
        assert method == "post" or "web/visitor.js" in answer.content.decode(), "it leaves the history"
        assert tokens["living"] not in answer.content.decode()


def test_nothing_but_looking_and_pressing_is_taken(tokens: dict[str, str]) -> None:
    for method in ("post", "put", "delete", "patch"):
        assert getattr(Client(), method)(f"/s/{tokens['living']}").status_code == 405
    assert Client().put("/s").status_code == 405


def test_each_page_has_a_nonce_of_its_own(tokens: dict[str, str]) -> None:
    nonces = {fields(Visitor().look(tokens["living"]))["nonce"] for _ in range(5)}
    assert len(nonces) == 5


def test_what_was_pasted_behind_the_address_stays_text(live: None) -> None:
    answer = Client().get("/s/%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E")
    assert "<script>alert" not in answer.content.decode()


def test_an_hour_later_it_has_to_be_looked_at_again(tokens: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    from django.core import signing

    form = fields(Visitor().look(tokens["living"]))
    real = signing.time.time
    moved: Any = timedelta(hours=1, seconds=1).total_seconds()
    monkeypatch.setattr(signing.time, "time", lambda: real() + moved)
    assert Visitor().send(form).status_code == 403
