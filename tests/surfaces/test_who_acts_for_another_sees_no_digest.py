"""Who acts for somebody sees the lines they may see, and no digest: null, never half of one; the surface says so."""

from apps.policy.ids import typed
from tests.drivers import Http
from tests.fixtures import Household
from tests.holders.people import acting, newcomer


def test_there_is_none_or_a_whole_one(home: Household) -> None:
    rosa = acting(home.holder, newcomer("Rosa"))
    own = Http(holder=home.holder).send("GET", "receipts").json()["items"]
    seat = {"Muniment-Seat": typed("vlt", home.holder.vault_id)}
    hers = Http(holder=rosa).send("GET", "receipts", **seat).json()["items"]
    assert own and all(each["digest"].startswith("sha256:") and len(each["digest"]) == 71 for each in own)
    assert hers and {each[name] for each in hers for name in ("digest", "chain_hash")} == {None}


def test_the_description_says_that_it_may_be_null(home: Household) -> None:
    shapes = Http(holder=home.holder).send("GET", "openapi.json").json()["components"]["schemas"].values()
    lines = {"digest", "chain_hash", "on_behalf_of"}
    (shape,) = [each["properties"] for each in shapes if lines <= each.get("properties", {}).keys()]
    for name in ("digest", "chain_hash"):
        assert shape[name].get("nullable") or "null" in shape[name]["type"], shape[name]
