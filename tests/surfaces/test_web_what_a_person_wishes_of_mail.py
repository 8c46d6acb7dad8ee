"""At `/you/mail` a person chooses which letters they get and when; the same over REST. What was typed is never lost,
and of two who keep it at once the second is told."""

import re
from datetime import time
from typing import Any

import pytest

from apps.mail import services as mail
from apps.mail.models import WishesRow
from apps.policy.letters import OUTSIDE, Letter
from apps.policy.types import Holder
from apps.policy.vocabulary import Level
from apps.policy.wishes import AT_ONCE, SWITCHES, Every, Quiet, Switch, Wishes
from apps.web.mail_forms import ALWAYS, OVER
from tests.fixtures import Household
from tests.holders.people import acting, newcomer
from tests.mail.wishing import wish
from tests.surfaces.web import browser

ADDRESS, REST = "/you/mail", "/api/v1/me/mail"


def typed(**other: str) -> dict[str, str]:
    """The form as somebody fills it in who wants everything; a field that is None is not sent."""
    fields = {"version": "0", "requests": "on", "opened": "on", "waiting": "on", "receipts": "weekly", "hour": "8"}
    fields |= {"quiet_from": "", "quiet_until": "", "phrase": ""} | other
    return {name: value for name, value in fields.items() if value is not None}


def patch(holder: Holder, body: Any, match: str | None = "*") -> Any:
    headers = {"If-Match": match} if match else {}
    return browser(holder).patch(REST, body, content_type="application/json", headers=headers)


# ---------------------------------------------------------------- the page
def test_it_shows_what_holds_and_is_led_to_from_you(home: Household) -> None:
    assert f'href="{ADDRESS}"' in browser(home.holder).get("/you").content.decode()
    page = browser(home.holder).get(ADDRESS).content.decode()
    assert page.count("checked") == 3 and '<option value="weekly" selected>' in page
    assert '<option value="8" selected>08:00</option>' in page
    wish(home.holder, off=frozenset({Switch.OPENED}), quiet=Quiet(time(22), time(6, 30)), phrase="The blue <teapot>")
    page = browser(home.holder).get(ADDRESS).content.decode()
    assert page.count("checked") == 2 and 'value="22:00"' in page and 'value="06:30"' in page
    assert "The blue &lt;teapot&gt;" in page


def test_it_says_of_each_letter_that_always_comes_whether_it_comes_in_quiet_hours_too(home: Household) -> None:
    never_off = {each for each in Letter if SWITCHES[each] is None} - OUTSIDE
    assert set(ALWAYS) == never_off >= AT_ONCE
    told = browser(home.holder).get(ADDRESS).content.decode().partition("What always comes")[2]
    at_once, _, waits = told.partition("</ul>")
    for part, letters, more in ((at_once, AT_ONCE, []), (waits.partition("</ul>")[0], never_off - AT_ONCE, [OVER])):
        assert sorted(re.findall("<li>(.*?)</li>", part)) == sorted([*(ALWAYS[each] for each in letters), *more])


def test_what_is_chosen_is_kept(home: Household) -> None:
    client = browser(home.holder)
    sent = typed(receipts="daily", hour="21", quiet_from="22:00", quiet_until="07:00", phrase="The blue teapot")
    del sent["requests"]
    answer = client.post(ADDRESS, sent, follow=True)
    assert answer.status_code == 200 and "Kept." in answer.content.decode()
    assert mail.wishes(home.holder.user_id) == Wishes(
        frozenset({Switch.REQUESTS}), Every.DAILY, 21, Quiet(time(22), time(7)), "The blue teapot", 1
    )


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"quiet_from": "22:00"}, "Write both times, or neither."),
        ({"quiet_until": "07:00"}, "Write both times, or neither."),
        ({"quiet_from": "25:00", "quiet_until": "07:00"}, "Write a time, such as 22:00."),
        ({"quiet_from": "07:00", "quiet_until": "07:00"}, "end at another time than they begin"),
        ({"hour": "24"}, "hour"),
        ({"receipts": "hourly"}, "receipts"),
        ({"phrase": "a\u200bb"}, "a character that nobody sees"),
        ({"phrase": "http://x.example"}, "A mail program would make a link of it."),
        ({"phrase": "x" * 61}, "It is 61 characters long; at most 60 are kept."),
        ({"version": "x"}, "version"),
    ],
)
def test_what_cannot_be_kept_is_said_beside_its_field_and_loses_nothing(
    home: Household, wrong: dict[str, str], said: str
) -> None:
    answer = browser(home.holder).post(ADDRESS, typed(phrase="Green kettle") | wrong)
    page = answer.content.decode()
    assert answer.status_code == 400 and said in page
    assert ("Green kettle" in page) is ("phrase" not in wrong)
    assert mail.wishes(home.holder.user_id) == Wishes()


def test_who_keeps_what_was_kept_otherwise_meanwhile_is_told_and_loses_nothing(home: Household) -> None:
    wish(home.holder, receipts=Every.OFF, quiet=Quiet(time(22), time(7)))  # as a press in a letter does, and more
    answer = browser(home.holder).post(ADDRESS, typed(phrase="Green kettle"))
    page = answer.content.decode()
    assert answer.status_code == 412 and "kept otherwise meanwhile" in page and "Green kettle" in page
    holds = ["What was handed over: Not at all", "Quiet from: 22:00", "Quiet until: 07:00", "know our letters: none"]
    assert all(each in page for each in holds)
    kept = Wishes(receipts=Every.OFF, quiet=Quiet(time(22), time(7)), version=1)
    assert mail.wishes(home.holder.user_id) == kept
    again = typed(phrase="Green kettle", version="1")
    assert browser(home.holder).post(ADDRESS, again).status_code == 302
    assert mail.wishes(home.holder.user_id).phrase == "Green kettle"


def test_it_is_each_person_s_own_wherever_they_sit(home: Household) -> None:
    rosa = newcomer("Rosa")
    acting(home.holder, rosa, level=Level.VIEW)
    client, there = browser(rosa), f"vlt_{home.holder.vault_id.hex}"
    client.post("/people/seat", {"to": there, "seat": f"vlt_{rosa.vault_id.hex}"})
    assert client.post(ADDRESS, typed(phrase="Hers", seat=there)).status_code == 302
    assert mail.wishes(rosa.user_id).phrase == "Hers" and mail.wishes(home.holder.user_id).phrase == ""
    assert "Hers" not in browser(home.holder).get(ADDRESS).content.decode()


# ---------------------------------------------------------------- over REST
def test_it_is_the_same_over_rest(home: Household) -> None:
    found = browser(home.holder).get(REST)
    assert found.json() == {
        "requests": True,
        "opened": True,
        "waiting": True,
        "receipts": "weekly",
        "hour": 8,
        "quiet": None,
        "phrase": "",
    }
    quiet = {"begins": "22:00", "ends": "06:30"}
    done = patch(home.holder, {"requests": False, "quiet": quiet, "phrase": "Teapot"}, found["ETag"])
    assert done.status_code == 200 and done.json() == found.json() | {
        "requests": False,
        "quiet": quiet,
        "phrase": "Teapot",
    }
    assert done["ETag"] == browser(home.holder).get(REST)["ETag"] != found["ETag"]
    kept = mail.wishes(home.holder.user_id)
    assert kept == Wishes(frozenset({Switch.REQUESTS}), quiet=Quiet(time(22), time(6, 30)), phrase="Teapot", version=1)
    assert patch(home.holder, {"quiet": None}).json()["quiet"] is None


@pytest.mark.parametrize("phrase", ["http://x.example", "a\u200bb", "two  blanks"])
def test_words_that_were_chosen_under_other_rules_keep_nothing_else_back(home: Household, phrase: str) -> None:
    wish(home.holder, phrase="Teapot")
    WishesRow.objects.filter(to_id=home.holder.user_id).update(phrase=phrase)
    done = patch(home.holder, {"hour": 9})
    assert (done.status_code, done.json()["hour"], done.json()["phrase"]) == (200, 9, phrase)
    again = patch(home.holder, {"hour": 10, "phrase": phrase + "."})
    assert again.status_code == 422 and mail.wishes(home.holder.user_id).hour == 9


def test_nor_do_they_on_the_page(home: Household) -> None:
    wish(home.holder, phrase="Teapot")
    WishesRow.objects.filter(to_id=home.holder.user_id).update(phrase="http://x.example")
    answer = browser(home.holder).post(ADDRESS, typed(version="1", hour="21", phrase="http://x.example"))
    assert answer.status_code == 302 and mail.wishes(home.holder.user_id).hour == 21


def test_a_change_that_was_not_made_on_what_holds_is_refused(home: Household) -> None:
    tag = browser(home.holder).get(REST)["ETag"]
    assert patch(home.holder, {"hour": 9}, None).status_code == 428
    assert patch(home.holder, {"hour": 9}, tag).status_code == 200
    stale = patch(home.holder, {"hour": 10}, tag)
    assert stale.status_code == 412 and stale.json()["code"] == "precondition-failed"
    assert mail.wishes(home.holder.user_id).hour == 9


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"hour": 24}, "/hour"),
        ({"hour": "8"}, "/hour"),
        ({"receipts": "hourly"}, "/receipts"),
        ({"quiet": {"begins": "22:00"}}, "/quiet/ends"),
        ({"quiet": {"begins": "22:00:30", "ends": "07:00"}}, "/quiet/begins"),
        ({"quiet": {"begins": 22, "ends": "07:00"}}, "/quiet/begins"),
        ({"quiet": {"begins": "07:00", "ends": "07:00"}}, "/quiet"),
        ({"phrase": "x" * 61}, "/phrase"),
        ({"phrase": "a\u200bb"}, "/phrase"),
        ({"phrase": "http://x.example"}, "/phrase"),
        ({"phrase": " teapot"}, "/phrase"),
        ({"emergency": False}, ""),
        ({}, ""),
    ],
)
def test_what_cannot_be_kept_is_refused_by_its_pointer(home: Household, body: Any, pointer: str) -> None:
    answer = patch(home.holder, body)
    assert answer.status_code == 422
    assert pointer in [each["pointer"] for each in answer.json()["errors"]]
    assert mail.wishes(home.holder.user_id) == Wishes()
