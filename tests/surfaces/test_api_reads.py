"""POST /reads: values with receipts, or the reason they stay."""

from tests.fixtures import KITCHEN, Household


def test_what_was_granted_is_handed_over_with_its_receipt(home: Household) -> None:
    client, holder = home.as_client(), home.as_holder()
    wish = client.ask([home.kitchen, home.budget])
    assert wish.status == "pending"
    assert holder.decide(wish.request, {"ordinary": [home.kitchen, home.budget]}, reads=2) == "granted"
    read = client.read([home.kitchen, home.budget, home.time], "first")
    assert read.values == {home.kitchen: KITCHEN, home.budget: None}
    assert [each.claim for each in read.handed] == [None, "budget"]
    assert read.withheld == {home.time: "grant-required"}
    assert client.receipt(read.receipt).kind == "value.read"
