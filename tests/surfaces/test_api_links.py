"""Entities, edges, merges and provenance from the outside: what the documents say, over REST."""

from typing import Any

import pytest

from apps.policy.ids import typed
from tests.drivers import Http
from tests.fixtures import VALUES, Household
from tests.holders.people import acting, newcomer


@pytest.fixture
def holder(home: Household) -> Http:
    return Http(holder=home.holder)


def entity(holder: Http, name: str, kind: str = "person") -> str:
    made: str = holder.call("POST", "entities", {"kind": kind, "name": name})["id"]
    return made


def edge(holder: Http, kind: str, start: str, end: str, **more: str) -> Any:
    return holder.call("POST", "edges", {"kind": kind, "from": start, "to": end, **more})


def test_a_memory_is_about_somebody_from_a_day_to_a_day(home: Household, holder: Http) -> None:
    anna = entity(holder, "Anna")
    drawn = edge(holder, "about", home.time, anna, valid_from="2024-02-01")
    assert (drawn["from"], drawn["to"], drawn["valid_from"]) == (home.time, anna, "2024-02-01")
    assert edge(holder, "about", home.time, anna)["id"] == drawn["id"], "found, not doubled"
    ended = holder.call("POST", f"edges/{drawn['id']}/end", {"valid_to": "2025-03-01"})
    assert ended["ended_at"] and ended["valid_to"] == "2025-03-01"
    (link,) = holder.call("GET", f"edges?of={home.time}")["edges"]
    assert (link["outward"], link["other"], link["name"], link["gone"]) == (True, anna, "Anna", False)
    (back,) = holder.call("GET", f"edges?of={anna}")["edges"]
    assert (back["outward"], back["other"], back["edge"]) == (False, home.time, ended)


def test_two_that_are_one_are_merged_and_parted(home: Household, holder: Http) -> None:
    anna, anne = entity(holder, "Anna"), entity(holder, "Anne")
    done = holder.call("POST", "merges", {"kept": anna, "merged": anne})
    (known,) = holder.call("GET", "entities")["items"]
    assert (known["entity"]["id"], known["also"]) == (anna, ["Anne"])
    assert holder.call("GET", f"entities/{anne}")["merged_into"] == anna
    assert holder.call("POST", f"merges/{done['id']}/part")["undone_at"]
    assert len(holder.call("GET", "entities")["items"]) == 2
    assert holder.call("POST", f"merges/{done['id']}/part").code == "not-found"


def test_a_merged_memory_is_offered_to_nobody_until_it_is_parted(home: Household, holder: Http) -> None:
    client = Http(home.key)
    done = holder.call("POST", "merges", {"kept": home.kitchen, "merged": home.time})
    assert home.time not in str(client.call("GET", "subjects"))
    assert holder.call("GET", f"memories/{home.time}")["state"] == "merged"
    holder.call("POST", f"merges/{done['id']}/part")
    assert home.time in str(client.call("GET", "subjects"))


@pytest.mark.parametrize(
    ("path", "body", "pointer"),
    [
        ("edges", {"kind": "about", "from": "mem_1", "to": "mem_2"}, "/from"),
        ("edges", {"kind": "likes", "from": "KITCHEN", "to": "TIME"}, "/kind"),
        ("edges", {"kind": "about", "from": "KITCHEN", "to": "TIME"}, "/kind"),
        ("edges", {"kind": "contradicts", "from": "KITCHEN", "to": "KITCHEN"}, "/to"),
        ("edges", {"kind": "contradicts", "from": "KITCHEN", "to": "TIME", "valid_from": "yesterday"}, "/valid_from"),
        ("entities", {"kind": "dog", "name": "Rex"}, "/kind"),
        ("entities", {"kind": "thing", "name": "a\nb"}, "/name"),
        ("entities", {"kind": "thing", "name": ""}, "/name"),
        ("merges", {"kept": "KITCHEN", "merged": "KITCHEN"}, "/merged"),
        ("merges", {"kept": "KITCHEN", "merged": "ent_" + "0" * 32}, ""),
    ],
)
def test_bad_input_is_named(home: Household, holder: Http, path: str, body: dict[str, str], pointer: str) -> None:
    known = {"KITCHEN": home.kitchen, "TIME": home.time}
    no = holder.send("POST", path, {name: known.get(each, each) for name, each in body.items()})
    assert (no.status_code, no.json()["code"]) == (422, "validation")
    assert [each["pointer"] for each in no.json()["errors"]] == (["/from", "/to"] if pointer == "/from" else [pointer])
    assert holder.call("GET", f"edges?of={home.kitchen}")["edges"] == []


def test_a_client_learns_nothing_of_any_of_it(home: Household, holder: Http) -> None:
    anna = entity(holder, "Anna")
    client = Http(home.key)
    for path in ("entities", f"entities/{anna}", f"edges?of={anna}", "merges", f"memories/{home.time}/provenance"):
        assert client.send("GET", path).status_code == 403


def test_provenance_is_one_answer_without_a_value(home: Household, holder: Http) -> None:
    home.as_client().ask([home.kitchen])
    edge(holder, "derived_from", home.kitchen, home.time)
    holder.call("PATCH", f"memories/{home.kitchen}", {"value": "Two pans", "why": "Sold one"}, **{"If-Match": "*"})
    found = holder.call("GET", f"memories/{home.kitchen}/provenance")
    assert list(found) == [
        *("memory", "since", "said_by", "said_by_name", "kept_by", "attested", "lineage", "edges", "merges", "history"),
        *("recipients", "integrity", "limits"),
    ]
    assert [each["version"]["ended_as"] for each in found["history"]] == [None, "wrong"]
    assert [each["other"] for each in found["lineage"]["made_from"]] == [home.time]
    assert found["integrity"]["content"] == "not-checked" and found["integrity"]["chain"]["holds"] is True
    assert found["limits"] and not [value for value in (*VALUES, "Two pans") if value in str(found)]

    looked = holder.call("POST", f"memories/{home.kitchen}/provenance")
    assert looked["integrity"]["content"] == "matches"
    assert holder.call("GET", "receipts?kind=value.shown")["items"]


def test_whoever_acts_is_given_no_opening(home: Household) -> None:
    rosa = Http(holder=acting(home.holder, newcomer("Rosa")))
    seat = {"Muniment_Seat": typed("vlt", home.holder.vault_id)}
    assert rosa.call("GET", f"memories/{home.kitchen}/provenance", **seat)["integrity"]["log"] is None
    assert rosa.call("POST", f"memories/{home.kitchen}/provenance", **seat).code == "not-yours-to-decide"
