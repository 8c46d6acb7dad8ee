"""From the outside, over REST: what is told from a day to come waits for it, says so, and is taken back or undone."""

from datetime import timedelta
from typing import Any

import pytest

from tests.drivers import Http, No
from tests.fixtures import TIME, Household
from vault.clock import utc_now


@pytest.fixture
def mine(home: Household) -> Http:
    return Http(holder=home.holder)


@pytest.fixture
def day() -> str:
    """A day that is far."""
    return (utc_now() + timedelta(days=90)).date().isoformat()


def change(mine: Http, memory: str, **wish: Any) -> Any:
    return mine.call("PATCH", f"memories/{memory}", wish, If_Match="*")


def says(mine: Http, memory: str) -> str:
    (shown,) = mine.call("POST", "memories/show", {"memories": [memory]})["values"]
    return str(shown["value"])


def lines(mine: Http, memory: str) -> list[tuple[int, str | None]]:
    told = mine.call("GET", f"memories/{memory}/history")["versions"]
    return [(each["version"], each["ended_as"]) for each in told]


def test_until_its_day_the_file_says_what_is_true_now(home: Household, mine: Http, day: str) -> None:
    told = change(mine, home.time, value="An hour", valid_from=day)
    assert (told["version"], told["holds"]) == (1, True)
    assert says(mine, home.time) == TIME
    newest = mine.call("GET", f"memories/{home.time}/history")["versions"][0]
    assert (newest["ended_as"], newest["valid_from"]) == ("waiting", day)
    assert newest["holds_from"].startswith(day)
    looked = mine.call("POST", "memories/show", {"versions": [{"memory": home.time, "version": 2}]})
    assert [each["value"] for each in looked["values"]] == ["An hour"]
    (line,) = mine.call("GET", "receipts?kind=memory.postdated")["items"]
    assert (line["memory"], line["version"]) == (home.time, 2)
    then = {each["id"]: each["version"] for each in mine.call("GET", f"memories?true_at={day}&limit=200")["items"]}
    assert then[home.time] == 2
    history = mine.call("GET", f"memories/{home.time}/provenance")["history"]
    assert [each["version"]["ended_as"] for each in history] == ["waiting", None]


def test_it_is_taken_back_by_its_number_and_once(home: Household, mine: Http, day: str) -> None:
    change(mine, home.time, value="An hour", valid_from=day)
    path = f"memories/{home.time}/cancel"
    assert mine.call("POST", path, {"version": 2}) == No("precondition-required", 428)
    assert mine.call("POST", path, {"version": 1}, If_Match="*") == No("not-found", 404)
    assert mine.call("POST", path, {"version": 2}, If_Match="*")["version"] == 1
    assert mine.call("POST", path, {"version": 2}, If_Match="*") == No("not-found", 404)
    assert lines(mine, home.time) == [(2, "cancelled"), (1, None)]
    assert Http(home.key).send("POST", path, {"version": 2}).status_code == 403


def test_what_is_over_is_offered_to_nobody_and_says_so(home: Household, mine: Http) -> None:
    yesterday = (utc_now() - timedelta(days=2)).date().isoformat()
    wish = {"label": "Trip", "subject": "trip", "value": "Rome", "valid_to": yesterday}
    kept = mine.call("POST", "memories", wish)
    assert kept["holds"] is False
    assert kept["id"] not in str(Http(home.key).call("GET", "subjects?limit=200"))
    assert home.as_client().ask([kept["id"]]) == No("not-found", 404)
    assert says(mine, kept["id"]) == "Rome"
    assert kept["id"] in str(mine.call("GET", "memories?list=worth-another-look"))


def test_undo_says_what_was_approved_on_top_and_goes_back_to_the_first_state(home: Household, mine: Http) -> None:
    made = []
    for value in ("Forty minutes", "An hour"):
        wish = {"directive": "correct", "target": home.time, "value": value, "derived_from": []}
        made.append(Http(home.key).call("POST", "proposals", wish)["id"])
        mine.call("POST", f"proposals/{made[-1]}/decision", {"decision": "approve"})
    older, newer = ({"proposal": each} for each in made)
    told = mine.send("POST", "proposals/undo", older).json()
    assert (told["status"], told["code"]) == (409, "undo-later-first")
    assert "Undo that one first" in told["detail"]
    for each in (newer, older):
        assert mine.call("POST", "proposals/undo", each)["items"][0]["outcome"] == "applied"
    assert says(mine, home.time) == TIME
    assert mine.call("POST", "proposals/undo", older) == No("already-decided", 409)


def test_what_is_gone_back_to_has_its_days_again(home: Household, mine: Http, day: str) -> None:
    change(mine, home.time, value="An hour", valid_from="2024-01-01", valid_to=day)
    change(mine, home.time, value="Forty minutes")
    mine.call("POST", f"memories/{home.time}/revert", {}, If_Match="*")
    newest = mine.call("GET", f"memories/{home.time}/history")["versions"][0]
    assert (newest["restored_from"], newest["valid_from"], newest["valid_to"]) == (2, "2024-01-01", day)
