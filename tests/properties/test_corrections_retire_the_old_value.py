"""A correction retires the old value and it is never served again: one value is current, and history says which were.

Protects the holder from being taken for who they were.
"""

from datetime import date
from typing import Any

from apps.memories import services as memories
from apps.policy.types import Refused
from apps.policy.vocabulary import Refusal
from apps.turns import services as turns
from tests.cast import QUESTION, Assistant, Vault, canary, give
from tests.peers import openai
from tests.properties.conftest import Surface
from tests.properties.test_a_receipt_is_committed_before_its_value_leaves import just_before_taking
from tests.threads import at_once
from vault.clock import utc_now


def correct(vault: Vault, name: str, value: str, **more: Any) -> Any:
    """A correction in the holder's name."""
    return memories.correct(vault.holder, vault.ids[name], value=value, now=utc_now(), **more)


def found(vault: Vault, words: str) -> list[Any]:
    """Whatever search finds by these words."""
    return [each for each, _ in memories.search(vault.id, vault.holder.actor, words, 50)]


def test_leeds_then_porto_then_faro_serves_faro(alice: Vault, cook: Assistant, surface: Surface) -> None:
    leeds, porto, faro = (f"lives in {canary()}" for _ in range(3))
    alice.keep("home", leeds, label="Home town")
    give(cook, "home")
    client = surface.client(cook)
    before = client.read([alice.mem("home")])
    assert before and before.values == {alice.mem("home"): leeds}
    correct(alice, "home", porto)
    correct(alice, "home", faro)
    after = client.read([alice.mem("home")])
    assert after and after.values == {alice.mem("home"): faro}
    assert surface.holder(alice.holder).show([alice.mem("home")]) == {alice.mem("home"): faro}
    for old in (leeds, porto):
        assert found(alice, old.removeprefix("lives in ")) == []
    assert found(alice, faro.removeprefix("lives in ")) == [alice.ids["home"]]


def test_the_chat_uses_the_new_one(alice: Vault, near: Surface, model: openai.Model) -> None:
    old, new = alice.values["kitchen"], canary()
    holder = near.holder(alice.holder)
    asked = holder.ask_turn(QUESTION)
    assert asked
    correct(alice, "kitchen", new)
    assert holder.decide_turn(asked.turn, [alice.mem("kitchen")])
    assert new in model.answers[0] and old not in model.answers[0]


def test_a_repeated_send_does_not_bring_the_old_one_back(alice: Vault, cook: Assistant, surface: Surface) -> None:
    give(cook, "kitchen")
    client = surface.client(cook)
    old = alice.values["kitchen"]
    assert client.read([alice.mem("kitchen")], key="the-same-key")
    correct(alice, "kitchen", canary())
    again = client.read([alice.mem("kitchen")], key="the-same-key")
    assert old not in repr(again)
    assert not again or again.withheld == {alice.mem("kitchen"): "stale"}


def test_a_correction_while_it_is_handed_over_is_not_overtaken(alice: Vault, cook: Assistant) -> None:
    give(cook, "kitchen")
    old, new = alice.values["kitchen"], canary()
    with just_before_taking(lambda: at_once([lambda: correct(alice, "kitchen", new)]) and None):
        result = cook.read("kitchen")
    assert old not in repr(result)
    assert [each.reason for each in result.withheld] == [Refusal.STALE]
    assert cook.read("kitchen").released[0].handed.value == new


def test_history_names_every_version_and_shows_no_value(alice: Vault) -> None:
    correct(alice, "kitchen", canary(), as_of=date(2026, 11, 1))
    correct(alice, "kitchen", canary())
    versions = memories.history(alice.holder, alice.ids["kitchen"])
    assert [each.version for each in versions] == [3, 2, 1]
    assert [each.retired_at is None for each in versions] == [True, False, False]
    assert versions[1].as_of == date(2026, 11, 1)
    assert not [value for value in alice.values.values() if value in repr(versions)]


def test_every_receipt_names_the_version_it_is_about(alice: Vault, cook: Assistant) -> None:
    give(cook, "kitchen")
    cook.read("kitchen")
    correct(alice, "kitchen", canary())
    cook.read("kitchen")
    memories.put_away(alice.holder, alice.ids["kitchen"], utc_now())
    memories.put_back(alice.holder, alice.ids["kitchen"], utc_now())
    about = [(each.kind, each.version) for each in alice.receipts(memory_id=alice.ids["kitchen"])]
    assert about == [
        ("memory.added", 1),
        ("value.read", 1),
        ("memory.corrected", 2),
        ("value.read", 2),
        ("memory.withdrawn", 2),
        ("memory.restored", 2),
    ]


def test_the_old_one_written_again_is_a_new_version_and_not_a_second_memory(alice: Vault) -> None:
    """The holder's own correction back is a deed of the holder's, and history says so."""
    old = alice.values["kitchen"]
    correct(alice, "kitchen", canary())
    assert correct(alice, "kitchen", old) == Refused(Refusal.ECHO, "/value")
    back = correct(alice, "kitchen", old, on_purpose=True)
    assert back.version == 3
    assert found(alice, old.split()[-1]) == [alice.ids["kitchen"]]


def test_whoever_looked_at_an_older_version_is_told(alice: Vault) -> None:
    assert correct(alice, "kitchen", canary(), if_version=1)
    assert correct(alice, "kitchen", canary(), if_version=1) == Refused(Refusal.STALE)
    kept = memories.memory(alice.holder, alice.ids["kitchen"])
    assert kept and kept.version == 2


def test_twelve_corrections_at_once_leave_one_current_value(alice: Vault, cook: Assistant) -> None:
    give(cook, "kitchen")
    texts = [canary() for _ in range(12)]
    assert not [
        each
        for each in at_once([lambda text=text: correct(alice, "kitchen", text) for text in texts])
        if isinstance(each, Exception)
    ]
    versions = memories.history(alice.holder, alice.ids["kitchen"])
    assert sorted(each.version for each in versions) == list(range(1, 14))
    assert [each.version for each in versions if each.retired_at is None] == [13]
    served = cook.read("kitchen").released[0].handed.value
    assert served in texts
    assert sum(found(alice, text) != [] for text in texts) == 1


def test_an_earlier_answer_is_kept_as_it_was(alice: Vault, model: openai.Model) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    turns.decide(alice.holder, asked.turn_id, ordinary=frozenset({alice.ids["kitchen"]}), now=utc_now())
    list(turns.answer(alice.holder, asked.turn_id, utc_now()))
    before = turns.turn(alice.holder, asked.turn_id)
    correct(alice, "kitchen", canary())
    assert turns.turn(alice.holder, asked.turn_id) == before
