"""A memory's history, from the outside, over REST: every version with who, when and why, each deed with the state that
was before it, and nothing that never was.
"""

from typing import Any

import pytest

from apps.policy.ids import typed
from tests.drivers import Http, No
from tests.fixtures import Household


class Town:
    """A memory that was put right, changed, corrected by a suggestion approved in other words, and taken back."""

    def __init__(self, home: Household) -> None:
        self.http, self.me, self.client = (
            Http(holder=home.holder),
            home.holder.actor,
            typed("cli", home.client.client_id),
        )
        made = self.http.call("POST", "memories", {"label": "Town", "subject": "home.town", "value": "Leeds"})
        self.id = made["id"]
        self.change(value="Porto", why="A slip")
        self.change(value="Faro", changed=True, why="I moved")
        wish = {"directive": "correct", "target": self.id, "value": "Braga", "derived_from": []}
        self.proposal = Http(home.key).call("POST", "proposals", wish)["id"]
        self.deed(f"proposals/{self.proposal}/decision", decision="approve", value="Aveiro")
        self.deed(f"memories/{self.id}/revert", why="It was not true")

    def deed(self, path: str, **body: Any) -> Any:
        return self.http.call("POST", path, body, If_Match="*")

    def change(self, **body: Any) -> Any:
        return self.http.call("PATCH", f"memories/{self.id}", body, If_Match="*")

    def history(self) -> Any:
        return self.http.call("GET", f"memories/{self.id}/history")["versions"]

    def values(self) -> dict[int, str]:
        wanted = [{"memory": self.id, "version": each["version"]} for each in self.history()]
        return {
            each["version"]: each["value"]
            for each in self.http.call("POST", "memories/show", {"versions": wanted})["values"]
        }

    def deeds(self) -> list[tuple[str, int]]:
        found = self.http.call("GET", f"receipts?memory={self.id}&limit=200")["items"]
        return [(each["kind"], each["version"]) for each in reversed(found) if each["kind"].startswith("memory.")]


@pytest.fixture
def town(home: Household) -> Town:
    return Town(home)


def test_every_version_says_how_it_ended_why_it_was_made_and_from_what(town: Town) -> None:
    told = [(each["version"], each["ended_as"], each["why"], each["restored_from"]) for each in town.history()]
    assert told == [
        (6, None, "It was not true", 3),
        (5, "proposed", "", None),
        (4, "wrong", "", None),
        (3, "wrong", "I moved", None),
        (2, "changed", "A slip", None),
        (1, "wrong", "", None),
    ]
    assert town.values() == {6: "Faro", 5: "Braga", 4: "Aveiro", 3: "Faro", 2: "Porto", 1: "Leeds"}


def test_whose_words_each_is_and_who_wrote_it_down(town: Town) -> None:
    told = {each["version"]: (each["source"], each["made_by"], each["proposal"]) for each in town.history()}
    mine = ("holder", town.me, None)
    suggested = {4: ("holder", town.me, town.proposal), 5: (town.client, town.me, town.proposal)}
    assert told == {1: mine, 2: mine, 3: mine, 6: mine} | suggested


def test_each_ends_in_the_moment_in_which_the_next_one_is_made(town: Town) -> None:
    lines = [each for each in town.history() if each["ended_as"] != "proposed"]
    assert [older["retired_at"] for older in lines[1:]] == [newer["made_at"] for newer in lines[:-1]]


def test_what_is_made_has_nothing_before_it(home: Household) -> None:
    (only,) = Http(holder=home.holder).call("GET", f"memories/{home.kitchen}/history")["versions"]
    assert (only["version"], only["ended_as"], only["retired_at"], only["restored_from"]) == (1, None, None, None)


def test_every_deed_has_its_receipt_with_the_version_that_it_made(town: Town) -> None:
    told = ["added", "corrected", "corrected", "corrected", "reverted"]
    assert town.deeds() == [(f"memory.{each}", version) for each, version in zip(told, (1, 2, 3, 4, 6), strict=True)]


def test_to_put_it_away_and_back_makes_no_version(town: Town) -> None:
    before, deeds = town.history(), town.deeds()
    assert town.change(state="withdrawn")["version"] == town.change(state="approved")["version"] == 6
    assert town.history() == before
    assert [kind for kind, _ in town.deeds()[len(deeds) :]] == ["memory.withdrawn", "memory.restored"]


def test_of_what_was_erased_the_receipts_are_left_and_no_history(town: Town) -> None:
    deeds = town.deeds()
    order = town.http.call("POST", "erasures", {"memories": [town.id], "basis": "wish"}, Idempotency_Key="erase-it")
    assert not isinstance(order, No), order
    assert town.http.call("GET", f"memories/{town.id}/history") == No("not-found", 404)
    assert town.deeds()[: len(deeds)] == deeds
    assert len(town.deeds()) == len(deeds) + 1
