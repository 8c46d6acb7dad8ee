"""Grants and requests on the pages, without script: what each shows, narrowing, stopping, and what can't be read."""

from datetime import timedelta
from typing import Any, Literal

import pytest

from apps.access import services as access
from apps.access.tasks import lapse_grants
from apps.memories import services as memories
from apps.policy.ids import typed, untyped
from apps.policy.types import Grant
from apps.policy.vocabulary import Category, PartStatus
from tests import databases
from tests.fixtures import Household
from tests.surfaces.web import browser, text_of
from tests.threads import at_once
from vault.clock import utc_now


@pytest.fixture
def given(home: Household) -> Grant:
    """A grant of five reads of two memories."""
    mine = [home.kitchen, home.time]
    home.as_holder().decide(home.as_client().ask(mine).request, {"ordinary": mine}, reads=5)
    return access.grants(home.holder)[0]


def current(home: Household, given: Grant) -> Grant:
    found = access.grant(home.holder, given.grant_id)
    assert found
    return found


def moved(given: Grant, column: Literal["made_at", "lapsed_at"], days: int) -> None:
    """Let it be so many days ago."""
    with databases.connect("postgres", autocommit=True) as admin:
        query = f"UPDATE access_grant SET {column} = now() - %s * interval '1 day' WHERE grant_id = %s"
        admin.execute(query, [days, given.grant_id])


def test_a_row_shows_what_is_left_what_was_done_and_when_it_ends(home: Household, given: Grant) -> None:
    client = browser(home.holder)
    page = text_of(client.get("/grants"))
    assert "5 reads left, 0 done" in page
    assert "never used" in page
    assert "Nothing was handed over on it yet." in page
    home.as_client().read([home.kitchen, home.time])
    page = text_of(client.get("/grants"))
    assert "4 reads left, 1 done" in page
    assert "last used <time" in page
    assert "Handed over 1 time, last on " in page


def test_stopping_says_what_is_not_pulled_back(home: Household, given: Grant) -> None:
    client = browser(home.holder)
    for _ in range(3):
        home.as_client().read([home.kitchen])
    said = text_of(client.post(f"/grants/{typed('gra', given.grant_id)}/stop", follow=True))
    assert "Stopped. No further reads. Handed over 3 times, last on " in said
    assert "We can’t pull those back." in said
    said = text_of(client.post(f"/grants/{typed('cli', home.client.client_id)}/stop", follow=True))
    assert "Handed over 3 times, last on " in said


def test_it_is_made_less_on_the_page(home: Household, given: Grant) -> None:
    client, address = browser(home.holder), f"/grants/{typed('gra', given.grant_id)}/narrow"
    sent = {"terms": "1", "keep": [home.kitchen], "until": "hour", "reads": "2"}
    assert "Less from now on." in text_of(client.post(address, sent, follow=True))
    left = current(home, given)
    assert (left.reads_left, left.memory_ids) == (2, {untyped("mem", home.kitchen)})
    assert left.expires_at < utc_now() + timedelta(hours=1, seconds=1)
    again = text_of(client.post(address, sent, follow=True))
    assert "changed while you were looking" in again, "on the terms that an older page showed"
    assert current(home, given) == left


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"reads": "0"}, "Write a whole number"),
        ({"reads": "-3"}, "Write a whole number"),
        ({"reads": "many"}, "Write a whole number"),
        ({"reads": "٣"}, "Write a whole number"),
        ({"reads": "6"}, "can only become less"),
        ({"until": "month"}, "can only become less"),
        ({"until": "forever"}, "Choose one of the lengths"),
        ({"keep": []}, "stop it"),
        ({}, "Nothing was changed"),
    ],
    ids=str,
)
def test_what_is_not_less_changes_nothing(home: Household, given: Grant, sent: dict[str, Any], said: str) -> None:
    client = browser(home.holder)
    form = {"terms": "1", "keep": [home.kitchen, home.time], "until": "", "reads": ""} | sent
    assert said in text_of(client.post(f"/grants/{typed('gra', given.grant_id)}/narrow", form, follow=True))
    assert current(home, given) == given


def test_another_s_grant_is_not_there_to_be_made_less(home: Household, given: Grant, settle: Any) -> None:
    stranger = browser(settle().holder)
    assert stranger.post(f"/grants/{typed('gra', given.grant_id)}/narrow", {"reads": "1"}).status_code == 404
    assert stranger.post(f"/grants/gra_{'0' * 32}/narrow", {"reads": "1"}).status_code == 404


# ---------------------------------------------------------------- deciding
@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"until": "week", "reads": "0"}, "Write a whole number"),
        ({"until": "week", "reads": "-5"}, "Write a whole number"),
        ({"until": "week", "reads": "1e9"}, "Write a whole number"),
        ({"until": "once", "reads": "7"}, "Once is one read"),
        ({"until": "always"}, "Choose one of the lengths"),
        ({"until": "week", "give": [], "under": ["astronomy"]}, "Nothing that was asked for is under it"),
    ],
    ids=str,
)
def test_terms_that_cannot_be_read_decide_nothing_and_are_shown_again(
    home: Household, sent: dict[str, Any], said: str
) -> None:
    client, wish = browser(home.holder), home.as_client().ask([home.kitchen, home.time]).request
    form = {"part": "ordinary", "do": "allow", "give": [home.time]} | sent
    answer = client.post(f"/requests/{wish}/decide", form)
    page = text_of(answer)
    assert answer.status_code == 400
    assert said in page
    assert f'value="{sent.get("reads", "")}"' in page
    assert [f'value="{each}" checked' in page for each in (home.kitchen, home.time)] == [False, "give" not in sent]
    assert access.grants(home.holder) == ()
    found = access.request(home.holder, untyped("req", wish))  # type: ignore[arg-type]
    assert found and found.status is PartStatus.PENDING


def test_a_subject_chooses_what_stands_under_it_now_and_nothing_later(home: Household) -> None:
    def keep(subject: str) -> Any:
        options: Any = {"category": Category.HEALTH, "subject": subject}
        return memories.add(home.holder, label=subject, value="x", now=utc_now(), **options).memory_id

    chosen = {keep("allergy.nuts"), keep("allergy.pollen")}
    apart = keep("allergyclinic.address")
    wish = home.as_client().ask([], categories=["health"]).request
    client = browser(home.holder)
    page = text_of(client.get(f"/requests/{wish}"))
    assert 'value="allergy"' in page
    client.post(f"/requests/{wish}/decide", {"part": "health", "do": "allow", "under": ["allergy"], "until": "week"})
    (made,) = access.grants(home.holder)
    assert made.memory_ids == chosen
    assert apart not in made.memory_ids
    keep("allergy.milk")
    assert current(home, made).memory_ids == chosen


def test_two_tabs_decide_and_exactly_one_wins(home: Household) -> None:
    wish = home.as_client().ask([home.kitchen]).request
    tabs = [browser(home.holder) for _ in range(2)]
    forms = [{"part": "ordinary", "do": "allow", "give": [home.kitchen]}, {"part": "ordinary", "do": "deny"}]
    pages = at_once(
        [
            lambda tab=tab, form=form: text_of(tab.post(f"/requests/{wish}/decide", form, follow=True))
            for tab, form in zip(tabs, forms, strict=True)
        ]
    )
    assert sum("This was decided before" in str(page) for page in pages) == 1, pages
    found = access.request(home.holder, untyped("req", wish))  # type: ignore[arg-type]
    assert found
    assert (found.status is PartStatus.GRANTED) == bool(access.grants(home.holder))


def test_a_note_is_a_stranger_s_words_and_never_a_title(home: Household) -> None:
    note = "\u202eurgent\u200b <b>doctor</b> says" + "!" * 100
    wish = home.as_client().ask([home.kitchen], purpose_note=note).request
    client = browser(home.holder)
    page = text_of(client.get(f"/requests/{wish}"))
    title = page.partition("<title>")[2].partition("</title>")[0]
    assert "urgent" not in title
    assert "\u202e" not in page
    assert "\u200b" not in page
    assert page.count("a hidden character") == 2
    assert "<b>doctor</b>" not in page
    for other in ("/", "/inbox"):
        assert "urgent" not in text_of(client.get(other))


# ---------------------------------------------------------------- lapsing
def test_what_lapsed_is_told_on_the_first_page_and_in_the_inbox(home: Household, given: Grant) -> None:
    client = browser(home.holder)
    assert "Ended by itself" not in text_of(client.get("/"))
    moved(given, "made_at", 91)
    lapse_grants()
    for address in ("/", "/inbox"):
        page = text_of(client.get(address))
        assert "Ended by itself" in page
        assert "unused for 90 days" in page
    assert "lapsed, because it stood unused" in text_of(client.get("/grants"))
    moved(given, "lapsed_at", 31)
    assert "Ended by itself" not in text_of(client.get("/"))
