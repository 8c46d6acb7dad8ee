"""A client that checks a text is told of what a live grant of its covers and of nothing else: the answer, and what it
costs, are the same whatever the file holds beside that.
"""

import itertools
import secrets
from typing import Any

import pytest
from django.db import connections
from django.test.utils import CaptureQueriesContext

from tests.drivers import Http
from tests.fixtures import Household
from tests.surfaces.test_a_text_is_checked import by_client, by_holder, keep, places

TEXT = "From Leeds, by way of Braga, to the old_api; twelve units at noon."


def given(home: Household, *memories: str) -> None:
    wish = home.as_client().ask(list(memories))
    home.as_holder().decide(wish.request, {"ordinary": list(memories)}, reads=None)


def change(home: Household, memory: str, **what: Any) -> None:
    assert Http(holder=home.holder).call("PATCH", f"memories/{memory}", what, If_Match="*")


@pytest.mark.parametrize("what", [{"state": "sealed-from-guardians"}, {"state": "withdrawn"}, {"local_only": True}])
def test_what_the_grant_covers_and_is_not_offered_is_told_to_no_client(home: Household, what: dict[str, Any]) -> None:
    town = keep(home, "home.town", "Leeds", "Porto")
    given(home, town)
    assert places(by_client(home, TEXT)) == [(0, 1, 6, "leeds")]
    change(home, town, **what)
    assert by_client(home, TEXT)["finds"] == [] == by_client(home, TEXT)["values"]
    assert by_holder(home, TEXT)["finds"], "the holder is told as ever"


def test_what_is_so_instead_and_stays_at_home_takes_the_find_along(home: Household) -> None:
    """A symbol of a chain whose living one is local only: that there is one is not told either."""
    old, new = keep(home, "symbol.old_api", "old_api", "new_api"), keep(home, "symbol.new_api", "new_api", "newest_api")
    given(home, old, new)
    assert [each["value"] for each in by_client(home, TEXT)["values"]] == ["newest_api"]
    change(home, new, local_only=True)
    assert [each["value"] for each in by_client(home, TEXT)["values"]] == ["new_api"], "as if the other were not there"
    change(home, old, local_only=True)
    assert by_client(home, TEXT)["finds"] == []


def test_a_chain_is_followed_to_the_living_one_and_a_circle_has_none(home: Household) -> None:
    names = [f"api_{word}" for word in ("one", "two", "three", "four", "five")]
    chain = [keep(home, f"symbol.{a}", a, b) for a, b in itertools.pairwise(names)]
    given(home, *chain)
    told = by_client(home, "api_one() and api_three()")
    assert {each["instead"] for each in told["finds"]} == {chain[-1]}
    assert [each["value"] for each in told["values"]] == ["api_five"]
    round_ = [keep(home, "symbol.a_left", "a_left", "b_right"), keep(home, "symbol.b_right", "b_right", "a_left")]
    given(home, *round_)
    assert by_client(home, "a_left and b_right")["finds"] == [], "where none is so, no read is made, and nothing told"


def test_the_longest_text_is_taken_and_one_more_character_is_not(home: Household) -> None:
    given(home, keep(home, "home.town", "Leeds", "Porto"))
    text = "in Leeds " + "x" * (256 * 1024 - 9)
    assert len(by_client(home, text)["finds"]) == 1
    assert by_client(home, text + "x").code == "validation"


def statements(home: Household, text: str) -> list[int]:
    """How many statements a check costs on each alias, once the key was used within the minute."""
    body = {"texts": [text], "purpose": "meal_planning"}
    client = Http(home.key)
    counted = []
    for alias in ("default", "gate"):
        with CaptureQueriesContext(connections[alias]) as said:
            assert client.send("POST", "check", body, Idempotency_Key=secrets.token_hex(8)).status_code == 200
        counted.append(len(said))
    return counted


@pytest.mark.parametrize("granted", [False, True])
def test_it_costs_the_same_statements_whatever_else_the_file_holds(home: Household, granted: bool) -> None:
    if granted:
        given(home, keep(home, "home.town", "Leeds", "Porto"))
    by_client(home, TEXT)
    before, told = statements(home, TEXT), by_client(home, TEXT)["finds"]
    for number in range(5):
        keep(home, f"other.town-{number}", "Leeds", f"Faro {number}")
        keep(home, f"other.place-{number}", "Braga", f"Faro {number}")
    keep(home, "symbol.old_api", "old_api", "new_api")
    keep(home, "pills", "twelve units at noon", "ten units at noon", category="health")
    change(home, keep(home, "hidden.town", "Leeds", "Evora"), state="sealed-from-guardians")
    assert statements(home, TEXT) == before
    assert by_client(home, TEXT)["finds"] == told
