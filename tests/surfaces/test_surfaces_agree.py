"""The same deeds on every surface, by one vocabulary: what one surface does, another sees."""

import re
from collections.abc import Callable

from apps.memories import services as memories
from tests.drivers import ClientDriver, HolderDriver, Http
from tests.fixtures import KITCHEN, TIME, VALUES, Household
from tests.surfaces.web import browser, text_of

QUESTION = "Which kitchen equipment do I have?"


def test_the_holder_decides_and_the_client_reads(
    home: Household,
    as_client: Callable[[Household], ClientDriver],
    as_holder: Callable[[Household], HolderDriver],
) -> None:
    client, holder = as_client(home), as_holder(home)
    wish = client.ask([home.kitchen, home.time], ["health"])
    assert wish.parts == {"ordinary": "pending", "special:health": "pending"}
    assert holder.decide(wish.request, {"ordinary": [home.kitchen], "special:health": []})
    assert client.check(wish.request).parts == {"ordinary": "partly_granted", "special:health": "denied"}
    read = client.read([home.kitchen, home.time, home.insulin])
    assert read.values == {home.kitchen: KITCHEN}
    assert read.withheld == {home.time: "grant-required", home.insulin: "not-found"}
    assert client.read([home.kitchen]).withheld == {home.kitchen: "grant-spent"}


def test_the_holder_keeps_shows_and_approves(
    home: Household,
    as_client: Callable[[Household], ClientDriver],
    as_holder: Callable[[Household], HolderDriver],
) -> None:
    client, holder = as_client(home), as_holder(home)
    kept = holder.add("Bicycle", "A blue one")
    assert holder.show([kept, home.time]) == {kept: "A blue one", home.time: TIME}
    assert "Bicycle" in {each.label for each in client.subjects()}
    made = client.propose("Spices", "Cumin & salt")
    assert "Spices" not in {each.label for each in client.subjects()}
    assert holder.approve(made.proposal)
    (spices,) = [each.memory for each in client.subjects() if each.label == "Spices"]
    assert holder.show([spices]) == {spices: "Cumin & salt"}


def test_a_turn_is_asked_decided_and_answered_again(
    home: Household, as_holder: Callable[[Household], HolderDriver]
) -> None:
    holder = as_holder(home)
    asked = holder.ask_turn(QUESTION)
    assert asked.status == "offered"
    assert home.kitchen in asked.offered
    assert not any(value in asked.answer for value in VALUES)
    answered = holder.decide_turn(asked.turn, [home.kitchen])
    assert answered.status == "answered"
    assert KITCHEN in answered.answer
    again = holder.without(asked.turn, home.kitchen)
    assert again.turn != asked.turn
    assert KITCHEN not in again.answer


def test_the_page_chooses_beforehand_what_the_rest_of_them_take_where_nothing_is_said(home: Household) -> None:
    Http(holder=home.holder).call("POST", "memories", {"label": "Tea", "value": "Green"})
    (said,) = [each for each in memories.memories(home.holder) if each.label == "Tea"]
    page = text_of(browser(home.holder).get("/file/add"))
    chosen = re.findall(
        r'<option value="([a-z]+)" selected>', page.partition('name="sort"')[2].partition("</select>")[0]
    )
    assert chosen == [said.kind.value]
