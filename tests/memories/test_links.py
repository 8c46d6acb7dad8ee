"""Entities, edges and merging: how the things of a file stand to each other, each with its receipt; no change, none."""

from uuid import uuid4

import pytest

from apps.memories import services as memories
from apps.memories.services import linking, merging, naming
from apps.policy.links import Edge, EdgeKind, Entity, EntityKind, Merge, What
from apps.policy.text import TextProblem
from apps.policy.types import Memory, Refused
from apps.policy.vocabulary import Refusal, State
from tests.cast import Vault
from vault.clock import utc_now


def named(vault: Vault, called: str = "Anna", kind: EntityKind = EntityKind.PERSON) -> Entity:
    """An entity of this vault."""
    return naming.name(vault.holder, kind, called, utc_now())


def drawn(vault: Vault, kind: EdgeKind, start: str, end: str, **more: str) -> Edge:
    """An edge between two memories by their short names."""
    made = linking.draw(vault.holder, kind, vault.ids[start], vault.ids[end], utc_now(), **more)
    assert isinstance(made, Edge), made
    return made


def merged(vault: Vault, kept: str, other: str) -> Merge:
    """Two memories that are one."""
    made = merging.merge(vault.holder, What.MEMORY, vault.ids[kept], vault.ids[other], utc_now())
    assert isinstance(made, Merge), made
    return made


# ---------------------------------------------------------------- edges
def test_an_edge_looks_from_both_its_ends(alice: Vault) -> None:
    edge = drawn(alice, EdgeKind.DERIVED_FROM, "dislikes", "time")
    (down,) = linking.edges_of(alice.holder, alice.ids["dislikes"])
    (up,) = linking.edges_of(alice.holder, alice.ids["time"])
    assert (down.edge, down.outward, up.outward) == (edge, True, False)
    assert isinstance(down.other, Memory) and down.other.memory_id == alice.ids["time"]
    assert [each.object for each in alice.receipts(kind="edge.drawn")] == [f"edg_{edge.edge_id.hex}"]


def test_the_same_edge_is_found_and_not_doubled(alice: Vault) -> None:
    first = drawn(alice, EdgeKind.CONTRADICTS, "time", "dislikes")
    assert drawn(alice, EdgeKind.CONTRADICTS, "dislikes", "time") == first, "it reads the same both ways"
    assert len(alice.receipts(kind="edge.drawn")) == 1


def test_it_has_a_lifetime_of_its_own(alice: Vault) -> None:
    edge = drawn(alice, EdgeKind.RELATES_TO, "time", "dislikes", valid_from="2024-01-01")
    ended = linking.end(alice.holder, edge.edge_id, utc_now(), valid_to="2025-06-30")
    assert isinstance(ended, Edge)
    assert (ended.valid_from, ended.valid_to, ended.ended_by) == ("2024-01-01", "2025-06-30", alice.holder.actor)
    assert linking.end(alice.holder, edge.edge_id, utc_now()) == ended, "once"
    assert len(alice.receipts(kind="edge.ended")) == 1
    (link,) = linking.edges_of(alice.holder, alice.ids["time"])
    assert link.edge == ended, "that it stood is kept"
    assert drawn(alice, EdgeKind.RELATES_TO, "time", "dislikes") != edge, "and it may stand again"


@pytest.mark.parametrize("dates", [{"valid_from": "yesterday"}, {"valid_from": "2025-01-02", "valid_to": "2025-01-01"}])
def test_its_dates_are_days_or_moments_in_their_order(alice: Vault, dates: dict[str, str]) -> None:
    with pytest.raises(TextProblem):
        drawn(alice, EdgeKind.RELATES_TO, "time", "dislikes", **dates)
    assert alice.receipts(kind="edge.drawn") == ()


def test_nothing_is_linked_to_itself(alice: Vault) -> None:
    with pytest.raises(TextProblem):
        drawn(alice, EdgeKind.CONTRADICTS, "time", "time")


def test_nothing_is_made_from_itself_however_far_around(alice: Vault) -> None:
    drawn(alice, EdgeKind.DERIVED_FROM, "kitchen", "time")
    drawn(alice, EdgeKind.DERIVED_FROM, "time", "dislikes")
    with pytest.raises(TextProblem):
        drawn(alice, EdgeKind.DERIVED_FROM, "dislikes", "kitchen")


def test_nor_by_way_of_what_was_merged(alice: Vault) -> None:
    drawn(alice, EdgeKind.DERIVED_FROM, "kitchen", "time")
    merged(alice, "dislikes", "time")
    with pytest.raises(TextProblem):
        drawn(alice, EdgeKind.DERIVED_FROM, "dislikes", "kitchen")


def test_a_link_that_ended_is_no_lineage(alice: Vault) -> None:
    edge = drawn(alice, EdgeKind.DERIVED_FROM, "kitchen", "time")
    linking.end(alice.holder, edge.edge_id, utc_now())
    assert drawn(alice, EdgeKind.DERIVED_FROM, "time", "kitchen")


@pytest.mark.parametrize("kind", EdgeKind)
def test_each_kind_joins_what_it_joins(alice: Vault, kind: EdgeKind) -> None:
    anna, house = named(alice).entity_id, named(alice, "The house", EntityKind.PLACE).entity_id
    time, dislikes = alice.ids["time"], alice.ids["dislikes"]
    fits = {
        EdgeKind.DERIVED_FROM: {(time, dislikes)},
        EdgeKind.ABOUT: {(time, anna)},
        EdgeKind.CONTRADICTS: {(time, dislikes)},
        EdgeKind.RELATES_TO: {(time, dislikes), (anna, house)},
    }[kind]
    for pair in {(time, dislikes), (time, anna), (anna, time), (anna, house)}:
        if pair in fits:
            assert isinstance(linking.draw(alice.holder, kind, *pair, utc_now()), Edge)
        else:
            with pytest.raises(TextProblem):
                linking.draw(alice.holder, kind, *pair, utc_now())


def test_what_is_another_s_is_not_there(alice: Vault, mallory: Vault) -> None:
    theirs, anna = mallory.ids["time"], named(mallory).entity_id
    edge = drawn(mallory, EdgeKind.CONTRADICTS, "time", "dislikes")
    for unknown in (theirs, anna, uuid4()):
        for pair in ((alice.ids["time"], unknown), (unknown, alice.ids["time"])):
            no = linking.draw(alice.holder, EdgeKind.RELATES_TO, *pair, utc_now())
            assert isinstance(no, Refused) and no.reason is Refusal.NOT_FOUND
        assert linking.edges_of(alice.holder, unknown) == ()
        assert naming.entity(alice.holder, unknown) is None
        assert naming.rename(alice.holder, unknown, called="Mine") == Refused(Refusal.NOT_FOUND)
    assert linking.end(alice.holder, edge.edge_id, utc_now()) == Refused(Refusal.NOT_FOUND)
    assert merging.part(alice.holder, uuid4(), utc_now()) == Refused(Refusal.NOT_FOUND)


# ---------------------------------------------------------------- entities
def test_entities_are_listed_by_name_with_how_many_memories_are_about_them(alice: Vault) -> None:
    boris, anna = named(alice, "Boris"), named(alice)
    linking.draw(alice.holder, EdgeKind.ABOUT, alice.ids["time"], anna.entity_id, utc_now())
    linking.draw(alice.holder, EdgeKind.ABOUT, alice.ids["dislikes"], anna.entity_id, utc_now())
    assert [(each.entity, each.memories) for each in naming.entities(alice.holder)] == [(anna, 2), (boris, 0)]


def test_a_name_is_put_right(alice: Vault) -> None:
    anna = named(alice, "Ana")
    new = naming.rename(alice.holder, anna.entity_id, called="Anna")
    assert isinstance(new, Entity) and new.name == "Anna"
    assert naming.rename(alice.holder, anna.entity_id, called="Anna") == new
    assert len(alice.receipts(kind="entity.named")) == 2
    with pytest.raises(TextProblem):
        naming.rename(alice.holder, anna.entity_id, called="A\nB")


def test_merged_entities_are_one_until_they_are_parted(alice: Vault) -> None:
    anna, ann = named(alice), named(alice, "Ann")
    linking.draw(alice.holder, EdgeKind.ABOUT, alice.ids["time"], ann.entity_id, utc_now())
    done = merging.merge(alice.holder, What.ENTITY, anna.entity_id, ann.entity_id, utc_now())
    assert isinstance(done, Merge)
    (known,) = naming.entities(alice.holder)
    assert (known.entity.entity_id, known.also, known.memories) == (anna.entity_id, ("Ann",), 1)
    (link,) = linking.edges_of(alice.holder, anna.entity_id)
    assert not link.outward, "what was said of Ann is said of Anna"
    (link,) = linking.edges_of(alice.holder, alice.ids["time"])
    assert isinstance(link.other, Entity) and link.other.name == "Anna"

    parted = merging.part(alice.holder, done.merge_id, utc_now())
    assert isinstance(parted, Merge) and parted.undone_at is not None
    assert [each.entity.name for each in naming.entities(alice.holder)] == ["Ann", "Anna"]
    assert linking.edges_of(alice.holder, anna.entity_id) == ()
    assert merging.part(alice.holder, done.merge_id, utc_now()) == Refused(Refusal.NOT_FOUND), "once"


def test_a_person_is_no_place(alice: Vault) -> None:
    anna, house = named(alice), named(alice, "The house", EntityKind.PLACE)
    with pytest.raises(TextProblem):
        merging.merge(alice.holder, What.ENTITY, anna.entity_id, house.entity_id, utc_now())


# ---------------------------------------------------------------- merged memories
def test_a_merged_memory_is_out_of_search_and_its_subject_is_free(alice: Vault) -> None:
    time, word = alice.ids["time"], alice.values["time"].split()[-1]
    drawn(alice, EdgeKind.DERIVED_FROM, "dislikes", "time")
    done = merged(alice, "kitchen", "time")
    gone = memories.memory(alice.holder, time)
    assert gone is not None and (gone.state, gone.merged_into) == (State.MERGED, alice.ids["kitchen"])
    assert memories.search(alice.id, alice.holder.actor, word, 10) == ()
    (link,) = linking.edges_of(alice.holder, alice.ids["dislikes"])
    assert isinstance(link.other, Memory) and link.other.memory_id == alice.ids["kitchen"], "followed to the kept one"
    (kept,) = linking.edges_of(alice.holder, alice.ids["kitchen"])
    assert kept.edge == link.edge
    (receipt,) = alice.receipts(kind="memory.merged")
    assert (receipt.memory_id, receipt.object) == (time, alice.mem("kitchen"))

    assert isinstance(merging.part(alice.holder, done.merge_id, utc_now()), Merge)
    back = memories.memory(alice.holder, time)
    assert back is not None and (back.state, back.merged_into) == (State.APPROVED, None)
    assert linking.edges_of(alice.holder, alice.ids["kitchen"]) == ()


def test_parting_is_refused_where_its_subject_is_used_by_now(alice: Vault) -> None:
    done = merged(alice, "kitchen", "time")
    alice.keep("newer", subject="cooking.time")
    assert merging.part(alice.holder, done.merge_id, utc_now()) == Refused(Refusal.SUBJECT_TAKEN)
    memories.put_away(alice.holder, alice.ids["newer"], utc_now())
    assert isinstance(merging.part(alice.holder, done.merge_id, utc_now()), Merge)


def test_only_what_is_kept_is_merged_and_only_once(alice: Vault) -> None:
    merged(alice, "kitchen", "time")
    for kept, other in (("time", "dislikes"), ("dislikes", "time"), ("kitchen", "diary"), ("diary", "kitchen")):
        no = merging.merge(alice.holder, What.MEMORY, alice.ids[kept], alice.ids[other], utc_now())
        assert isinstance(no, Refused) and no.reason is Refusal.NOT_FOUND
    with pytest.raises(TextProblem):
        merged(alice, "kitchen", "kitchen")
    assert len(alice.receipts(kind="memory.merged")) == 1


def test_it_goes_on_into_what_that_is_merged_into(alice: Vault) -> None:
    drawn(alice, EdgeKind.DERIVED_FROM, "budget", "time")
    merged(alice, "dislikes", "time")
    merged(alice, "kitchen", "dislikes")
    (link,) = linking.edges_of(alice.holder, alice.ids["budget"])
    assert isinstance(link.other, Memory) and link.other.memory_id == alice.ids["kitchen"]


def test_a_merged_memory_is_not_put_back_by_the_other_road(alice: Vault) -> None:
    merged(alice, "kitchen", "time")
    for deed in (memories.put_back, memories.put_away, memories.seal_from_guardians):
        assert deed(alice.holder, alice.ids["time"], utc_now()) == Refused(Refusal.NOT_FOUND)


def test_sealing_the_kept_one_seals_what_was_merged_into_it(alice: Vault) -> None:
    done = merged(alice, "kitchen", "time")
    memories.seal_from_guardians(alice.holder, alice.ids["kitchen"], utc_now())
    hidden = memories.memory(alice.holder, alice.ids["time"])
    assert hidden is not None and hidden.state is State.SEALED
    assert merging.part(alice.holder, done.merge_id, utc_now()) == Refused(Refusal.NOT_FOUND)
    assert memories.put_back(alice.holder, alice.ids["time"], utc_now()) == Refused(Refusal.NOT_FOUND)
    memories.put_back(alice.holder, alice.ids["kitchen"], utc_now())
    again = memories.memory(alice.holder, alice.ids["time"])
    assert again is not None and again.state is State.MERGED
