"""Provenance over REST, whatever state a memory is in: the parts in the order in which an auditor asks, true of that
state, with no value in them; for the holder and who decides for them, and for no client.
"""

from collections.abc import Callable
from typing import Any

import pytest

from apps.access import services as access
from apps.ledger.log import act
from apps.memories import services as memories
from apps.memories import store
from apps.memories.services import merging
from apps.memories.services.erasing import erase_within
from apps.policy.ids import typed
from apps.policy.links import What
from apps.policy.types import Refused
from apps.turns import services as turns
from tests.cast import Assistant, Vault, canary, give
from tests.drivers import Http
from tests.holders.people import acting, newcomer
from vault.clock import utc_now

ORDER = [
    *("memory", "since", "said_by", "said_by_name", "kept_by", "attested", "lineage", "edges", "merges", "history"),
    *("recipients", "integrity", "limits"),
]


def correct(vault: Vault) -> None:
    vault.values["now"] = canary()
    assert memories.correct(vault.holder, vault.ids["kitchen"], value=vault.values["now"], now=utc_now())


def merge(vault: Vault) -> None:
    merging.merge(vault.holder, What.MEMORY, vault.ids["time"], vault.ids["kitchen"], utc_now())


STATES: dict[str, tuple[str, Callable[[Vault], Any], dict[str, Any]]] = {
    "living": ("kitchen", lambda vault: None, {"state": "approved", "version": 1}),
    "corrected": ("kitchen", correct, {"state": "approved", "version": 2}),
    "merged": ("kitchen", merge, {"state": "merged"}),
    "put away": ("diary", lambda vault: None, {"state": "withdrawn"}),
    "sealed": (
        "kitchen",
        lambda vault: memories.seal_from_guardians(vault.holder, vault.ids["kitchen"], utc_now()),
        {"state": "sealed-from-guardians"},
    ),
    "local only": (
        "kitchen",
        lambda vault: memories.mark(vault.holder, vault.ids["kitchen"], utc_now(), local_only=True),
        {"state": "approved", "local_only": True},
    ),
    "attested": ("budget", lambda vault: None, {"attested": True, "claim": "budget"}),
    "special": ("pills", lambda vault: None, {"category": "health", "neutral_label": "A health memory"}),
}


@pytest.mark.parametrize("state", STATES)
def test_each_part_is_there_in_its_order_and_true(alice: Vault, cook: Assistant, state: str) -> None:
    name, deed, expected = STATES[state]
    if name != "diary":
        give(cook, name)
        cook.read(name)
    assert not isinstance(deed(alice), Refused)
    response = Http(holder=alice.holder).send("GET", f"memories/{alice.mem(name)}/provenance")
    found = response.json()
    assert list(found) == ORDER
    assert {key: found["memory"][key] for key in expected} == expected
    assert found["said_by"] == alice.holder.actor
    assert found["attested"] == ({"claim": "budget", "by": alice.holder.actor} if state == "attested" else None)
    assert [each["kept"] for each in found["history"]] == [True] * found["memory"]["version"]
    assert [each["kept"] for each in found["merges"]] == ([alice.mem("time")] if state == "merged" else [])
    handed = [(each["recipient"], each["name"], each["values"]) for each in found["recipients"]]
    assert handed == ([] if name == "diary" else [(cook.actor, "Cook", state != "attested")])
    assert found["integrity"]["content"] == "not-checked" and found["integrity"]["chain"]["holds"] is True
    assert len(found["limits"]) == 6
    assert not [each for each in alice.values.values() if each in response.content.decode()], "no value is in it"


@pytest.mark.parametrize("state", STATES)
def test_the_holder_has_the_value_compared_and_it_is_still_not_in_it(alice: Vault, state: str) -> None:
    name, deed, _ = STATES[state]
    deed(alice)
    response = Http(holder=alice.holder).send("POST", f"memories/{alice.mem(name)}/provenance")
    assert response.json()["integrity"]["content"] == "matches"
    assert not [each for each in alice.values.values() if each in response.content.decode()]
    assert len(alice.receipts(kind="value.shown")) == 1


def test_what_was_erased_is_as_unknown_as_what_never_was(alice: Vault) -> None:
    with act(alice.id, alice.holder.actor) as erasing:
        gone = store.memory(alice.id, alice.ids["kitchen"])
        assert gone is not None
        erase_within(erasing, [gone], utc_now())
    for method in ("GET", "POST"):
        for each in (alice.mem("kitchen"), f"mem_{'0' * 32}"):
            assert Http(holder=alice.holder).call(method, f"memories/{each}/provenance").code == "not-found"


def test_who_acts_for_the_holder_sees_the_same_parts_but_for_what_is_sealed(alice: Vault) -> None:
    rosa = acting(alice.holder, newcomer("Rosa"))
    memories.seal_from_guardians(alice.holder, alice.ids["time"], utc_now())
    http, seat = Http(holder=rosa), {"Muniment_Seat": typed("vlt", alice.id)}
    assert list(http.call("GET", f"memories/{alice.mem('kitchen')}/provenance", **seat)) == ORDER
    assert turns.provenance(rosa, alice.ids["time"]) is None
    assert http.call("GET", f"memories/{alice.mem('time')}/provenance", **seat).code == "not-found"


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_client_gets_one_answer_whatever_it_was_given(alice: Vault, cook: Assistant, method: str) -> None:
    give(cook, "kitchen")
    cook.read("kitchen")
    names = [*(alice.mem(each) for each in ("kitchen", "time", "pills", "diary")), f"mem_{'0' * 32}"]
    got = {Http(cook.key).call(method, f"memories/{each}/provenance") for each in names}
    assert len(got) == 1 and not next(iter(got))
    assert access.own_grants(cook.caller), "what it may see of it is the `provenance` and the receipt of its own read"
    (released,) = cook.read("kitchen").released
    assert released.memory.source == "holder" and released.handed.seq
