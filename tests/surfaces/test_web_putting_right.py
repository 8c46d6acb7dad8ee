"""The memory's page and the file, without script: putting right, going back, looking at another day."""

import re
from datetime import timedelta
from typing import Any

import pytest

from apps.memories import services as memories
from apps.policy.types import Memory
from apps.policy.vocabulary import Level
from tests.fixtures import Household
from tests.holders.people import acting, newcomer
from tests.surfaces.web import browser, last_seq, text_of
from vault.clock import utc_now


@pytest.fixture
def town(home: Household) -> Memory:
    """A memory that said Leeds and says Porto."""
    made = memories.add(home.holder, label="Home town", value="Leeds", subject="home.town", now=utc_now())
    assert isinstance(made, Memory)
    done = memories.correct(home.holder, made.memory_id, value="Porto", now=utc_now(), changed=True, why="Moved <b>")
    assert isinstance(done, Memory)
    return done


def path(memory: Memory, deed: str = "") -> str:
    return f"/file/mem_{memory.memory_id.hex}{deed and '/' + deed}"


def says(home: Household, memory: Memory) -> str | None:
    return memories.show(home.holder, [memory.memory_id]).values[0].value


def correcting(memory: Memory, value: str, **more: str) -> dict[str, str]:
    return {"label": "Home town", "value": value, "category": "ordinary", "if_version": str(memory.version), **more}


def test_the_history_says_who_when_and_why_and_shows_no_value(home: Household, town: Memory) -> None:
    page = text_of(browser(home.holder).get(path(town)))
    history = page.partition("<h2>History</h2>")[2]
    assert re.findall(r"<b>Version (\d)</b>", history) == ["2", "1"]
    for words in ("kept now", "it has changed", "by you", "Moved &lt;b&gt;", "Go back to version 1"):
        assert words in history
    assert "Leeds" not in page
    assert "Porto" not in page


def test_an_echo_keeps_what_was_typed_and_one_press_means_it(home: Household, town: Memory) -> None:
    client = browser(home.holder)
    typed = "So I live in Leeds again\r\nfor good"
    refused = client.post(path(town, "correct"), correcting(town, typed, why="Really", valid_from="2026-11-01"))
    page = text_of(refused)
    assert refused.status_code == 409
    for kept in ("So I live in Leeds again\nfor good", 'value="Really"', 'value="2026-11-01"', "I mean it"):
        assert kept in page.replace("\r\n", "\n")
    assert says(home, town) == "Porto"
    meant = client.post(path(town, "correct"), correcting(town, typed, on_purpose="on"), follow=True)
    assert "Corrected." in text_of(meant)
    assert "taken back from version 1" in text_of(meant)


def test_a_new_memory_that_restates_it_is_kept_by_one_more_press(home: Household, town: Memory) -> None:
    client = browser(home.holder)
    sent = {"label": "Where from", "value": "Leeds", "category": "ordinary"}
    refused = client.post("/file/add", sent)
    assert (refused.status_code, "I mean it" in text_of(refused)) == (409, True)
    assert "Kept: Where from." in text_of(client.post("/file/add", {**sent, "on_purpose": "on"}, follow=True))
    assert "kept already" in text_of(client.post("/file/add", {**sent, "on_purpose": "on"}, follow=True))


def test_a_taken_subject_is_said_beside_its_field(home: Household, town: Memory) -> None:
    sent = {"label": "Where", "value": "Faro", "category": "ordinary", "subject": "home.town"}
    refused = browser(home.holder).post("/file/add", sent)
    assert refused.status_code == 409
    assert "Another memory stands under this subject" in text_of(refused)


def test_going_back_twice_by_a_double_press_goes_back_once(home: Household, town: Memory) -> None:
    client = browser(home.holder)
    sent = {"if_version": "2"}
    assert "what it said before" in text_of(client.post(path(town, "revert"), sent, follow=True))
    assert "changed while you were looking" in text_of(client.post(path(town, "revert"), sent, follow=True))
    assert says(home, town) == "Leeds"


def test_what_it_said_before_is_shown_by_a_press_stamped_and_taken_back(home: Household, town: Memory) -> None:
    client = browser(home.holder)
    before = last_seq(home.holder)
    shown = text_of(client.post(path(town, "before"), {"version": "1"}))
    assert "Leeds" in shown
    assert last_seq(home.holder) == before + 1
    assert f"/receipts/rcp_{before + 1}" in shown
    sent = {"version": "1", "if_version": "2", "changed": "changed", "why": "Back home"}
    page = text_of(client.post(path(town, "reaffirm"), sent, follow=True))
    assert "Taken back, on purpose." in page
    assert "Back home" in page
    assert says(home, town) == "Leeds"
    lines = memories.history(home.holder, town.memory_id)
    assert [each.ended_as and each.ended_as.value for each in lines] == [None, "changed", "changed"]


def test_what_still_holds_gets_no_new_version(home: Household, town: Memory) -> None:
    sent = {"version": "2", "if_version": "2"}
    page = text_of(browser(home.holder).post(path(town, "reaffirm"), sent, follow=True))
    assert "It still holds." in page
    assert len(memories.history(home.holder, town.memory_id)) == 2


@pytest.mark.parametrize(
    ("deed", "sent"),
    [
        ("before", {}),
        ("before", {"version": "x"}),
        ("before", {"version": "9"}),
        ("revert", {}),
        ("reaffirm", {"version": "1"}),
        ("reaffirm", {"version": "9", "if_version": "2"}),
    ],
)
def test_a_version_there_is_none_of_is_not_found(home: Household, town: Memory, deed: str, sent: Any) -> None:
    assert browser(home.holder).post(path(town, deed), sent).status_code == 404
    assert says(home, town) == "Porto"


def test_told_late_it_joins_the_history_alone(home: Household, town: Memory) -> None:
    day = (utc_now() - timedelta(days=400)).date().isoformat()
    sent = correcting(town, "Braga", changed="changed", valid_from=day, valid_to=day)
    page = text_of(browser(home.holder).post(path(town, "correct"), sent, follow=True))
    assert "Added to its history. What is kept now stays." in page
    assert "told late" in page
    assert says(home, town) == "Porto"


def test_an_end_before_its_start_is_said_beside_the_field(home: Household, town: Memory) -> None:
    sent = correcting(town, "Braga", valid_from="2026-05-01", valid_to="2026-04-01")
    refused = browser(home.holder).post(path(town, "correct"), sent)
    assert refused.status_code == 400
    assert "It ends before it begins" in text_of(refused)
    assert "Braga" in text_of(refused)


def test_sort_weight_home_and_subject(home: Household, town: Memory) -> None:
    client = browser(home.holder)
    page = text_of(
        client.post(path(town, "mark"), {"sort": "episodic", "weight": "80", "local_only": "on"}, follow=True)
    )
    assert "Something that happened, weight 80, stays at home" in page
    assert client.post(path(town, "mark"), {"sort": "episodic", "weight": "101"}).status_code == 400
    assert "It stands there now." in text_of(client.post(path(town, "rescope"), {"subject": "born.in"}, follow=True))
    bad = client.post(path(town, "rescope"), {"subject": "Born In"})
    assert (bad.status_code, "dotted path" in text_of(bad)) == (400, True)
    found = memories.memory(home.holder, town.memory_id)
    assert found is not None
    assert (found.subject, found.weight, found.kind.value, found.local_only) == ("born.in", 80, "episodic", True)


def test_the_file_on_another_day_and_by_rank(home: Household, town: Memory) -> None:
    client = browser(home.holder)
    today, before = utc_now().date(), utc_now().date() - timedelta(days=30)
    now = text_of(client.get(f"/file/then?as_of={today}"))
    assert "Home town" in now
    assert "version 2" in now
    assert "Nothing is known of that day." in text_of(client.get(f"/file/then?as_of={before}"))
    wrong = client.get("/file/then?true_at=yesterday")
    assert (wrong.status_code, "Write a day" in text_of(wrong)) == (400, True)
    memories.mark(home.holder, town.memory_id, utc_now(), weight=100)
    page = text_of(client.get("/file?order=rank"))
    assert re.findall(r'<b><a href="[^"]+">([^<]+)</a></b>', page.partition("By rank")[2])[0] == "Home town"


def test_what_is_over_is_worth_another_look(home: Household) -> None:
    day = (utc_now() - timedelta(days=3)).date().isoformat()
    memories.add(home.holder, label="Gym pass", value="Card 7", valid_to=day, now=utc_now())
    page = text_of(browser(home.holder).get("/file"))
    assert "Worth another look" in page
    assert "by its own word this is over" in page


def test_who_may_only_look_is_offered_no_way_back(home: Household, town: Memory) -> None:
    seat = acting(home.holder, newcomer("Rosa"), level=Level.VIEW)
    client = browser(seat)
    session = client.session
    session["seat"] = seat.vault_id.hex
    session.save()
    page = text_of(client.get(path(town)))
    assert "Version 1" in page
    assert "Go back" not in page
    assert "It still holds" not in page
    for deed in ("revert", "before", "reaffirm", "mark", "rescope", "resolve"):
        sent = {"seat": f"vlt_{seat.vault_id.hex}", "version": "1", "if_version": "2", "subject": "x", "weight": "1"}
        assert client.post(path(town, deed), sent).status_code in (403, 404)
