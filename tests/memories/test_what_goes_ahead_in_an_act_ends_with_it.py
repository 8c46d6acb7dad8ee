"""What an act sends ahead stands when the act does, and not before; whatever else becomes of the act, it is undone."""

from collections.abc import Callable

import pytest
from django.db import DatabaseError, connections

from apps.ledger.log import Act, act
from apps.memories import services as memories
from apps.memories import store
from apps.policy.ids import typed
from apps.policy.types import Holder, Memory, Refused
from apps.policy.vocabulary import ReceiptKind, State
from tests.cast import Vault
from vault.clock import utc_now


@pytest.fixture
def city(alice: Vault) -> Memory:
    """What is kept."""
    done = memories.add(alice.holder, label="City", value="Porto", now=utc_now())
    assert not isinstance(done, Refused)
    return done


def put_away(of: Holder, city: Memory, then: Callable[[Act], object], *, query: str = "") -> None:
    """An act that sends ahead that the memory is put away, and does something then."""
    with act(of.vault_id, of.actor) as acting:
        acting.later("UPDATE memory SET state = 'withdrawn' WHERE vault_id = %s", [of.vault_id])
        if query:
            acting.later(query)
        acting.hurry()
        acting.record(ReceiptKind.MEMORY_WITHDRAWN, object=typed("mem", city.memory_id))
        then(acting)


def state(of: Vault, city: Memory) -> State:
    found = memories.memory(of.holder, city.memory_id)
    assert found is not None
    return found.state


def test_it_stands_with_its_receipt(alice: Vault, city: Memory) -> None:
    before = len(alice.receipts())
    put_away(alice.holder, city, lambda acting: acting.later("SELECT 1"))
    assert state(alice, city) is State.WITHDRAWN
    assert len(alice.receipts()) == before + 1


def test_it_is_undone_where_nothing_is_done_after_all(alice: Vault, city: Memory) -> None:
    before = len(alice.receipts())
    put_away(alice.holder, city, Act.cancel)
    assert state(alice, city) is State.APPROVED
    assert len(alice.receipts()) == before


def test_it_is_undone_by_what_goes_wrong_here(alice: Vault, city: Memory) -> None:
    with pytest.raises(ZeroDivisionError):
        put_away(alice.holder, city, lambda _: 1 // 0)
    assert state(alice, city) is State.APPROVED


def test_it_is_undone_by_what_goes_wrong_there_and_says_what(alice: Vault, city: Memory) -> None:
    with pytest.raises(DatabaseError, match="division by zero"):
        put_away(alice.holder, city, lambda _: None, query="SELECT 1 / 0")
    assert state(alice, city) is State.APPROVED


def test_nothing_is_asked_behind_it(alice: Vault, city: Memory) -> None:
    with pytest.raises(DatabaseError):
        put_away(alice.holder, city, lambda acting: connections["default"].cursor().execute("SELECT 1"))
    assert state(alice, city) is State.APPROVED


def test_what_is_asked_once_it_is_settled_sees_it(alice: Vault, city: Memory) -> None:
    def look(acting: Act) -> None:
        acting.settle()
        found = store.memory(acting.vault_id, city.memory_id)
        assert found is not None and found.state is State.WITHDRAWN

    put_away(alice.holder, city, look)
    assert state(alice, city) is State.WITHDRAWN
