"""Beside the memories that a client reads it is told how they stand to each other and whom they are about, as far as
its grants cover that, each with a receipt; and it may name of these what it was told, and nothing else.
"""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.access import services as access
from apps.memories import services as memories
from apps.memories.services import linking, merging, naming
from apps.policy.ids import typed
from apps.policy.links import Edge, EdgeKind, Entity, EntityKind, What
from apps.policy.types import Client, Proposal, Refused
from apps.policy.vocabulary import Category, Directive, ProposalStatus, Purpose, Refusal
from tests.cast import Assistant, Vault, canary, give
from tests.drivers import Http, McpClient
from vault.clock import utc_now


def draw(vault: Vault, kind: EdgeKind, start: UUID, end: UUID, **more: str) -> Edge:
    made = linking.draw(vault.holder, kind, start, end, utc_now(), **more)
    assert isinstance(made, Edge), made
    return made


def somebody(vault: Vault, *about: str) -> Entity:
    """A person whose name is a canary, whom these memories are about."""
    person = naming.name(vault.holder, EntityKind.PERSON, canary(), utc_now())
    for each in about:
        draw(vault, EdgeKind.ABOUT, vault.ids[each], person.entity_id)
    return person


def edges(read: Any) -> list[UUID]:
    return [each.edge_id for each, _ in read.beside.edges]


def entities(read: Any) -> list[UUID]:
    return [each.entity_id for each, _ in read.beside.entities]


def tried(by: Assistant, target: UUID, directive: Directive = Directive.RETRACT_EDGE, **more: Any) -> Any:
    return access.propose(by.caller, directive=directive, target=target, now=utc_now(), **more)


def test_it_is_told_with_ids_kinds_lifetimes_and_a_receipt_each(alice: Vault, cook: Assistant) -> None:
    edge = draw(alice, EdgeKind.RELATES_TO, alice.ids["kitchen"], alice.ids["time"], valid_from="2024-05-01")
    anna = somebody(alice, "kitchen")
    give(cook, "kitchen", "time")
    read = cook.read("kitchen")
    assert {each for each, _ in read.beside.edges} >= {edge}
    assert len(read.beside.edges) == 2 and entities(read) == [anna.entity_id]
    told = [(typed("edg", each.edge_id), seq) for each, seq in read.beside.edges]
    told += [(typed("ent", each.entity_id), seq) for each, seq in read.beside.entities]
    for name, seq in told:
        (line,) = [each for each in alice.receipts() if each.seq == seq]
        assert (line.kind, line.object) == ("edge.read" if name.startswith("edg") else "entity.read", name)
        assert (line.actor, line.recipient, line.memory_id) == (cook.actor, cook.actor, alice.ids["kitchen"])
        assert (line.purpose, line.form) == ("meal_planning", "-")


def test_an_edge_whose_other_end_no_grant_covers_is_not_told(alice: Vault, cook: Assistant) -> None:
    draw(alice, EdgeKind.RELATES_TO, alice.ids["kitchen"], alice.ids["time"])
    somebody(alice, "time")
    give(cook, "kitchen")
    before = len(alice.receipts())
    read = cook.read("kitchen")
    assert read.released and read.beside == access.Beside()
    assert len(alice.receipts()) == before + 1, "and nothing is written about it"


def test_nor_one_between_what_two_grants_cover_apart(alice: Vault, cook: Assistant) -> None:
    draw(alice, EdgeKind.RELATES_TO, alice.ids["kitchen"], alice.ids["time"])
    give(cook, "kitchen")
    give(cook, "time", purpose=Purpose.TRAVEL)
    assert edges(cook.read("kitchen")) == []


@pytest.mark.parametrize("hide", ["sealed", "put away", "local", "erased", "ended", "merged"])
def test_nor_one_to_what_is_not_offered(alice: Vault, cook: Assistant, hide: str) -> None:
    edge = draw(alice, EdgeKind.RELATES_TO, alice.ids["kitchen"], alice.ids["time"])
    give(cook, "kitchen", "time")
    time, now = alice.ids["time"], utc_now()
    deeds: dict[str, Any] = {
        "sealed": lambda: memories.seal_from_guardians(alice.holder, time, now),
        "put away": lambda: memories.put_away(alice.holder, time, now),
        "local": lambda: memories.mark(alice.holder, time, now, local_only=True),
        "erased": lambda: erase(alice, cook, time),
        "ended": lambda: linking.end(alice.holder, edge.edge_id, now),
        "merged": lambda: merging.merge(alice.holder, What.MEMORY, alice.ids["budget"], time, now),
    }
    assert edges(cook.read("kitchen")) == [edge.edge_id]
    done = deeds[hide]()
    assert not isinstance(done, Refused)
    assert edges(cook.read("kitchen")) == []


def erase(vault: Vault, by: Assistant, memory_id: UUID) -> Any:
    made = tried(by, memory_id, Directive.ERASE)
    assert isinstance(made, Proposal), made
    return memories.approve(vault.holder, made.proposal_id, now=utc_now())


def test_what_is_local_only_is_told_to_one_at_home(alice: Vault, cook: Assistant) -> None:
    edge = draw(alice, EdgeKind.RELATES_TO, alice.ids["kitchen"], alice.ids["time"])
    memories.mark(alice.holder, alice.ids["time"], utc_now(), local_only=True)
    assert isinstance(access.mark_local(alice.holder, cook.client.client_id, True), Client)
    give(cook, "kitchen", "time")
    assert edges(cook.read("kitchen")) == [edge.edge_id]


def test_a_special_category_s_go_with_it_alone(alice: Vault, cook: Assistant) -> None:
    doctor = somebody(alice, "pills")
    draw(alice, EdgeKind.RELATES_TO, alice.ids["pills"], alice.ids["kitchen"])
    give(cook, "kitchen")
    give(cook, "pills")
    assert cook.read("kitchen").beside == access.Beside()
    read = cook.read("pills")
    assert entities(read) == [doctor.entity_id]
    assert [each.kind for each, _ in read.beside.edges] == [EdgeKind.ABOUT]
    assert {each.category for each in alice.receipts(kind="entity.read")} == {Category.HEALTH.value}


def test_what_somebody_was_merged_into_is_named_only_where_that_one_is_told_too(alice: Vault, cook: Assistant) -> None:
    ana, anna = somebody(alice, "kitchen"), somebody(alice, "time")
    merging.merge(alice.holder, What.ENTITY, anna.entity_id, ana.entity_id, utc_now())
    give(cook, "kitchen")
    ((alone, _),) = cook.read("kitchen").beside.entities
    assert (alone.entity_id, alone.merged_into) == (ana.entity_id, None)
    give(cook, "kitchen", "time")
    both = {each.entity_id: each.merged_into for each, _ in cook.read("kitchen", "time").beside.entities}
    assert both == {ana.entity_id: anna.entity_id, anna.entity_id: None}


def test_what_was_refused_tells_nothing(alice: Vault, cook: Assistant) -> None:
    somebody(alice, "kitchen", "time")
    give(cook, "time", reads=1)
    cook.read("time")
    for name in ("kitchen", "time"):
        read = cook.read(name)
        assert (read.released, read.beside) == ([], access.Beside())


def test_the_same_read_again_is_told_again_with_receipts_of_its_own(alice: Vault, cook: Assistant) -> None:
    somebody(alice, "kitchen")
    give(cook, "kitchen", reads=1)
    first, again = cook.read("kitchen", key="k"), cook.read("kitchen", key="k")
    assert again.replayed and (edges(first), entities(first)) == (edges(again), entities(again)) != ([], [])
    assert len(alice.receipts(kind="entity.read")) == 2


def test_somebody_whom_two_of_them_are_about_is_told_once_with_a_line_for_each(alice: Vault, cook: Assistant) -> None:
    """So that the line of one is whole without that of the other, which may be sealed from who reads them."""
    anna = somebody(alice, "kitchen", "time")
    give(cook, "kitchen", "time")
    assert entities(cook.read("kitchen", "time")) == [anna.entity_id]
    lines = {(each.object, each.memory_id) for each in alice.receipts(kind="entity.read")}
    assert lines == {(typed("ent", anna.entity_id), alice.ids[name]) for name in ("kitchen", "time")}


# ---------------------------------------------------------------- what it may name
def test_it_may_name_what_it_was_told(alice: Vault, cook: Assistant) -> None:
    edge = draw(alice, EdgeKind.RELATES_TO, alice.ids["kitchen"], alice.ids["time"])
    ana, anna = somebody(alice, "kitchen"), somebody(alice, "kitchen")
    give(cook, "kitchen", "time")
    cook.read("kitchen")
    made = [
        tried(cook, edge.edge_id),
        tried(cook, edge.edge_id, Directive.SUPERSEDE_EDGE, other=alice.ids["dislikes"]),
        tried(cook, anna.entity_id, Directive.MERGE, other=ana.entity_id),
    ]
    assert all(isinstance(each, Proposal) for each in made), made
    done = memories.approve(alice.holder, made[2].proposal_id, now=utc_now())
    assert not isinstance(done, Refused)
    assert [each.entity.entity_id for each in naming.entities(alice.holder)] == [anna.entity_id]


@pytest.mark.parametrize("read", [False, True])
def test_what_it_was_not_told_is_as_unknown_as_what_there_is_not(alice: Vault, cook: Assistant, read: bool) -> None:
    """Between what it is shown, to what it is not, of what is sealed, another vault's: one answer."""
    ids, now = alice.ids, utc_now()
    shown = draw(alice, EdgeKind.RELATES_TO, ids["kitchen"], ids["time"])
    beyond = draw(alice, EdgeKind.RELATES_TO, ids["kitchen"], ids["pills"])
    hidden = draw(alice, EdgeKind.CONTRADICTS, ids["dislikes"], ids["budget"])
    anna = somebody(alice, "time")
    memories.seal_from_guardians(alice.holder, ids["dislikes"], now)
    give(cook, "kitchen")
    if read:
        assert edges(cook.read("kitchen")) == []
    before = memories.count_pending(alice.holder)
    answers = {tried(cook, each.edge_id) for each in (shown, beyond, hidden)} | {tried(cook, uuid4())}
    answers |= {tried(cook, ids["kitchen"]), tried(cook, anna.entity_id)}  # nor is either an edge
    assert answers == {Refused(Refusal.NOT_FOUND, "/target")}
    for unknown in (anna.entity_id, uuid4(), shown.edge_id):
        no = tried(cook, ids["kitchen"], Directive.MERGE, other=unknown)
        assert no == Refused(Refusal.NOT_FOUND, "/other")
    assert memories.count_pending(alice.holder) == before


def test_that_costs_the_same_statements_whatever_there_is(alice: Vault, cook: Assistant) -> None:
    there = draw(alice, EdgeKind.RELATES_TO, alice.ids["kitchen"], alice.ids["time"])
    tried(cook, uuid4())  # that the key was used is written once a minute
    counts = set()
    for each in (there.edge_id, uuid4()):
        with CaptureQueriesContext(connection) as said:
            tried(cook, each)
        counts.add(len(said))
    assert len(counts) == 1


def test_what_was_told_may_be_named_after_the_grant_is_over_and_the_edge_gone(alice: Vault, cook: Assistant) -> None:
    """So that the answer tells nothing new: it rests on what was told, not on what is there."""
    kept = draw(alice, EdgeKind.RELATES_TO, alice.ids["kitchen"], alice.ids["time"])
    gone = draw(alice, EdgeKind.CONTRADICTS, alice.ids["kitchen"], alice.ids["time"])
    given = give(cook, "kitchen", "time")
    cook.read("kitchen")
    linking.end(alice.holder, gone.edge_id, utc_now())
    access.revoke_grant(alice.holder, given.grant_id, utc_now() + timedelta(seconds=1))
    made = [tried(cook, each.edge_id) for each in (kept, gone)]
    made.append(tried(cook, gone.edge_id, Directive.SUPERSEDE_EDGE, other=alice.ids["dislikes"]))
    assert {each.status for each in made} == {ProposalStatus.PENDING}
    memories.catch_up(alice.id)
    assert [each.proposal_id for each in memories.proposals(alice.holder)] == [made[0].proposal_id], "nobody is asked"


def test_another_client_was_told_nothing_by_it(alice: Vault, cook: Assistant, clinic: Assistant) -> None:
    edge = draw(alice, EdgeKind.RELATES_TO, alice.ids["kitchen"], alice.ids["time"])
    give(cook, "kitchen", "time")
    cook.read("kitchen")
    assert tried(clinic, edge.edge_id) == Refused(Refusal.NOT_FOUND, "/target")


# ---------------------------------------------------------------- on the wire
def test_both_surfaces_say_the_same(alice: Vault, cook: Assistant, server: str) -> None:
    edge = draw(alice, EdgeKind.RELATES_TO, alice.ids["kitchen"], alice.ids["time"], valid_to="2030-01-01")
    anna = somebody(alice, "kitchen")
    give(cook, "kitchen", "time")
    sent = {"memories": [alice.mem("kitchen")], "purpose": "meal_planning"}
    rest = Http(cook.key).call("POST", "reads", sent, Idempotency_Key="one")
    tools = McpClient(f"{server}/mcp/{typed('vlt', alice.id)}", cook.key).call("read_memories", **sent)
    for got in (rest, tools):
        (person,) = got["entities"]
        assert person.pop("receipt").startswith("rcp_")
        known = {"id": typed("ent", anna.entity_id), "kind": "person", "name": anna.name, "merged_into": None}
        assert person == known
        (mine,) = [each for each in got["edges"] if each["kind"] == "relates_to"]
        assert mine["id"] == typed("edg", edge.edge_id)
        assert {mine["from"], mine["to"]} == {alice.mem("kitchen"), alice.mem("time")}
        assert (mine["valid_from"], mine["valid_to"], mine["made_at"][:10]) == ("", "2030-01-01", f"{edge.made_at:%F}")
        (about,) = [each for each in got["edges"] if each["kind"] == "about"]
        assert (about["from"], about["to"]) == (alice.mem("kitchen"), typed("ent", anna.entity_id))
        assert Http(cook.key).call("GET", f"receipts/{about['receipt']}")["object"] == about["id"]
