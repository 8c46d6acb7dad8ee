"""Erasure leaves a tombstone, and the ledger still verifies: what was done with a memory can be shown when nothing
says any more what it was.

Protects the holder from an erasure that takes the proof of what was handed over along; and whoever relies on the
ledger from a gap in it.
"""

import json
from typing import Any

import pytest

from apps.erasure import services as erasure
from apps.ledger import services as ledger
from apps.policy.erasing import Where
from tests.cast import Assistant, Vault, give
from tests.erasing import erase
from vault.clock import utc_now


@pytest.fixture
def read(alice: Vault, cook: Assistant) -> Assistant:
    """Somebody to whom two memories were handed over."""
    give(cook, "time", "kitchen")
    assert cook.read("time", "kitchen").released
    return cook


def test_what_was_handed_over_stays_on_the_record(alice: Vault, read: Assistant) -> None:
    handed = alice.handed()
    erase(alice, "time")
    assert alice.handed() == handed
    last = [each.kind for each in alice.receipts() if each.memory_id == alice.ids["time"]][-1]
    assert last == "memory.erased"


def test_the_chain_holds_before_between_and_after(alice: Vault, read: Assistant) -> None:
    for names in (("time",), ("kitchen", "pills"), ("budget", "friday", "diary")):
        assert not ledger.verify(alice.id, alice.holder.actor).problems
        erase(alice, *names)
    verdict = ledger.verify(alice.id, alice.holder.actor)
    assert not verdict.problems and verdict.count == len(alice.receipts())


def test_a_tombstone_says_when_and_by_which_order_and_nothing_else(alice: Vault, admin: Any) -> None:
    done = erase(alice, "pills")
    row = "SELECT to_jsonb(t) FROM tombstone t WHERE vault_id = %s AND memory_id = %s"
    (told,) = admin.execute(row, [alice.id, alice.ids["pills"]]).fetchone()
    assert told.keys() == {"vault_id", "memory_id", "order_id", "at", "hidden"}
    assert told["order_id"] == str(done.order_id)


def test_a_receipt_of_what_was_erased_is_checked_offline(alice: Vault, read: Assistant) -> None:
    from apps.ledger.format.verdict import Verdict
    from apps.ledger.format.verifying import verify

    seq = next(each.seq for each in alice.receipts(kind="value.read") if each.memory_id == alice.ids["time"])
    erase(alice, "time")
    report = verify(json.dumps(ledger.proof(alice.id, alice.holder.actor, seq)).encode())
    assert report.verdict is Verdict.NOT_CHECKED and not report.findings, "unaltered; the log is another matter"


def test_nobody_can_try_a_guess_against_it(alice: Vault, read: Assistant, admin: Any) -> None:
    """A receipt's commitment is keyed with a key that died with the value: no row holds what it could be tried with."""
    erase(alice, "time")
    for table in ("sealed.key", "sealed.value", "value_print"):
        count = f"SELECT count(*) FROM {table} WHERE vault_id = %s AND memory_id = %s"
        assert admin.execute(count, [alice.id, alice.ids["time"]]).fetchone() == (0,)


def test_a_memory_cannot_be_erased_twice(alice: Vault) -> None:
    erase(alice, "time")
    before = len(alice.receipts())
    again = erasure.order(alice.holder, Where(ids=frozenset({alice.ids["time"]})), utc_now())
    assert not again
    assert len(alice.receipts()) == before
