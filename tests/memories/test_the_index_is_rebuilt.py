"""What search lost, as after a crash, comes back by a reader that is stamped; doing it again changes nothing."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from apps.memories import services as memories
from apps.memories.tasks import rebuild_indexes
from apps.policy.ids import typed
from apps.policy.types import Memory, Proposal, Refused
from apps.policy.vocabulary import Refusal
from tests.cast import Assistant, Vault, canary
from tests.threads import at_once
from vault.clock import utc_now

ORDINARY = {"kitchen", "time", "dislikes"}


@pytest.fixture
def crashed(alice: Vault, mallory: Vault, admin: Any) -> Vault:
    """Unlogged tables are empty after a crash; the vaults of other tests get their rows back at once."""
    with admin.transaction():
        for table in ("search_doc", "search_term"):
            admin.execute(
                f"CREATE TEMP TABLE spared_{table} ON COMMIT DROP AS SELECT * FROM sealed.{table}"
                " WHERE vault_id <> ALL (%s)",
                [[alice.id, mallory.id]],
            )
        admin.execute("TRUNCATE sealed.search_doc, sealed.search_term")
        for table in ("search_doc", "search_term"):
            admin.execute(f"INSERT INTO sealed.{table} SELECT * FROM spared_{table}")
    return alice


def word(vault: Vault, name: str) -> str:
    return vault.values[name].split()[-1]


def found(vault: Vault, question: str) -> list[Any]:
    return [each for each, _ in memories.search(vault.id, vault.holder.actor, question, 50)]


def due(vault: Vault) -> set[Any]:
    return set(memories.due_for_index(10_000).get(vault.id, []))


def test_what_is_lost_is_due_and_comes_back(crashed: Vault) -> None:
    assert found(crashed, word(crashed, "kitchen")) == []
    assert due(crashed) == {crashed.ids[name] for name in ORDINARY}
    assert memories.rebuild_index(crashed.id, list(due(crashed)), utc_now()) == 3
    for name in ORDINARY:
        assert found(crashed, word(crashed, name)) == [crashed.ids[name]]
    assert due(crashed) == set()


def test_each_look_is_stamped_and_nothing_else_is_looked_at(crashed: Vault) -> None:
    memories.rebuild_index(crashed.id, list(crashed.ids.values()), utc_now())
    looked = crashed.receipts(kind="value.indexed")
    assert {each.memory_id for each in looked} == {crashed.ids[name] for name in ORDINARY}
    assert {(each.actor, each.recipient, each.form) for each in looked} == {("sys_index", "sys_index", "value")}
    assert len(crashed.receipts(kind="memory.indexed")) == 1


def test_again_is_harmless(crashed: Vault) -> None:
    for _ in range(2):
        memories.rebuild_index(crashed.id, [crashed.ids["kitchen"]], utc_now())
    assert found(crashed, word(crashed, "kitchen")) == [crashed.ids["kitchen"]]


def test_two_at_once_are_harmless(crashed: Vault) -> None:
    results = at_once([lambda: memories.rebuild_index(crashed.id, [crashed.ids["kitchen"]], utc_now())] * 2)
    assert results == [1, 1]
    assert found(crashed, word(crashed, "kitchen")) == [crashed.ids["kitchen"]]


def test_the_task_takes_every_vault(crashed: Vault, mallory: Vault) -> None:
    assert due(mallory) == {mallory.ids[name] for name in ORDINARY}
    assert rebuild_indexes() >= 6
    assert due(crashed) == set() == due(mallory)
    before = crashed.receipts()
    rebuild_indexes()
    assert crashed.receipts() == before


def test_a_correction_meanwhile_is_what_is_found(crashed: Vault) -> None:
    old, new = word(crashed, "kitchen"), canary()
    memories.correct(crashed.holder, crashed.ids["kitchen"], value=new, now=utc_now())
    memories.rebuild_index(crashed.id, [crashed.ids["kitchen"]], utc_now())
    assert (found(crashed, old), found(crashed, new)) == ([], [crashed.ids["kitchen"]])


def test_an_unknown_or_foreign_id_is_nothing(alice: Vault, mallory: Vault) -> None:
    before = alice.receipts()
    assert memories.rebuild_index(alice.id, [mallory.ids["kitchen"]], utc_now()) == 0
    assert alice.receipts() == before


def test_one_that_cannot_be_opened_keeps_nobody_waiting(crashed: Vault, mallory: Vault, admin: Any) -> None:
    admin.execute(
        "UPDATE sealed.key SET wrapped = set_byte(wrapped, 0, get_byte(wrapped, 0) # 1) WHERE memory_id = %s",
        [crashed.ids["kitchen"]],
    )
    rebuild_indexes()
    assert due(crashed) == {crashed.ids["kitchen"]}
    assert found(crashed, word(crashed, "time")) == [crashed.ids["time"]]
    assert found(mallory, word(mallory, "time")) == [mallory.ids["time"]]


def test_without_the_root_key_nothing_is_stamped_in_vain(crashed: Vault, settings: Any, tmp_path: Any) -> None:
    kept, other = settings.MUNIMENT_ROOT_KEY_FILE, tmp_path / "root"
    other.write_text(f"1 {'ab' * 32}\n")
    settings.MUNIMENT_ROOT_KEY_FILE = str(other)
    before = crashed.receipts()
    rebuild_indexes()
    assert crashed.receipts() == before
    settings.MUNIMENT_ROOT_KEY_FILE = kept
    rebuild_indexes()
    assert due(crashed) == set()


def test_what_was_moved_or_stood_again_is_found_once_the_clock_has_looked(alice: Vault) -> None:
    kitchen, time = alice.ids["kitchen"], alice.ids["time"]
    assert memories.rescope(alice.holder, kitchen, "elsewhere.wherever", utc_now())
    memories.put_away(alice.holder, time, utc_now())
    memories.put_back(alice.holder, time, utc_now())
    assert {kitchen, time} <= due(alice)
    rebuild_indexes()
    assert due(alice) == set()
    assert found(alice, word(alice, "kitchen")) == found(alice, "wherever") == [kitchen]
    assert found(alice, word(alice, "time")) == [time]


def prints_of(vault: Vault, admin: Any) -> list[Any]:
    query = "SELECT memory_id, version, words, whole, numbers FROM value_print WHERE vault_id = %s ORDER BY 1, 2"
    return list(admin.execute(query, [vault.id]).fetchall())


def test_words_that_were_made_wrong_are_made_anew_where_an_operator_says_so(
    alice: Vault, mallory: Vault, admin: Any
) -> None:
    kitchen, before, others = alice.ids["kitchen"], prints_of(alice, admin), prints_of(mallory, admin)
    admin.execute("UPDATE value_print SET words = '{1,2}' WHERE memory_id = %s", [kitchen])
    admin.execute("UPDATE sealed.search_term SET term = term / 2 WHERE memory_id = %s", [kitchen])
    assert found(alice, word(alice, "kitchen")) == []
    for _ in range(2):
        call_command("index_anew", vault=typed("vlt", alice.id), stdout=StringIO())
        assert due(alice) == {alice.ids[name] for name in ORDINARY} and due(mallory) == set()
        assert found(alice, word(alice, "time")) == [alice.ids["time"]], "search goes on"
        rebuild_indexes()
        assert found(alice, word(alice, "kitchen")) == [kitchen]
        assert prints_of(alice, admin) == before and prints_of(mallory, admin) == others
        assert due(alice) == set()


def test_what_is_retired_special_or_attested_is_read_by_nobody_for_it_and_keeps_the_words_of_its_day(
    alice: Vault, admin: Any
) -> None:
    """As if by other rules of that day. Token by token it is known as before; in other words it is news by now."""
    town = alice.keep("town", "Leeds", label="Town")
    memories.correct(alice.holder, town, value="Porto", now=utc_now())
    kept_apart = {(town, 1), (alice.ids["pills"], 1), (alice.ids["budget"], 1)}
    for memory_id, version in kept_apart:
        query = "UPDATE value_print SET words = '{1,2}' WHERE vault_id = %s AND memory_id = %s AND version = %s"
        admin.execute(query, [alice.id, memory_id, version])
    before = prints_of(alice, admin)
    call_command("index_anew", vault=typed("vlt", alice.id), stdout=StringIO())
    rebuild_indexes()
    assert prints_of(alice, admin) == before
    read = {(each.memory_id, each.version) for each in alice.receipts(kind="value.indexed")}
    assert (town, 2) in read and not read & kept_apart
    again = memories.correct(alice.holder, town, value="Leeds", now=utc_now())
    assert again == Refused(Refusal.ECHO, "/value")
    assert isinstance(memories.correct(alice.holder, town, value="I live in Leeds", now=utc_now()), Memory)


def test_what_waits_for_a_yes_is_found_by_words_of_today(alice: Vault, cook: Assistant) -> None:
    made = memories.propose(cook.caller, label="Pan", value=f"iron {canary()}", now=utc_now())
    assert isinstance(made, Proposal)
    memories.read_anew(alice.id)
    memories.approve(alice.holder, made.proposal_id, now=utc_now())
    rebuild_indexes()
    assert found(alice, "iron") == [made.memory_id]
