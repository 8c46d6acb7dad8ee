"""A digest is done without at one press in a mail program (RFC 8058): by POST with no cookie, also once the account is
gone. Whoever only follows the link, as scanners of mail do, changes nothing."""

import re
from dataclasses import replace
from email.message import EmailMessage
from uuid import uuid4

import pytest
from django.conf import settings as ours
from django.contrib.auth import get_user_model
from django.http import HttpResponse
from django.test import Client as Browser

from apps.erasure import services as erasure
from apps.mail import services as mail
from apps.mail import tasks
from apps.mail.leaving import leaving_token, left_by
from apps.mail.models import LetterRow, WishesRow
from apps.memories import services as memories
from apps.policy.types import Refused
from apps.policy.wishes import Every, Switch
from tests.cast import Assistant, Vault, give
from tests.holders.people import address_of
from tests.mail.conftest import Postman
from tests.mail.test_what_was_handed_over import pass_by
from tests.mail.wishing import wish
from vault.clock import utc_now

pytestmark = pytest.mark.usefixtures("empty")
ONE_CLICK = {"List-Unsubscribe": "One-Click"}


@pytest.fixture
def alice(alice: Vault) -> Vault:
    """Alice is told every day what was handed over."""
    wish(alice.holder, receipts=Every.DAILY)
    return alice


def digests(alice: Vault, cook: Assistant, postman: Postman) -> dict[str, EmailMessage]:
    """The two letters that come by schedule, by the beginning of their subjects."""
    memories.propose(cook.caller, label="Oven", value="none", now=utc_now())
    give(cook, "kitchen")
    assert cook.read("kitchen").released
    LetterRow.objects.all().delete()
    pass_by(alice.holder)
    tasks.sweep()
    return {str(each["Subject"])[:8]: each for each in postman.to(address_of(alice.holder))}


def way_out(letter: EmailMessage) -> str:
    """The path that its `List-Unsubscribe` leads to."""
    found = re.fullmatch(r"<(https?://[^<>\s]+)>", str(letter["List-Unsubscribe"]))
    assert found and found[1].startswith(f"{ours.PUBLIC_URL}/unsubscribe/")
    return found[1].removeprefix(ours.PUBLIC_URL)


def press(path: str) -> HttpResponse:
    """What a mail program sends: no cookie, no referrer, none of our fields."""
    return Browser(enforce_csrf_checks=True).post(path, ONE_CLICK)


def shown(response: HttpResponse) -> tuple[int, bytes, dict[str, str]]:
    varying = {"Content-Length", "Server-Timing"}
    return response.status_code, response.content, {k: v for k, v in response.items() if k not in varying}


@pytest.mark.parametrize(("begins", "switch"), [("One thin", Switch.WAITING), ("What was", Switch.RECEIPTS)])
def test_one_press_does_without_that_letter_and_no_other(
    alice: Vault, cook: Assistant, postman: Postman, begins: str, switch: Switch
) -> None:
    letter = digests(alice, cook, postman)[begins]
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert press(way_out(letter)).status_code == 200
    wishes = mail.wishes(alice.holder.user_id)
    assert {each for each in Switch if wishes.lacks(each)} == {switch}
    assert press(way_out(letter)).status_code == 200, "pressed again, it stays"


def test_no_other_letter_bears_it(alice: Vault, cook: Assistant, postman: Postman) -> None:
    cook.ask("kitchen")
    tasks.sweep()
    (letter,) = postman.to(address_of(alice.holder))
    assert letter["List-Unsubscribe"] is None and letter["List-Unsubscribe-Post"] is None


def test_who_follows_the_link_is_shown_a_button_and_nothing_has_changed(
    alice: Vault, cook: Assistant, postman: Postman
) -> None:
    path = way_out(digests(alice, cook, postman)["What was"])
    before = mail.wishes(alice.holder.user_id)
    browser = Browser()
    opened, head = browser.get(path), browser.head(path)
    assert opened.status_code == head.status_code == 200 and not browser.cookies
    assert b"Nothing has changed yet" in opened.content and opened.content.count(b"<button") == 1
    assert b'<form method="post">' in opened.content and b'value="One-Click"' in opened.content
    assert browser.post(path).status_code == 200, "a POST that says nothing is no press"
    assert browser.post(path, {"List-Unsubscribe": "yes"}).status_code == 200
    assert mail.wishes(alice.holder.user_id) == before
    for name, value in {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}.items():
        assert opened.headers[name] == value
    assert "noindex" in opened.headers["X-Robots-Tag"]


def test_it_says_nothing_of_whose_it_is(alice: Vault, cook: Assistant, postman: Postman) -> None:
    path = way_out(digests(alice, cook, postman)["What was"])
    for answer in (Browser().get(path), press(path)):
        assert b"Alice" not in answer.content and address_of(alice.holder).encode() not in answer.content


def test_who_is_gone_is_answered_as_who_is_not(alice: Vault, cook: Assistant, postman: Postman) -> None:
    path = way_out(digests(alice, cook, postman)["What was"])
    wish(alice.holder, receipts=Every.DAILY)
    there = [shown(Browser().get(path)), shown(press(path))]
    assert not isinstance(erasure.end_vault(alice.holder, utc_now()), Refused)
    assert [shown(Browser().get(path)), shown(press(path))] == there
    never = f"/unsubscribe/{leaving_token(uuid4(), Switch.RECEIPTS)}"
    theirs = [shown(Browser().get(never)), shown(press(never))]
    assert [(status, body.replace(never.encode(), path.encode())) for status, body, _ in theirs] == [
        (status, body) for status, body, _ in there
    ]


def test_whoever_has_the_letter_may_press_in_its_reader_s_place(
    alice: Vault, cook: Assistant, postman: Postman
) -> None:
    path = way_out(digests(alice, cook, postman)["What was"])
    stranger = Browser()
    assert stranger.post(path, ONE_CLICK).status_code == 200
    assert mail.wishes(alice.holder.user_id).receipts is Every.OFF


def test_who_may_not_sign_in_is_unsubscribed_alike(alice: Vault) -> None:
    get_user_model().objects.filter(pk=alice.holder.user_id).update(is_active=False)
    path = f"/unsubscribe/{leaving_token(alice.holder.user_id, Switch.WAITING)}"
    assert press(path).status_code == 200


@pytest.mark.parametrize("change", ["", "x", ".", "waiting"])
def test_a_token_that_is_not_ours_opens_nothing(alice: Vault, change: str) -> None:
    token = leaving_token(alice.holder.user_id, Switch.RECEIPTS)
    assert left_by(token) == (alice.holder.user_id, Switch.RECEIPTS)
    wrong = token.replace("receipts", "waiting") if change == "waiting" else token[:-2] + change
    assert left_by(wrong) is None
    assert Browser().get(f"/unsubscribe/{wrong}").status_code == press(f"/unsubscribe/{wrong}").status_code == 404
    assert mail.wishes(alice.holder.user_id).receipts is Every.DAILY


def test_a_press_at_the_moment_of_another_wish_loses_neither(alice: Vault) -> None:
    token = leaving_token(alice.holder.user_id, Switch.WAITING)
    assert mail.unsubscribe(token, utc_now()) is Switch.WAITING
    stale = replace(mail.wishes(alice.holder.user_id), version=0)
    assert isinstance(mail.set_wishes(alice.holder.user_id, stale, utc_now()), Refused)
    assert mail.wishes(alice.holder.user_id).lacks(Switch.WAITING)


def test_the_headers_go_over_the_wire_as_one_address_unbroken(alice: Vault, cook: Assistant, postman: Postman) -> None:
    digests(alice, cook, postman)
    for _, content in postman.kept:
        head = content.partition(b"\r\n\r\n")[0]
        if b"List-Unsubscribe:" in head:
            assert re.search(rb"\r\nList-Unsubscribe: <[\x21-\x7e]+>\r\n", head)
            assert b"\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n" in head
            break
    else:
        pytest.fail("no digest went")


def test_whose_words_would_not_be_kept_any_more_is_unsubscribed_all_the_same(alice: Vault) -> None:
    WishesRow.objects.update(phrase="https://teapot.example/")
    token = leaving_token(alice.holder.user_id, Switch.WAITING)
    assert Browser().post(f"/unsubscribe/{token}", ONE_CLICK).status_code == 200
    assert mail.wishes(alice.holder.user_id).off == {Switch.WAITING}
