"""A scanner opens nothing: whatever fetches a link, follows what its page names or sends forms of its own, nothing is
opened, nothing is counted, and nothing is learnt.

Protects whoever shares: the openings are left for the person the link was meant for.
"""

import re
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest

from apps.policy.shares import Code
from apps.shares import services as shares
from tests.cast import Vault
from tests.surfaces.visitors import NOWHERE, Visitor, fields, share, token_of
from tests.threads import at_once
from vault.clock import utc_now

# As they come: mail filters, link previews of messengers, a headless browser, a search engine.
NAMES = (
    "Mozilla/5.0 (compatible; Barracuda Sentinel)",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 HeadlessChrome/140.0.0.0 Safari/537.36",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "WhatsApp/2.23",
    "Googlebot/2.1",
    "",
)
REFERRED = re.compile(r'(?:href|src|action)="([^"]+)"')
SCRIPT = Path(__file__).resolve().parents[2] / "apps/web/static/web/visitor.js"

Scan = Callable[[httpx2.Client, str], None]


def heads_then_gets(http: httpx2.Client, token: str) -> None:
    """As mail filters do, before the mail is delivered and as it is read."""
    for method in ("HEAD", "GET", "GET"):
        http.request(method, f"/s/{token}")


def follows_what_the_page_names(http: httpx2.Client, token: str) -> None:
    page = http.get(f"/s/{token}").text
    named = REFERRED.findall(page)
    assert any(each.endswith("/s") for each in named) and len(named) > 3, "the control: the form is among them"
    for each in named:
        http.get(each)
        http.head(each)


def prefetches(http: httpx2.Client, token: str) -> None:
    for headers in ({"Sec-Purpose": "prefetch;prerender"}, {"Purpose": "prefetch"}, {"X-Moz": "prefetch"}):
        http.get(f"/s/{token}", headers=headers)


def tries_other_methods(http: httpx2.Client, token: str) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"):
        http.request(method, f"/s/{token}")


def tries_other_spellings(http: httpx2.Client, token: str) -> None:
    for path in (f"/s/{token}/", f"/s/{token}?open=1", f"/s/{token.upper()}", f"/s?token={token}", f"/s//{token}"):
        http.get(path)


def sends_the_form_without_the_page(http: httpx2.Client, token: str) -> None:
    for sent in ({"token": token}, {"token": token, "nonce": ""}, {"token": token, "nonce": secrets.token_urlsafe(40)}):
        http.post("/s", data=sent)
        http.post(f"/s?token={token}", data=sent)
        http.post("/s", json=sent)


def sends_the_nonce_of_another_page(http: httpx2.Client, token: str) -> None:
    other = re.search(r'name="nonce" value="([^"]+)"', http.get(f"/s/{NOWHERE}").text)
    assert other
    http.post("/s", data={"token": token, "nonce": other[1]})


SCANS: tuple[Scan, ...] = (
    heads_then_gets,
    follows_what_the_page_names,
    prefetches,
    tries_other_methods,
    tries_other_spellings,
    sends_the_form_without_the_page,
    sends_the_nonce_of_another_page,
)


def untouched(alice: Vault, made: shares.Made) -> bool:
    """Nothing was opened, counted or written down, and all of its openings are left."""
    found = shares.share(alice.holder, made.share.share_id, utc_now())
    assert found is not None
    told = (
        alice.receipts(kind="value.opened") + alice.receipts(kind="value.viewed") + alice.receipts(kind="value.refused")
    )
    left = found.share.opens_left == made.share.opens_most and found.share.tries_left == made.share.tries_left
    return left and not told and not shares.openings(alice.holder, made.share.share_id)


@pytest.mark.parametrize("scan", SCANS, ids=lambda scan: scan.__name__)
def test_it_opens_nothing_and_the_person_opens_all_of_it(alice: Vault, server: str, settings: Any, scan: Scan) -> None:
    settings.SHARE_PRESSES_PER_MINUTE = 10_000
    made = share(alice.holder, alice.mem("kitchen"), opens=1)
    before = alice.receipts()
    for name in NAMES:
        with httpx2.Client(base_url=server, headers={"User-Agent": name}, follow_redirects=True, timeout=30) as http:
            scan(http, token_of(made))
            assert not http.cookies
    assert untouched(alice, made)
    assert alice.receipts() == before
    assert alice.values["kitchen"] in Visitor().press(token_of(made)).content.decode()


@pytest.mark.parametrize("scan", SCANS, ids=lambda scan: scan.__name__)
def test_it_is_told_nothing(alice: Vault, server: str, settings: Any, scan: Scan) -> None:
    """No value, no label, no name: neither in a body nor in a header."""
    settings.SHARE_PRESSES_PER_MINUTE = 10_000
    made = share(alice.holder, alice.mem("kitchen"), note="For the dinner on Friday", code=Code.PIN, pin="731946")
    heard: list[str] = []

    def hear(answer: httpx2.Response) -> None:
        heard.append(f"{answer.headers} {answer.read().decode(errors='replace')}")

    with httpx2.Client(base_url=server, event_hooks={"response": [hear]}, timeout=30) as http:
        scan(http, token_of(made))
    assert heard
    for told in (*alice.secrets, "Kitchen equipment", "dinner on Friday", alice.holder.name):
        assert not [each for each in heard if told in each]


def test_many_of_them_at_once_open_nothing(alice: Vault, server: str) -> None:
    made = share(alice.holder, alice.mem("kitchen"))
    answers = at_once([lambda: httpx2.get(f"{server}/s/{token_of(made)}", timeout=60).status_code] * 16)
    assert answers == [200] * 16
    assert untouched(alice, made)


def test_what_the_page_runs_presses_and_sends_nothing(alice: Vault) -> None:
    """Its one script has no means to: it neither sends, nor submits, nor clicks, nor leads anywhere. In a browser the
    same is held by tests/e2e/test_a_share.py.
    """
    page = Visitor().look(token_of(share(alice.holder, alice.mem("kitchen")))).content.decode()
    assert re.findall(r"<script[^>]*>", page) == ['<script src="/static/web/visitor.js" defer>']
    assert not re.search(r"\son\w+=|http-equiv|<iframe|<img|<embed|<object|<video|<audio", page)
    script = SCRIPT.read_text()
    assert "replaceState" in script, "the control: it is the script of that page"
    means = r"\.submit\(|requestSubmit|\.click\(|dispatchEvent|fetch\(|XMLHttp|sendBeacon|\blocation\s*=|\.href\s*="
    assert not re.search(means, script)


def test_a_press_is_what_opens(alice: Vault) -> None:
    """The control: the same form, sent once from the page it stands on."""
    made = share(alice.holder, alice.mem("kitchen"))
    visitor = Visitor()
    form = fields(visitor.look(token_of(made)))
    assert alice.values["kitchen"] in visitor.send(form).content.decode()
    assert not untouched(alice, made)
