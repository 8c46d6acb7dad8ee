"""Provenance in one answer: what holds, who said it, what it was made from, what it said before, who was handed it,
what was checked of that; and no value.
"""

from typing import Any
from uuid import uuid4

import pytest

from apps.access import services as access
from apps.ledger.log import act
from apps.ledger.services import tracing
from apps.memories import services as memories
from apps.memories import store
from apps.memories.services import linking, merging, naming
from apps.memories.services.erasing import erase_within
from apps.policy.links import EdgeKind, EntityKind, What
from apps.policy.types import Memory, Refused
from apps.policy.vocabulary import Category, Ended
from apps.turns import services as turns
from tests.cast import Assistant, Vault, give
from tests.holders.people import acting, newcomer
from vault.clock import utc_now


def told(vault: Vault, name: str) -> access.Provenance:
    """The provenance of a memory by its short name."""
    found = turns.provenance(vault.holder, vault.ids[name])
    assert found is not None
    return found


def test_it_says_what_holds_and_since_when(alice: Vault) -> None:
    kitchen = alice.ids["kitchen"]
    memories.mark(alice.holder, kitchen, utc_now(), weight=80, local_only=True)
    memories.correct(alice.holder, kitchen, value="Two pans", why="I sold one", now=utc_now())
    found = told(alice, "kitchen")
    current = memories.memory(alice.holder, kitchen)
    assert found.memory == current and current is not None and current.version == 2
    assert found.since == memories.history(alice.holder, kitchen)[0].made_at
    assert (found.said_by, found.attested_by) == (alice.holder.actor, "")
    newest, first = found.history
    assert (newest.line.why, first.line.ended_as) == ("I sold one", Ended.WRONG)


def test_it_says_who_made_the_vault_confirm_it(alice: Vault) -> None:
    assert told(alice, "budget").attested_by == alice.holder.actor


def test_lineage_goes_both_ways_and_what_is_gone_is_marked(alice: Vault) -> None:
    anna = naming.name(alice.holder, EntityKind.PERSON, "Anna", utc_now())
    ids = alice.ids
    for pair in ((ids["kitchen"], ids["time"]), (ids["kitchen"], ids["budget"]), (ids["dislikes"], ids["kitchen"])):
        linking.draw(alice.holder, EdgeKind.DERIVED_FROM, *pair, utc_now())
    linking.draw(alice.holder, EdgeKind.ABOUT, ids["kitchen"], anna.entity_id, utc_now())
    now = utc_now()
    with act(alice.id, alice.holder.actor) as erasing:
        gone = store.memory(alice.id, ids["time"])
        assert gone is not None
        erase_within(erasing, [gone], now)
    found = told(alice, "kitchen")
    above = [each.other.memory_id if isinstance(each.other, Memory) else None for each in found.made_from]
    assert above == [None, ids["budget"]]
    assert [isinstance(each.other, Memory) and each.other.memory_id for each in found.made_into] == [ids["dislikes"]]
    assert [each.other for each in found.others] == [anna]


def test_it_says_what_was_merged(alice: Vault) -> None:
    done = merging.merge(alice.holder, What.MEMORY, alice.ids["kitchen"], alice.ids["time"], utc_now())
    assert told(alice, "kitchen").merges == told(alice, "time").merges == (done,)


def test_it_says_who_was_handed_it_how_often_and_for_what(alice: Vault, cook: Assistant, clinic: Assistant) -> None:
    give(cook, "kitchen")
    for _ in range(3):
        cook.read("kitchen", "time")
    give(clinic, "budget")
    clinic.read("budget")
    memories.show(alice.holder, [alice.ids["kitchen"]])
    own, hers = told(alice, "kitchen").recipients
    assert (own.recipient, own.number, own.purposes) == (alice.holder.actor, 1, ())
    assert (hers.recipient, hers.number, hers.purposes, hers.values) == (cook.actor, 3, ("meal_planning",), True)
    assert (hers.first_at < hers.last_at, hers.first_seq < hers.last_seq) == (True, True)
    (proof,) = told(alice, "budget").recipients
    assert (proof.recipient, proof.values) == (clinic.actor, False), "proof of it, and not its value"
    assert told(alice, "kitchen").clients[cook.actor] == "Cook"
    assert told(alice, "time").recipients == (), "what was refused went to nobody"


def test_it_looks_at_no_value_unless_it_is_asked_to(alice: Vault) -> None:
    before = len(alice.receipts())
    found = told(alice, "kitchen")
    assert (len(alice.receipts()), found.integrity.content) == (before, access.Content.NOT_CHECKED)
    assert found.integrity.holds and (found.integrity.first, found.integrity.last) == (1, before)

    checked = access.provenance_checked(alice.holder, alice.ids["kitchen"])
    assert checked is not None and checked.integrity.content is access.Content.MATCHES
    assert len(alice.receipts(kind="value.shown")) == 1, "the look is on the record"
    assert checked.integrity.bound_by == before + 1
    for each in (found, checked):
        assert not [value for value in alice.values.values() if value in repr(each)]


def test_a_value_that_was_put_in_the_place_of_another_is_noticed(alice: Vault, cook: Assistant, admin: Any) -> None:
    """Somebody with the database writes the commitment anew in the sealed row: the receipts of before tell."""
    give(cook, "kitchen")
    cook.read("kitchen")
    admin.execute("ALTER TABLE sealed.value DISABLE TRIGGER USER")
    changed = "UPDATE sealed.value SET commitment = sha256(commitment) WHERE memory_id = %s"
    admin.execute(changed, [alice.ids["kitchen"]])
    admin.execute("ALTER TABLE sealed.value ENABLE TRIGGER USER")
    checked = access.provenance_checked(alice.holder, alice.ids["kitchen"])
    assert checked is not None and checked.integrity.content is access.Content.DIFFERS


def alter(admin: Any, vault: Vault) -> None:
    """Somebody with the database writes the third line anew."""
    admin.execute("ALTER TABLE receipt DISABLE TRIGGER USER")
    admin.execute("UPDATE receipt SET purpose = 'care' WHERE vault_id = %s AND seq = 3", [vault.id])
    admin.execute("ALTER TABLE receipt ENABLE TRIGGER USER")


def test_a_line_that_was_altered_is_noticed(alice: Vault, admin: Any) -> None:
    alter(admin, alice)
    assert not told(alice, "kitchen").integrity.holds


def test_lines_before_the_newest_are_not_made_anew(alice: Vault, admin: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit: of a long ledger the newest lines, and it says which."""
    monkeypatch.setattr(tracing, "MOST_WALKED", 4)
    alter(admin, alice)
    said = told(alice, "kitchen").integrity
    assert said.holds and said.first == said.last - 3 > 3


def test_an_attested_value_is_checked_for_its_holder_too(alice: Vault) -> None:
    checked = access.provenance_checked(alice.holder, alice.ids["budget"])
    assert checked is not None and checked.integrity.content is access.Content.MATCHES


def test_what_is_not_there_has_no_provenance(alice: Vault, mallory: Vault) -> None:
    for unknown in (mallory.ids["kitchen"], uuid4()):
        assert turns.provenance(alice.holder, unknown) is None
        assert access.provenance_checked(alice.holder, unknown) is None


def test_of_a_memory_of_a_special_category_too(alice: Vault, clinic: Assistant) -> None:
    give(clinic, "pills")
    clinic.read("pills")
    found = told(alice, "pills")
    assert found.memory.category is Category.HEALTH
    assert [each.recipient for each in found.recipients] == [clinic.actor]


def test_whoever_acts_sees_their_own_numbers_and_no_log(alice: Vault, cook: Assistant) -> None:
    rosa = acting(alice.holder, newcomer("Rosa"))
    give(cook, "kitchen")
    cook.read("kitchen")
    memories.seal_from_guardians(alice.holder, alice.ids["time"], utc_now())
    linking.draw(alice.holder, EdgeKind.DERIVED_FROM, alice.ids["kitchen"], alice.ids["time"], utc_now())
    cook.read("kitchen")
    found, own = turns.provenance(rosa, alice.ids["kitchen"]), told(alice, "kitchen")
    assert found is not None
    assert (len(own.links), found.links) == (1, ()), "what is sealed from her is in no lineage"
    assert turns.provenance(rosa, alice.ids["time"]) is None
    (hers,), (his,) = found.recipients, own.recipients
    assert (hers.number, hers.last_seq < his.last_seq) == (2, True)
    integrity = found.integrity
    assert (integrity.holds, integrity.first, integrity.newest, integrity.logged) == (True, 0, 0, None)
    assert integrity.last == turns.last_number(rosa)


@pytest.mark.parametrize("many", [1, 12])
def test_it_costs_the_same_however_much_there_is(
    alice: Vault, cook: Assistant, many: int, django_assert_max_num_queries: Any
) -> None:
    for number in range(many):
        memories.correct(alice.holder, alice.ids["kitchen"], value=f"Pan {number}", now=utc_now())
        alice.keep(f"more{number}")
        linking.draw(alice.holder, EdgeKind.DERIVED_FROM, alice.ids["kitchen"], alice.ids[f"more{number}"], utc_now())
    give(cook, "kitchen")
    cook.read("kitchen")
    with django_assert_max_num_queries(30):
        found = told(alice, "kitchen")
    assert len(found.history) == many + 1 and len(found.made_from) == many


def test_a_correction_refused_leaves_no_trace_in_it(alice: Vault) -> None:
    no = memories.correct(alice.holder, alice.ids["kitchen"], value="x", now=utc_now(), if_version=9)
    assert isinstance(no, Refused)
    assert len(told(alice, "kitchen").history) == 1
