"""The owner's pages of shares: choose, see it as they would, share, follow, stop."""

import re
from typing import Any

import pytest

from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.types import Refused
from apps.policy.vocabulary import Category
from apps.shares import services as shares
from tests.cast import admin  # noqa: F401  (fixture)
from tests.drivers import Http
from tests.fixtures import KITCHEN, VALUES, Household
from tests.surfaces.visitors import Visitor, owner, share, token_of, told
from tests.surfaces.web import HOSTILE, last_seq
from vault.clock import utc_now

FORM = {"lasts": "1", "opens": "3", "note": "", "code": "", "pin": ""}
LINK = re.compile(r"http://[^<\s]+/s/([0-9a-f]{32})")


def shared(home: Household, *memories: str, **more: str) -> tuple[Any, list[str]]:
    """Share on the pages: the page with the links, and their tokens."""
    sent = FORM | {"memories": list(memories or (home.kitchen,)), "do": "make"} | more
    page = owner(home.holder).post("/shares/new", sent, follow=True)
    return page, LINK.findall(told(page))


def test_only_what_may_be_shared_is_offered(home: Household) -> None:
    page = told(owner(home.holder).get("/shares/new"))
    assert all(f'value="{each}"' in page for each in (home.kitchen, home.time, home.budget))
    assert home.insulin not in page and "Insulin" not in page
    at_home = memories.add(home.holder, label="Alarm", value="x", local_only=True, now=utc_now())
    assert not isinstance(at_home, Refused)
    assert typed("mem", at_home.memory_id) not in told(owner(home.holder).get("/shares/new"))


def test_what_is_not_offered_cannot_be_sent_either(home: Household) -> None:
    for other in (home.insulin, "mem_" + "0" * 32, "x"):
        answer, links = shared(home, home.kitchen, other)
        assert answer.status_code == 400 and not links and "Nothing was shared yet" in told(answer)
        assert "cannot be shared any more" in told(answer) and f"{other} is not" not in told(answer)
    assert shares.shares(home.holder, utc_now()) == ()


def test_it_is_seen_as_they_would_before_it_goes_out(home: Household) -> None:
    browser, before = owner(home.holder), last_seq(home.holder)
    sent = FORM | {"memories": [home.kitchen, home.budget], "note": "For Friday", "name_1": "Rosa"}
    page = told(browser.post("/shares/new", sent | {"do": "preview"}))
    assert "Kitchen equipment" in page and "For Friday" in page and "Rosa" in page
    assert "Confirmed: that there is a budget" in page
    assert not [value for value in VALUES if value in page]
    assert last_seq(home.holder) == before, "a preview is no look"
    shown = told(browser.post("/shares/new", sent | {"do": "show"}))
    assert KITCHEN in shown and last_seq(home.holder) > before, "a look is stamped"
    assert not [value for value in VALUES if value in shown and value != KITCHEN], "an attested one only confirms"
    back = told(browser.post("/shares/new", sent | {"do": "edit"}))
    assert 'value="For Friday"' in back and 'value="Rosa"' in back
    assert shares.shares(home.holder, utc_now()) == ()


def test_its_links_stand_on_one_page_once(home: Household) -> None:
    page, (token,) = shared(home)
    assert "Copy the link" in told(page)
    assert KITCHEN in told(Visitor().press(token))
    again = owner(home.holder).get("/shares/links", follow=True)
    assert token not in told(again) and "A link is shown once" in told(again)
    (made,) = shares.shares(home.holder, utc_now())
    for where in ("/shares", f"/shares/{typed('shr', made.share.share_id)}"):
        assert token not in told(owner(home.holder).get(where))


def test_a_press_that_is_sent_twice_shares_once_and_shows_the_same_links(home: Household) -> None:
    browser, rosa = owner(home.holder), {"name_1": "Rosa", "address_1": "rosa@mail.example"}
    before = browser.post("/shares/new", FORM | {"memories": [home.kitchen], "do": "preview"} | rosa)
    (key,) = re.findall(r'name="key" value="([^"]+)"', told(before))
    press = FORM | {"memories": [home.kitchen], "do": "make", "key": key} | rosa
    assert browser.post("/shares/new", press).status_code == 302, "its answer never came"
    links = LINK.findall(told(browser.post("/shares/new", press, follow=True)))
    (made,) = shares.shares(home.holder, utc_now())
    assert len(links) == 1 and shares.courses(home.holder, made.share.share_id).keys() == {
        made.share.links[0].recipient
    }
    assert "A code is needed" in told(Visitor().press(links[0])), "it is the link that was made"
    changed = browser.post("/shares/new", press | {"opens": "2"})
    assert changed.status_code == 409 and len(shares.shares(home.holder, utc_now())) == 1
    again = browser.post("/shares/new", FORM | {"memories": [home.kitchen], "do": "preview"} | rosa)
    assert f'value="{key}"' not in told(again), "each page has a key of its own"


def test_how_often_it_was_opened_is_said_as_one_says_it(home: Household) -> None:
    share(home.holder, home.kitchen, opens=1)
    assert "opened 0 of 1 time ·" in told(owner(home.holder).get("/shares"))


def test_everybody_named_gets_a_link_of_their_own(home: Household) -> None:
    page, tokens = shared(home, name_1="Rosa", name_2="Otto", address_2="otto@mail.example")
    assert len(set(tokens)) == 2 and "For Rosa" in told(page) and "on its way to otto@mail.example" in told(page)
    _, (alone,) = shared(home, name_1="Rosa", code="none")
    assert Visitor().press(alone).status_code == 200


def test_it_lists_each_opening_with_what_it_was(home: Household) -> None:
    made = share(home.holder, home.kitchen, home.time, recipients=[shares.Recipient("Rosa")])
    visitor, path = Visitor(), f"/shares/{typed('shr', made.share.share_id)}"
    assert "Nobody opened it yet" in told(owner(home.holder).get(path))
    visitor.press(token_of(made))
    visitor.press(token_of(made))
    page = told(owner(home.holder).get(path))
    assert "1 time, 2 left" in page and "Rosa · Firefox on Android · looked again 1 time" in page
    assert "What was seen cannot be unseen" in page and "<time datetime=" in page
    assert not [value for value in VALUES if value in page]
    assert "opened 1 of 3 times" in told(owner(home.holder).get("/shares"))


def test_whom_its_mail_did_not_reach_is_said(home: Household, admin: Any) -> None:  # noqa: F811
    made = share(home.holder, home.kitchen, recipients=[shares.Recipient("Rosa", "rosa@mail.example")])
    path = f"/shares/{typed('shr', made.share.share_id)}"
    assert "its mail waits to be sent" in told(owner(home.holder).get(path))
    given_up = "UPDATE letter SET failed = true, facts = '{}', address = '' WHERE vault_id = %s AND letter = 'share'"
    admin.execute(given_up, [home.holder.vault_id])
    assert "rosa@mail.example · its mail could not be delivered" in told(owner(home.holder).get(path))
    (link,) = Http(holder=home.holder).call("GET", f"shares/{typed('shr', made.share.share_id)}")["links"]
    assert link["mail"] == "undelivered"


def test_it_is_stopped_by_a_press_that_was_thought_over(home: Household) -> None:
    made = share(home.holder, home.kitchen)
    browser, path = owner(home.holder), f"/shares/{typed('shr', made.share.share_id)}"
    assert "<summary>Stop it…</summary>" in told(browser.get(path))
    assert browser.get(f"{path}/stop").status_code == 405
    page = told(browser.post(f"{path}/stop", follow=True))
    assert "Stopped. What was seen cannot be unseen." in page and "Stop it…" not in page
    assert Visitor().press(token_of(made)).status_code == 404


def test_what_is_used_up_is_stopped_while_it_may_be_looked_at_again(home: Household) -> None:
    made, visitor = share(home.holder, home.kitchen, opens=1), Visitor()
    visitor.press(token_of(made))
    browser, path = owner(home.holder), f"/shares/{typed('shr', made.share.share_id)}"
    page = told(browser.get(path))
    assert "<summary>Stop it…</summary>" in page and "can look again for a quarter of an hour" in page
    assert "Stop it…" not in told(browser.post(f"{path}/stop", follow=True))
    assert visitor.press(token_of(made)).status_code == 404


def test_one_of_the_links_is_stopped_and_the_other_holds(home: Household) -> None:
    made = share(home.holder, home.kitchen, recipients=[shares.Recipient("Rosa"), shares.Recipient("Otto")])
    first, path = made.links[0].link.link_id, f"/shares/{typed('shr', made.share.share_id)}"
    owner(home.holder).post(f"{path}/links/{typed('lnk', first)}/stop")
    assert [Visitor().press(each.token).status_code for each in made.links] == [404, 200]


def test_what_left_it_is_said(home: Household) -> None:
    made = share(home.holder, home.kitchen, home.time)
    kitchen = made.share.items[0].memory_id
    browser, path = owner(home.holder), f"/shares/{typed('shr', made.share.share_id)}"
    memories.put_away(home.holder, kitchen, utc_now())
    assert "not handed over now" in told(browser.get(path))
    memories.put_back(home.holder, kitchen, utc_now())
    assert "not handed over now" not in told(browser.get(path)), "put back as it was, it is in it again"
    memories.correct(home.holder, kitchen, value="Two pans", now=utc_now())
    assert "not handed over now" in told(browser.get(path))


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        *(({"opens": each}, "from 1 to 50 times") for each in ("-1", "0", "51")),
        ({"opens": "x"}, "whole number"),
        ({"lasts": "9999"}, "Choose from what is offered"),
        ({"code": "pin", "pin": "12"}, "6 to 12 digits"),
        ({"pin": "731946"}, "only where you choose a spoken PIN"),
        ({"name_1": "Rosa", "address_1": "nowhere"}, "address"),
        ({"name_2": "Rosa", "address_2": "ü@b.example"}, "address"),
        ({"name_3": "Ro\x07sa"}, "Their name"),
        ({"address_1": "rosa@mail.example"}, "whose address"),
        ({"name_1": "Rosa", "name_2": "rosa"}, "Name each one once"),
        ({"note": "x" * 301}, "at most 300"),
    ],
    ids=lambda each: str(each)[:20],
)
def test_what_cannot_be_shared_so_comes_back_with_what_to_do(home: Household, wrong: dict[str, str], says: str) -> None:
    """The page before says it already: it shows nothing that the press after it would refuse."""
    for doing in ("preview", "show", "make"):
        answer, links = shared(home, **wrong, do=doing)
        page = told(answer)
        assert answer.status_code == 400 and not links
        assert says in page, page[page.find('class="note error"') :][:800]
        assert 'class="problem"' in page, "it stands at its field, not above the form alone"
        for value in wrong.values():
            assert f'value="{value}"' in page or "lasts" in wrong, "nothing that was typed is lost"
    assert shares.shares(home.holder, utc_now()) == ()


def test_it_is_led_to_from_the_menu_and_from_a_memory_that_may_be_shared(home: Household) -> None:
    browser = owner(home.holder)
    assert 'href="/shares"' in told(browser.get("/file"))
    assert f'href="/shares/new?memory={home.kitchen}"' in told(browser.get(f"/file/{home.kitchen}"))
    assert "/shares/new" not in told(browser.get(f"/file/{home.insulin}"))
    chosen = re.search(
        rf'<input[^>]*value="{home.kitchen}"[^>]*>', told(browser.get(f"/shares/new?memory={home.kitchen}"))
    )
    assert chosen and "checked" in chosen[0]


def test_foreign_and_unknown_shares_answer_alike(home: Household, settle: Any) -> None:
    made, stranger = share(home.holder, home.kitchen), owner(settle().holder)
    for share_id in (typed("shr", made.share.share_id), "shr_" + "0" * 32):
        assert stranger.get(f"/shares/{share_id}").status_code == 404
        assert stranger.post(f"/shares/{share_id}/stop").status_code == 404
    assert Visitor().press(token_of(made)).status_code == 200


def test_somebody_else_s_words_stay_text(home: Household) -> None:
    memories.add(home.holder, label=HOSTILE, value=HOSTILE, category=Category.ORDINARY, now=utc_now())
    found = next(each for each in shares.offered(home.holder) if each.label == HOSTILE)
    made = share(home.holder, typed("mem", found.memory_id), recipients=[shares.Recipient("<b>Rosa</b>")])
    opened = Visitor().press(token_of(made)).content.decode()
    for page in (
        opened,
        owner(home.holder).get("/shares/new").content.decode(),
        owner(home.holder).get(f"/shares/{typed('shr', made.share.share_id)}").content.decode(),
        owner(home.holder).get("/shares").content.decode(),
    ):
        assert "<script>alert" not in page and "<b>Rosa" not in page
        assert "&lt;script&gt;alert(1)" in page and "{{ 7|add:7 }}" in page
