"""The ledger only grows: no deed and no role changes or removes a receipt, and a line that was touched is named.

Protects the holder, and whoever relies on the record, from a past that is tidied up.
"""

import hashlib
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from apps.access import services as access
from apps.ledger import services as ledger
from apps.memories import services as memories
from apps.policy.types import Receipt
from apps.policy.vocabulary import Category
from apps.turns import services as turns
from tests import databases
from tests.cast import QUESTION, Assistant, Vault, canary, give, read_ids
from vault.clock import utc_now


def deeds(alice: Vault, cook: Assistant) -> list[Callable[[], Any]]:
    """One of every deed, refused ones among them."""
    holder, now = alice.holder, utc_now()
    made = memories.propose(cook.caller, label="City", value=canary(), now=now)
    worse = memories.propose(cook.caller, label="Pet", value=canary(), now=now)
    assert made and worse
    asked = turns.ask(holder, QUESTION, now)
    wish = cook.ask("dislikes")
    grant = give(cook, "kitchen", reads=1)
    return [
        lambda: cook.read("kitchen"),
        lambda: cook.read("kitchen"),
        lambda: cook.read("pills"),
        lambda: memories.show(holder, [alice.ids["pills"]]),
        lambda: memories.correct(holder, alice.ids["kitchen"], value=canary(), now=now),
        lambda: memories.put_away(holder, alice.ids["time"], now),
        lambda: memories.put_back(holder, alice.ids["time"], now),
        lambda: memories.approve(holder, made.proposal_id, now=now),
        lambda: memories.reject(holder, worse.proposal_id, now),
        lambda: access.cancel(cook.caller, wish.request_id, now),
        lambda: turns.decide(holder, asked.turn_id, ordinary=frozenset({alice.ids["time"]}), now=now),
        lambda: list(turns.answer(holder, asked.turn_id, now)),
        lambda: turns.without(holder, asked.turn_id, alice.ids["time"], now),
        lambda: access.pause(holder, cook.client.client_id, True),
        lambda: access.revoke_grant(holder, grant.grant_id, now),
        lambda: access.revoke(holder, cook.client.client_id, now),
    ]


def test_every_deed_adds_lines_and_leaves_the_earlier_ones_as_they_were(alice: Vault, cook: Assistant) -> None:
    before = alice.receipts()
    for deed in deeds(alice, cook):
        deed()
        after = alice.receipts()
        assert after[: len(before)] == before
        assert len(after) > len(before)
        before = after
    verdict = ledger.verify(alice.id, alice.holder.actor)
    assert verdict and verdict.count == len(before)
    assert [each.seq for each in before] == list(range(1, len(before) + 1))


def test_a_no_that_changes_nothing_adds_nothing(alice: Vault, cook: Assistant) -> None:
    before = alice.receipts()
    assert memories.put_back(alice.holder, alice.ids["kitchen"], utc_now())
    assert not access.decide(alice.holder, uuid4(), {Category.ORDINARY: access.NO}, utc_now())
    assert alice.receipts() == before


@pytest.mark.parametrize("role", ["app", "gate", "owner", "postgres"])
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE public.receipt SET kind = 'value.shown'",
        "UPDATE public.receipt SET memory_id = NULL",
        "DELETE FROM public.receipt",
        "TRUNCATE public.receipt",
        "TRUNCATE public.receipt CASCADE",
    ],
)
def test_no_role_rewrites_it_not_even_its_owner(alice: Vault, cook: Assistant, role: str, statement: str) -> None:
    before = alice.receipts()
    where = "" if statement.startswith("TRUNCATE") else f" WHERE vault_id = '{alice.id}'"
    with databases.connect(role) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute(statement + where)
    assert alice.receipts() == before


def tampered(admin: Any, *statements: str) -> None:
    """What an operator can do who switches the triggers off."""
    admin.execute("SET session_replication_role = replica")
    try:
        for statement in statements:
            admin.execute(statement)
    finally:
        admin.execute("SET session_replication_role = origin")


FIELDS = {
    "at": "at + interval '1 second'",
    "kind": "'value.shown'",
    "actor": "'cli_' || repeat('0', 32)",
    "on_behalf_of": "'hld_' || repeat('0', 32)",
    "recipient": "'cli_' || repeat('0', 32)",
    "object": "'gra_' || repeat('0', 32)",
    "memory_id": "gen_random_uuid()",
    "version": "version + 1",
    "category": "'health'",
    "form": "'attested'",
    "reason": "'paused'",
    "request": "'req_' || repeat('0', 32)",
    "turn": "'trn_' || repeat('0', 32)",
    "purpose": "'finance'",
    "commitment": "sha256('x')",
    "salt": "decode(repeat('00', 16), 'hex')",
    "digest": "sha256('x')",
    "chain_hash": "sha256('x')",
}


@pytest.mark.parametrize("field", FIELDS)
def test_a_changed_field_is_found_and_its_line_is_named(alice: Vault, cook: Assistant, admin: Any, field: str) -> None:
    give(cook, "kitchen")
    cook.read("kitchen")
    (line,) = alice.receipts(kind="value.read")
    assert ledger.verify(alice.id, alice.holder.actor)
    where = f"vault_id = '{alice.id}' AND seq = {line.seq}"
    tampered(admin, f"UPDATE receipt SET {field} = {FIELDS[field]} WHERE {where}")
    verdict = ledger.verify(alice.id, alice.holder.actor)
    assert not verdict
    assert line.seq in [problem.seq for problem in verdict.problems]


def test_a_removed_line_leaves_a_gap(alice: Vault, cook: Assistant, admin: Any) -> None:
    read_ids(cook, [alice.ids["kitchen"]])
    seq = alice.receipts()[3].seq
    tampered(admin, f"DELETE FROM receipt WHERE vault_id = '{alice.id}' AND seq = {seq}")
    verdict = ledger.verify(alice.id, alice.holder.actor)
    assert ("gap", seq + 1) in [(problem.what, problem.seq) for problem in verdict.problems]


def test_two_lines_swapped_are_found(alice: Vault, admin: Any) -> None:
    where = f"vault_id = '{alice.id}' AND seq ="
    tampered(
        admin,
        f"UPDATE receipt SET seq = 100001 WHERE {where} 3",
        f"UPDATE receipt SET seq = 3 WHERE {where} 4",
        f"UPDATE receipt SET seq = 4 WHERE {where} 100001",
    )
    assert {problem.seq for problem in ledger.verify(alice.id, alice.holder.actor).problems} >= {3, 4}


def test_a_line_of_another_vault_does_not_fit(alice: Vault, mallory: Vault, admin: Any) -> None:
    tampered(
        admin,
        f"DELETE FROM receipt WHERE vault_id = '{alice.id}' AND seq = 2",
        f"UPDATE receipt SET vault_id = '{alice.id}' WHERE vault_id = '{mallory.id}' AND seq = 2",
    )
    problems = ledger.verify(alice.id, alice.holder.actor).problems
    assert 2 in [problem.seq for problem in problems]


def test_a_receipt_holds_no_free_text(alice: Vault, cook: Assistant) -> None:
    """Fixed fields from closed lists, ids and digests: nothing that a holder or a client wrote."""
    give(cook, "kitchen")
    for deed in deeds(alice, cook):
        deed()
    words = [*alice.secrets, *alice.labels.values(), "Cook", "Alice", QUESTION]
    for line in alice.receipts():
        assert not [word for word in words if word in repr(line)]


def test_the_commitment_is_keyed_and_no_guess_confirms_it(alice: Vault, cook: Assistant) -> None:
    """A plain hash of a short value is the value: eight blood groups are eight guesses."""
    alice.keep("blood", "O-negative", label="Blood group")
    give(cook, "blood")
    cook.read("blood")
    (line,) = alice.receipts(kind="value.read")
    about = f"muniment-value/1 {alice.id} {alice.ids['blood']} 1 ordinary false"
    for guess in ("O-negative", "O-", "O-negative\n"):
        for text in (
            guess,
            f"{about}\n{guess}",
            line.salt.decode("latin-1") + guess,
            guess + line.salt.decode("latin-1"),
        ):
            assert hashlib.sha256(text.encode()).digest() != line.commitment
    alice.keep("again", "O-negative", label="Blood group again")
    give(cook, "again")
    cook.read("again")
    lines: tuple[Receipt, ...] = alice.receipts(kind="value.read")
    assert lines[0].commitment != lines[1].commitment, "the same words twice are not linked"
