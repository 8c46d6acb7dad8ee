"""What clients observe, from the outside, over REST: it waits as a proposal, two of them alike reopen what is kept for
the holder to look at again, and nothing is settled but by the holder.
"""

from typing import Any

import pytest

from tests.drivers import Http, No
from tests.fixtures import Household


class Observers:
    """The holder of a memory that says Porto, and two clients, of which one was shown it."""

    def __init__(self, home: Household) -> None:
        self.http, self.one = Http(holder=home.holder), Http(home.key)
        self.two = Http(self.http.call("POST", "clients", {"name": "Planner"})["api_key"])
        body = {"label": "Town", "subject": "home.town", "value": "Leeds"}
        self.town = self.http.call("POST", "memories", body)["id"]
        self.http.call("PATCH", f"memories/{self.town}", {"value": "Porto"}, If_Match="*")

    def observe(self, by: Http, value: str) -> Any:
        return by.call("POST", "proposals", {"label": "Town", "subject": "home.town", "value": value})

    def reopened(self) -> list[str]:
        return [each["id"] for each in self.http.call("GET", "memories?list=reopened")["items"]]

    def noted(self) -> Any:
        return self.http.call("GET", f"memories/{self.town}")["reopened_at"]

    def says(self) -> str:
        (shown,) = self.http.call("POST", "memories/show", {"memories": [self.town]})["values"]
        return str(shown["value"])

    def marks(self, proposal: Any) -> set[tuple[str, str]]:
        found = self.http.call("GET", f"proposals/{proposal['id']}")["marks"]
        return {(each["kind"], each["memory"]) for each in found}


@pytest.fixture
def there(home: Household) -> Observers:
    return Observers(home)


def test_two_sources_alike_reopen_it_and_it_says_what_it_said(there: Observers) -> None:
    made = there.observe(there.one, "Faro")
    assert (made["status"], there.reopened(), there.noted()) == ("pending", [], None)
    again = there.observe(there.two, "faro")
    assert there.reopened() == [there.town] and there.noted() is not None
    assert ("conflict", there.town) in there.marks(made) & there.marks(again)
    assert there.says() == "Porto"
    (line,) = there.http.call("GET", "receipts?kind=memory.reopened")["items"]
    assert (line["memory"], line["version"], line["actor"]) == (there.town, 2, "sys_clock")


def test_one_source_however_often_reopens_nothing(there: Observers) -> None:
    for each in ("Faro", "It is Faro", "Faro, really"):
        assert there.observe(there.one, each)["status"] == "pending"
    assert there.reopened() == []


def test_a_lone_restatement_of_what_was_corrected_stays_an_echo(there: Observers) -> None:
    made = there.observe(there.one, "Leeds")
    assert ("echo", there.town) in there.marks(made)
    assert there.reopened() == []
    path = f"proposals/{made['id']}/decision"
    taken = {"decision": "approve", "replaces": there.town}
    assert there.http.call("POST", path, taken) == No("echo", 409)
    assert there.says() == "Porto"


def test_what_was_corrected_is_reopened_where_another_source_says_it_too(there: Observers) -> None:
    for each in (there.one, there.two):
        there.observe(each, "Leeds")
    assert there.reopened() == [there.town]
    assert there.says() == "Porto"


def test_the_holder_settles_it_by_leaving_it_as_it_is(there: Observers) -> None:
    for each in (there.one, there.two):
        there.observe(each, "Faro")
    assert there.reopened() == [there.town]
    settled = there.http.call("POST", f"memories/{there.town}/resolve")
    assert (settled["reopened_at"], settled["version"], there.reopened(), there.says()) == (None, 2, [], "Porto")
    (line,) = there.http.call("GET", "receipts?kind=memory.resolved")["items"]
    assert (line["memory"], line["version"]) == (there.town, 2)


def test_or_by_approving_what_they_say(there: Observers) -> None:
    made, _ = (there.observe(each, "Faro") for each in (there.one, there.two))
    assert there.reopened() == [there.town]
    taken = {"decision": "approve", "replaces": there.town}
    done = there.http.call("POST", f"proposals/{made['id']}/decision", taken)
    assert (done["memory"]["id"], done["memory"]["version"], there.reopened(), there.says()) == (
        there.town,
        3,
        [],
        "Faro",
    )


def test_no_client_is_told_of_any_of_it(there: Observers) -> None:
    for each in (there.one, there.two):
        there.observe(each, "Faro")
    assert there.reopened() == [there.town]
    for path in ("memories?list=reopened", f"memories/{there.town}"):
        assert there.one.call("GET", path) == No("holder-only", 403)
    assert there.one.call("POST", f"memories/{there.town}/resolve") == No("holder-only", 403)
    assert "reopened" not in str(there.one.call("GET", "subjects?limit=200"))
