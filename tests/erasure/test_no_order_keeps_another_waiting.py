"""An order that cannot be gone on with, however often it is tried, keeps no other from its turn."""

from typing import Any
from uuid import UUID

import pytest

from apps.erasure import services as erasure
from apps.erasure import tasks
from apps.policy.erasing import Order, Plan, Where
from tests.cast import Vault
from vault.clock import utc_now

TOUCHED = "UPDATE erasure_order SET touched_at = now() - %s * interval '1 minute' WHERE order_id = %s"
SPOILT = "UPDATE erasure_order SET counts = '[]' WHERE order_id = %s"  # which no certificate can say
MENDED = "UPDATE erasure_order SET counts = '{}' WHERE order_id = %s"
LAST = 10_000_000  # minutes: longer than any order that another test left here


def left(vault: Vault, name: str) -> UUID:
    """An order that whoever made it did not see to its end."""
    where = Where(ids=frozenset({vault.ids[name]}))
    plan = erasure.preview(vault.holder, where)
    assert isinstance(plan, Plan)
    made = erasure.order(vault.holder, where, utc_now(), plan=plan.digest, search=True)
    assert isinstance(made, Order) and not made.certified
    return made.order_id


def certified(vault: Vault, order_id: UUID) -> bool:
    found = erasure.erasure(vault.holder, order_id)
    return found is not None and found.certified


def test_one_that_is_spoilt_is_tried_behind_those_that_were_not(
    alice: Vault, admin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoilt, whole = left(alice, "time"), left(alice, "kitchen")
    admin.execute(SPOILT, [spoilt])
    admin.execute(TOUCHED, [LAST + 1, spoilt])
    admin.execute(TOUCHED, [LAST, whole])
    monkeypatch.setattr(tasks, "BATCH", 1)
    assert tasks.sweep() == 1
    assert not certified(alice, spoilt) and not certified(alice, whole)
    assert tasks.sweep() == 1
    assert not certified(alice, spoilt) and certified(alice, whole)


def test_one_that_can_be_gone_on_with_again_is(alice: Vault, admin: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    spoilt = left(alice, "time")
    monkeypatch.setattr(tasks, "BATCH", 1)
    admin.execute(SPOILT, [spoilt])
    admin.execute(TOUCHED, [LAST, spoilt])
    tasks.sweep()
    admin.execute(MENDED, [spoilt])
    assert not [each for each in erasure.due(1_000) if each[1] == spoilt], "it was touched just now"
    admin.execute(TOUCHED, [LAST, spoilt])
    assert tasks.sweep() == 1
    assert certified(alice, spoilt)


def test_whoever_is_told_of_one_has_it_for_a_minute(alice: Vault, admin: Any) -> None:
    waiting = left(alice, "time")
    admin.execute(TOUCHED, [LAST, waiting])
    assert erasure.due(1) == ((alice.id, waiting),)
    assert (alice.id, waiting) not in erasure.due(1_000)
