"""Erasing one memory: its keys are gone and so is every word about it; its id is as one that never was."""

import json
from typing import Any
from uuid import UUID, uuid4

import pytest

from apps.memories import services as memories
from apps.memories.services import linking, merging, naming
from apps.policy.links import Edge, EdgeKind, EntityKind, Merge, What
from apps.policy.types import Refused
from apps.policy.vocabulary import Category, Refusal
from apps.turns import services as turns
from tests.cast import QUESTION, Assistant, Vault, canary, give
from tests.erasing import erase_within_an_act as erase
from vault.clock import utc_now


def everything(admin: Any, vault: Vault) -> str:
    """Every row that the web role may read of this vault, as text."""
    tables = "memory memory_version value_print proposal entity edge merge".split()
    read = "SELECT t::text FROM {} t WHERE vault_id = %s"
    return str([admin.execute(read.format(each), [vault.id]).fetchall() for each in tables])


def suggested(admin: Any, vault: Vault, memory_id: UUID, status: str, words: dict[str, str]) -> tuple[UUID, UUID]:
    """A correction that was suggested for a memory, with its sealed candidate: their two ids."""
    proposal_id, candidate = uuid4(), uuid4()
    admin.execute(
        "INSERT INTO proposal (vault_id, proposal_id, client_id, directive, status, memory_id, subject, label,"
        " rationale, fingerprint, made_at, expires_at, target_id, evidence, reason)"
        " VALUES (%s, %s, %s, 'correct', %s, %s, %s, %s, %s, '', now(), now() + interval '1 day', %s, %s, %s)",
        [
            vault.id,
            proposal_id,
            uuid4(),
            status,
            candidate,
            words["suggested"].lower(),
            words["suggested"],
            words["rationale"],
            memory_id,
            json.dumps([words["rationale"]]),
            words["suggested"],
        ],
    )
    admin.execute("INSERT INTO sealed.key VALUES (%s, %s, 1, 1, 'x')", [vault.id, candidate])
    return proposal_id, candidate


def test_it_answers_like_an_id_that_never_was(alice: Vault) -> None:
    gone = erase(alice, "time")
    assert memories.memory(alice.holder, gone) is None
    assert gone not in [each.memory_id for each in memories.memories(alice.holder)]
    assert memories.history(alice.holder, gone) == ()
    assert linking.edges_of(alice.holder, gone) == ()
    assert memories.show(alice.holder, [gone]).values == ()
    for deed in (memories.put_back, memories.put_away, memories.seal_from_guardians):
        assert deed(alice.holder, gone, utc_now()) == Refused(Refusal.NOT_FOUND)
    no = memories.correct(alice.holder, gone, value="x", now=utc_now())
    assert no == Refused(Refusal.NOT_FOUND)


def test_its_receipts_stay(alice: Vault, cook: Assistant) -> None:
    give(cook, "time")
    assert cook.read("time").released
    gone = erase(alice, "time")
    kinds = [each.kind for each in alice.receipts() if each.memory_id == gone]
    assert kinds == ["memory.added", "value.read", "memory.erased"]
    assert cook.read("time").released == []


def test_its_subject_is_free_and_what_it_said_is_no_echo(alice: Vault) -> None:
    value = alice.values["time"]
    erase(alice, "time")
    again = memories.add(alice.holder, label="Weeknight time", subject="cooking.time", value=value, now=utc_now())
    assert not isinstance(again, Refused), "nothing is left to recognise it by"


def test_two_may_be_erased(alice: Vault) -> None:
    for name in ("time", "kitchen", "pills", "budget", "diary"):
        erase(alice, name)
    assert len(alice.receipts(kind="memory.erased")) == 5


def test_no_word_of_it_is_left_in_any_row(alice: Vault, cook: Assistant, admin: Any) -> None:
    words = {
        name: canary() for name in ("label", "neutral", "why", "suggested", "rationale", "entity", "again", "source")
    }
    made = memories.add(
        alice.holder,
        label=words["label"],
        subject=words["label"].lower(),
        value=canary(),
        category=Category.HEALTH,
        neutral_label=words["neutral"],
        source=words["source"],
        now=utc_now(),
    )
    assert not isinstance(made, Refused)
    alice.ids["gone"] = made.memory_id
    said = {"why": words["why"], "label": words["again"]}
    memories.correct(alice.holder, made.memory_id, value=canary(), now=utc_now(), **said)
    waiting, candidate = suggested(admin, alice, made.memory_id, "pending", words)
    _, rejected = suggested(admin, alice, made.memory_id, "rejected", words)
    anna = naming.name(alice.holder, EntityKind.PERSON, words["entity"], utc_now())
    linking.draw(alice.holder, EdgeKind.ABOUT, made.memory_id, anna.entity_id, utc_now(), valid_from="2019-05-06")
    before = everything(admin, alice)
    assert all(each in before for each in words.values()), "the control"

    erase(alice, "gone")
    after = everything(admin, alice)
    assert not [name for name, each in words.items() if each in after or each.lower() in after]
    assert "2019-05-06" not in after
    assert naming.entities(alice.holder) == (), "whom it alone was about has no name any more"
    keys = "SELECT count(*) FROM sealed.key WHERE memory_id = ANY(%s)"
    assert admin.execute(keys, [[made.memory_id, candidate, rejected]]).fetchone() == (0,)
    assert [each.object for each in alice.receipts(kind="proposal.withdrawn")] == [f"prp_{waiting.hex}"]


def test_whom_another_memory_is_about_keeps_their_name(alice: Vault) -> None:
    anna = naming.name(alice.holder, EntityKind.PERSON, "Anna", utc_now())
    for name in ("time", "kitchen"):
        linking.draw(alice.holder, EdgeKind.ABOUT, alice.ids[name], anna.entity_id, utc_now())
    erase(alice, "time")
    (known,) = naming.entities(alice.holder)
    assert (known.entity.name, known.memories) == ("Anna", 1)
    erase(alice, "kitchen")
    assert naming.entities(alice.holder) == ()
    assert naming.entity(alice.holder, anna.entity_id) is None


def test_what_was_made_from_it_shows_that_it_is_gone(alice: Vault) -> None:
    linking.draw(alice.holder, EdgeKind.DERIVED_FROM, alice.ids["kitchen"], alice.ids["time"], utc_now())
    erase(alice, "time")
    (link,) = linking.edges_of(alice.holder, alice.ids["kitchen"])
    assert (link.other, link.edge.ended_by) == (None, alice.holder.actor)
    no = linking.draw(alice.holder, EdgeKind.DERIVED_FROM, alice.ids["kitchen"], alice.ids["time"], utc_now())
    assert isinstance(no, Refused) and no.reason is Refusal.NOT_FOUND


@pytest.mark.parametrize("which", ["kept", "merged"])
def test_of_two_that_were_merged_the_other_stays_as_it_is(alice: Vault, which: str) -> None:
    done = merging.merge(alice.holder, What.MEMORY, alice.ids["kitchen"], alice.ids["time"], utc_now())
    assert isinstance(done, Merge)
    erase(alice, "kitchen" if which == "kept" else "time")
    parted = merging.part(alice.holder, done.merge_id, utc_now())
    if which == "kept":
        assert isinstance(parted, Merge) and memories.memory(alice.holder, alice.ids["time"])
    else:
        assert parted == Refused(Refusal.NOT_FOUND)
        assert memories.memory(alice.holder, alice.ids["kitchen"])


def test_what_it_contradicted_is_let_go(alice: Vault) -> None:
    edge = linking.draw(alice.holder, EdgeKind.CONTRADICTS, alice.ids["kitchen"], alice.ids["time"], utc_now())
    assert isinstance(edge, Edge)
    erase(alice, "kitchen")
    (link,) = linking.edges_of(alice.holder, alice.ids["time"])
    assert link.edge.ended_at is not None


def test_an_answer_that_quoted_it_goes_and_what_was_made_from_it_stays(alice: Vault) -> None:
    """What was made from it is a memory of its own: whoever orders an erasure says whether that is to go too."""
    linking.draw(alice.holder, EdgeKind.DERIVED_FROM, alice.ids["dislikes"], alice.ids["kitchen"], utc_now())
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    chosen = frozenset({alice.ids["kitchen"]})
    turns.decide(alice.holder, asked.turn_id, ordinary=chosen, now=utc_now())
    list(turns.answer(alice.holder, asked.turn_id, utc_now()))
    erase(alice, "kitchen")
    assert turns.turn(alice.holder, asked.turn_id) is None
    assert asked.turn_id not in [each.turn_id for each in turns.recent(alice.holder)]
    assert memories.memory(alice.holder, alice.ids["dislikes"]) is not None
