"""The six tools, over the official client, in both protocol eras."""

import pytest

from tests.fixtures import KITCHEN, Household

ERAS = ["2026-07-28", "legacy"]


@pytest.mark.parametrize("era", ERAS)
def test_ask_decide_read_cite(home: Household, server: str, era: str) -> None:
    client, holder = home.as_mcp(server, era), home.as_holder()
    assert {each.label for each in client.subjects()} == {"Kitchen equipment", "Cooking time", "Grocery budget"}
    wish = client.ask([home.kitchen, home.budget])
    assert wish.status == "pending"
    assert holder.decide(wish.request, {"ordinary": [home.kitchen, home.budget]}) == "granted"
    assert client.check(wish.request).status == "granted"
    read = client.read([home.kitchen, home.budget, home.time])
    assert read.values == {home.kitchen: KITCHEN, home.budget: None}
    assert read.withheld == {home.time: "grant-required"}
    assert client.receipt(read.receipt).kind == "value.read"
