"""A receipt is committed before its value leaves: whatever fails afterwards, what was handed over is on the record.

Protects the holder from a hand-over that is undone after it was read, by a crash or on purpose.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import pytest
from django.db import Error as DatabaseError
from django.db import connections, transaction

from apps.memories import services as memories
from apps.memories.gate import InTransaction
from apps.turns import services as turns
from tests.cast import QUESTION, Assistant, Vault, give
from tests.gate.attacks import SIX, Attack, die_while_rows_stream, kept, the_gate
from tests.gate.cast import add_memory, open_vault
from tests.peers import openai
from tests.properties.conftest import Surface
from vault.clock import utc_now


@contextmanager
def just_before_taking(look: Callable[[], None]) -> Iterator[None]:
    """Calls `look` when the product is about to take a value, on the connection it takes it by."""

    def watch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if "gate.take" in sql:
            look()
        return execute(sql, params, many, context)

    with connections["gate"].execute_wrapper(watch):
        yield


def committed(admin: Any, vault: Vault) -> list[UUID]:
    """The memories whose hand-over another connection can see on the record."""
    rows = admin.execute(
        "SELECT memory_id FROM receipt WHERE vault_id = %s AND kind = 'value.read' ORDER BY seq", [vault.id]
    )
    return [row[0] for row in rows]


def test_another_connection_sees_the_receipt_before_the_value_is_taken(
    alice: Vault, cook: Assistant, admin: Any, near: Surface
) -> None:
    give(cook, "kitchen", "time")
    seen: list[list[UUID]] = []
    with just_before_taking(lambda: seen.append(committed(admin, alice))):
        got = near.client(cook).read([alice.mem("kitchen"), alice.mem("time")])
    assert got and len(got.handed) == 2
    assert seen == [[alice.ids["kitchen"], alice.ids["time"]]]


def test_the_model_is_told_nothing_whose_receipt_is_not_there(
    alice: Vault, admin: Any, near: Surface, model: openai.Model
) -> None:
    at_the_model: list[set[UUID]] = []
    model.before_answer = lambda: at_the_model.append(set(committed(admin, alice)))
    holder = near.holder(alice.holder)
    asked = holder.ask_turn(QUESTION)
    assert asked
    assert holder.decide_turn(asked.turn, [alice.mem("kitchen"), alice.mem("dislikes")])
    assert at_the_model == [{alice.ids["kitchen"], alice.ids["dislikes"]}]


def test_a_crash_between_the_two_keeps_the_receipt_and_gives_nothing(alice: Vault, cook: Assistant, admin: Any) -> None:
    give(cook, "kitchen")

    def kill() -> None:
        raw = connections["gate"].connection
        admin.execute("SELECT pg_terminate_backend(%s, 5000)", [raw.info.backend_pid])

    with just_before_taking(kill), pytest.raises(DatabaseError):
        cook.read("kitchen")
    connections["gate"].close()
    assert committed(admin, alice) == [alice.ids["kitchen"]], (
        "a receipt too many is a nuisance, a value too many a breach"
    )


def test_a_read_inside_a_transaction_is_refused_before_it_begins(alice: Vault, cook: Assistant) -> None:
    """A caller that could roll back after it has the value would lose the receipt."""
    give(cook, "kitchen")
    caller = cook.caller
    for alias in ("default", "gate"):
        with pytest.raises(InTransaction), transaction.atomic(using=alias):
            memories.show(alice.holder, [alice.ids["kitchen"]])
    with pytest.raises((InTransaction, RuntimeError)), transaction.atomic(using="gate"):
        cook.read("kitchen")
    assert caller and alice.handed() == []
    assert cook.read("kitchen").released, "the control: outside, the same read is served"


def test_an_act_inside_a_larger_transaction_is_refused(alice: Vault) -> None:
    before = len(alice.receipts())
    with pytest.raises(RuntimeError), transaction.atomic(using="default"):
        alice.keep("city", label="City")
    assert len(alice.receipts()) == before
    assert alice.keep("city", label="City")


@pytest.mark.parametrize("attack", SIX, ids=lambda attack: attack.__name__)
def test_whoever_holds_our_connection_cannot_undo_the_receipt_and_keep_the_value(admin: Any, attack: Attack) -> None:
    """Six ways, from a rolled-back transaction to a killed server; they are tried at length in tests/gate."""
    vault = open_vault(admin, 1)
    large = add_memory(admin, vault, size=200_000)
    admin.execute(
        "UPDATE access_grant SET memory_ids = memory_ids || to_jsonb(%s::text) WHERE vault_id = %s",
        [large.hex, vault.id],
    )
    value, receipts = kept(attack, the_gate(admin, vault, large))
    assert not value or (attack is die_while_rows_stream and receipts == 1)


def test_an_answer_is_stored_with_its_receipt_or_not_at_all(alice: Vault, admin: Any) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    turns.decide(alice.holder, asked.turn_id, ordinary=frozenset({alice.ids["kitchen"]}), now=utc_now())
    admin.execute("ALTER TABLE receipt ADD CONSTRAINT no_answers CHECK (kind <> 'turn.answered') NOT VALID")
    try:
        with pytest.raises(DatabaseError):
            list(turns.answer(alice.holder, asked.turn_id, utc_now()))
    finally:
        admin.execute("ALTER TABLE receipt DROP CONSTRAINT no_answers")
    found = turns.turn(alice.holder, asked.turn_id)
    assert found and found.answer == ""
    list(turns.answer(alice.holder, asked.turn_id, utc_now()))
    found = turns.turn(alice.holder, asked.turn_id)
    assert found and found.answer
    assert len(alice.handed()) == 1, "the hand-over that had happened is not repeated"
