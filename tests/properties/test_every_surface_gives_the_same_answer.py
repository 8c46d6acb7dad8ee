"""Every surface gives the same answer: what is handed over, what is withheld and why does not depend on the road taken.

Protects the holder from a rule that was kept in one place and forgotten in another.
"""

from collections.abc import Callable
from typing import Any

import pytest

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.vocabulary import Purpose
from tests.cast import Assistant, Vault, canary, give, new_vault, register
from tests.drivers import ClientDriver, No, Read
from tests.properties.conftest import INSIDE, REST, Surface, over_mcp
from vault.clock import utc_now

Scenario = Callable[[Vault, Assistant, ClientDriver], list[Any]]
NEVER = "mem_" + "0" * 31 + "1"


def nothing_granted(alice: Vault, cook: Assistant, client: ClientDriver) -> list[Any]:
    return [client.read([alice.mem("kitchen"), alice.mem("pills"), alice.mem("diary"), NEVER])]


def an_ordinary_grant(alice: Vault, cook: Assistant, client: ClientDriver) -> list[Any]:
    give(cook, "kitchen", "time", "budget", reads=2)
    wanted = [alice.mem(name) for name in ("time", "kitchen", "budget", "dislikes")]
    return [client.read(wanted), client.read(wanted), client.read(wanted)]


def a_special_one_in_company_and_alone(alice: Vault, cook: Assistant, client: ClientDriver) -> list[Any]:
    give(cook, "kitchen")
    give(cook, "pills")
    together = [alice.mem("kitchen"), alice.mem("pills")]
    return [client.read(together), client.read(together[1:]), client.subjects()]


def two_grants_in_one_read(alice: Vault, cook: Assistant, client: ClientDriver) -> list[Any]:
    give(cook, "kitchen")
    give(cook, "time")
    wanted = [alice.mem("kitchen"), alice.mem("time"), NEVER]
    return [client.read(wanted, key="twice-the-same"), client.read(wanted, key="twice-the-same")]


def another_purpose(alice: Vault, cook: Assistant, client: ClientDriver) -> list[Any]:
    give(cook, "kitchen", purpose=Purpose.TRAVEL)
    wanted = [alice.mem("kitchen")]
    return [client.read(wanted), client.read(wanted, purpose="travel")]


def the_same_key_for_something_else(alice: Vault, cook: Assistant, client: ClientDriver) -> list[Any]:
    give(cook, "kitchen", "time")
    return [
        client.read([alice.mem("kitchen")], key="one-key-twice"),
        client.read([alice.mem("time")], key="one-key-twice"),
    ]


def asking(alice: Vault, cook: Assistant, client: ClientDriver) -> list[Any]:
    return [
        client.ask([alice.mem("kitchen")], ["health"]),
        client.ask([alice.mem("kitchen")], ["health"]),
        client.ask([alice.mem("pills")]),
        client.ask([alice.mem("diary")]),
        client.ask([NEVER]),
        client.ask([alice.mem("time"), NEVER]),
    ]


def a_denial_and_its_cool_down(alice: Vault, cook: Assistant, client: ClientDriver) -> list[Any]:
    wish = client.ask([alice.mem("kitchen")])
    assert wish
    (filed,) = access.waiting(alice.holder, utc_now())
    access.decide(alice.holder, filed.request_id, {filed.parts[0].part.category: access.NO}, utc_now())
    return [client.check(wish.request), client.read([alice.mem("kitchen")]), client.ask([alice.mem("kitchen")])]


def a_pause_and_its_end(alice: Vault, cook: Assistant, client: ClientDriver) -> list[Any]:
    give(cook, "kitchen")
    access.pause(alice.holder, cook.client.client_id, True)
    paused = client.read([alice.mem("kitchen")])
    access.pause(alice.holder, cook.client.client_id, False)
    return [paused, client.read([alice.mem("kitchen")])]


def proposing(alice: Vault, cook: Assistant, client: ClientDriver) -> list[Any]:
    first = client.propose("City", "Porto")
    assert first
    (waiting,) = memories.proposals(alice.holder)
    memories.reject(alice.holder, waiting.proposal_id, utc_now())
    return [
        first,
        client.propose("City", "Porto"),
        client.propose("City", "Porto", category="health"),
        client.propose("City", "   "),
        client.propose("City", "a\0b"),
        client.propose("City", "x" * 65_537),
        client.propose("x" * 121, "Porto"),
    ]


def receipts(alice: Vault, cook: Assistant, client: ClientDriver) -> list[Any]:
    give(cook, "kitchen")
    got = client.read([alice.mem("kitchen")])
    assert got
    holder_s = alice.receipts(kind="grant.made")[0].seq
    return [client.receipt(got.receipt), client.receipt(f"rcp_{holder_s}"), client.receipt("rcp_999999")]


def an_ended_client(alice: Vault, cook: Assistant, client: ClientDriver) -> list[Any]:
    give(cook, "kitchen")
    access.revoke(alice.holder, cook.client.client_id, utc_now())
    return [client.read([alice.mem("kitchen")]), client.subjects(), client.ask([alice.mem("kitchen")])]


SCENARIOS: list[Scenario] = [
    nothing_granted,
    an_ordinary_grant,
    a_special_one_in_company_and_alone,
    two_grants_in_one_read,
    another_purpose,
    the_same_key_for_something_else,
    asking,
    a_denial_and_its_cool_down,
    a_pause_and_its_end,
    proposing,
    receipts,
    an_ended_client,
]


def played(scenario: Scenario, road: Surface) -> list[Any]:
    """A scenario in a new vault, by this road: what was said, and what is on the record, ids replaced by names."""
    alice = new_vault("Alice")
    cook = register(alice, "Cook")
    said = scenario(alice, cook, road.client(cook))
    names = {alice.mem(name): name for name in alice.ids} | {NEVER: "never"}
    words = {value: f"value of {name}" for name, value in alice.values.items()}
    record = [
        (each.kind, each.memory_id and names.get(typed("mem", each.memory_id)), each.form, each.reason)
        for each in alice.receipts()
    ]
    return [[_plain(each, names, words) for each in said], record]


def _plain(said: Any, names: dict[str, str], words: dict[str, str]) -> Any:
    """An answer in names: without ids, status codes and wordings, which are a surface's own."""
    if isinstance(said, No):
        return said.code
    if isinstance(said, Read):
        if not said.handed and len(set(said.withheld.values())) == 1:
            return "withheld", sorted((names[each], why) for each, why in said.withheld.items())
        handed = [(names[each.memory], each.label, words.get(each.value or ""), each.claim) for each in said.handed]
        return sorted(handed), sorted((names[each], why) for each, why in said.withheld.items()), said.replayed
    if isinstance(said, tuple):
        return sorted((names[each.memory], each.label, each.category, each.attested) for each in said)
    if hasattr(said, "parts"):
        if said.status == "denied" and not said.parts:
            return "cool-down"  # on MCP a no to a request is a result and not an error, so that it is not tried again
        return said.status, dict(said.parts)
    if hasattr(said, "kind"):
        return said.kind, names.get(said.memory or ""), said.reason
    return said.status


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.__name__)
def test_it_is_the_services_answer_on_every_road(live: None, scenario: Scenario, server: str) -> None:
    inside = played(scenario, INSIDE)
    assert inside[0], "the scenario says something"
    for road in (REST, over_mcp(server)):
        assert played(scenario, road) == inside, road.name


def test_what_the_holder_adds_and_looks_at_is_the_same_on_every_road(alice: Vault) -> None:
    texts = [canary(), "a\nb\t c", "caf\u00e9", "cafe\u0301", "患者对青霉素过敏", "🏥", "x" * 65_536]
    wrong = ["", "   ", "a\0b", "x" * 65_537]
    said = []
    for road in (INSIDE, REST):
        holder = road.holder(alice.holder)
        kept = [holder.add("Note", text) for text in texts]
        refused = [holder.add("Note", text) for text in wrong]
        shown = holder.show([str(each) for each in kept])
        assert shown
        said.append(([shown[str(each)] for each in kept], [each.code for each in refused if isinstance(each, No)]))
    assert said[0] == (texts, ["validation"] * 4)
    assert said[1] == said[0]
