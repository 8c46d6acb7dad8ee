"""Whoever writes or reads while a vault's key is changed notices nothing, and loses nothing."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connections

from apps.memories import epochs, store
from apps.memories import services as memories
from apps.policy.proposals import Proposal
from apps.policy.vocabulary import Directive
from apps.turns import services as turns
from tests.cast import QUESTION, Assistant, Vault, canary, give
from tests.keys.looks import plain, shown
from tests.threads import at_once
from vault.clock import utc_now


def test_what_was_sealed_under_the_old_key_and_is_put_after_it_is_sealed_again(
    alice: Vault, cook: Assistant, monkeypatch: pytest.MonkeyPatch, admin: Any
) -> None:
    """A client's correction reads the key before its act: here it is changed just then."""
    honest, keys = epochs.key_at_once, []

    def key_then_changed(vault_id: Any, actor: str) -> Any:
        key = honest(vault_id, actor)
        if actor == cook.caller.actor:
            keys.append(key)
            assert memories.rotate(alice.id, utc_now()) == 2
        return key

    monkeypatch.setattr(epochs, "key_at_once", key_then_changed)
    value = f"Porto {canary()}"
    given: dict[str, Any] = {"directive": Directive.CORRECT, "target": alice.ids["time"], "known": [alice.ids["time"]]}
    made = memories.propose(cook.caller, value=value, now=utc_now(), **given)
    assert isinstance(made, Proposal)
    assert [each.epoch for each in keys] == [1]
    rows = admin.execute("SELECT epoch FROM sealed.key WHERE memory_id = %s", [made.memory_id]).fetchall()
    assert rows == [(2,)]
    assert len(alice.receipts(kind="proposal.made")) == 1
    approved = memories.approve(alice.holder, made.proposal_id, now=utc_now())
    assert memories.show(alice.holder, [approved.memory.memory_id]).values[0].value == value  # type: ignore[union-attr]


def test_the_database_takes_nothing_under_a_key_that_is_gone(alice: Vault) -> None:
    """Whatever the code forgets: one seal, or one of many."""
    from dataclasses import replace

    from django.db import DatabaseError

    from apps.ledger.ids import new_id
    from apps.ledger.log import act
    from apps.policy.vocabulary import ReceiptKind

    with act(alice.id, alice.holder.actor) as reading:
        old = store.vault_key(alice.id)
        known = store.memory(alice.id, alice.ids["kitchen"])
        reading.cancel()
    assert old is not None and known is not None
    memories.rotate(alice.id, utc_now())
    with pytest.raises(DatabaseError, match="key that was changed"), act(alice.id, alice.holder.actor) as writing:
        store.put(writing, old, replace(known, memory_id=new_id()), "late")
        writing.record(ReceiptKind.MEMORY_ADDED)
    assert shown(alice) == plain(alice)


def test_a_storm_of_writers_and_readers_loses_nothing(alice: Vault, cook: Assistant, admin: Any) -> None:
    give(cook, "kitchen")
    over, wrong, kept = threading.Event(), [], threading.Lock()
    proposed: dict[Any, str] = {}
    asked: list[Any] = []

    def again(deed: Callable[[int], None]) -> Callable[[], int]:
        def run() -> int:
            n = 0
            while not over.is_set():
                deed(n)
                n += 1
            return n

        return run

    def add(n: int) -> None:
        value = f"{canary()} {n}"
        made = memories.add(alice.holder, label=f"Label {value}", value=value, now=utc_now())
        with kept:
            alice.ids[value] = made.memory_id  # type: ignore[union-attr]
            alice.values[value] = value

    def propose(n: int) -> None:
        value = f"{canary()} {n}"
        made = memories.propose(cook.caller, label=f"Label {value}", value=value, now=utc_now())
        if isinstance(made, Proposal):
            proposed[made.proposal_id] = value

    def talk(n: int) -> None:
        made = turns.ask(alice.holder, QUESTION, utc_now())
        asked.append(made.turn_id)

    def read(n: int) -> None:
        handed = [each.handed.value for each in cook.read("kitchen").released]
        if handed != [alice.values["kitchen"]]:
            wrong.append(handed)

    def look(n: int) -> None:
        for each in turns.recent(alice.holder, 10):
            if each.question != QUESTION:
                wrong.append(each.question)

    def change() -> int:
        try:
            return sum(memories.rotate(alice.id, utc_now()) is not None for _ in range(25))
        finally:
            over.set()

    done = at_once([change, *map(again, (add, propose, talk, read, look))])
    connections.close_all()
    assert not [each for each in done if isinstance(each, Exception)], done
    assert all(isinstance(each, int) and each > 0 for each in done), done
    assert not wrong
    assert shown(alice) == plain(alice)
    for proposal_id, value in proposed.items():
        approved = memories.approve(alice.holder, proposal_id, now=utc_now())
        assert memories.show(alice.holder, [approved.memory.memory_id]).values[0].value == value  # type: ignore[union-attr]
    assert {turns.turn(alice.holder, each).question for each in asked} == {QUESTION}  # type: ignore[union-attr]
    last = memories.rotate(alice.id, utc_now())  # one that could not be ended, they were so fast, is by now
    assert last is not None and last > 1 + int(done[0])  # type: ignore[arg-type]
    assert admin.execute("SELECT epoch FROM vault_key WHERE vault_id = %s", [alice.id]).fetchall() == [(last,)]
    assert shown(alice) == plain(alice)
