"""A read that cannot be stamped does not happen: with a broken ledger nothing is handed over, nothing is spent.

Protects the holder from a server that runs on while its record is gone.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import Error as DatabaseError
from django.db import connections

from apps.access import services as access
from apps.memories import services as memories
from apps.turns import services as turns
from tests.cast import QUESTION, Assistant, Vault, canary, give
from tests.peers import openai
from tests.properties.conftest import Surface
from vault.clock import utc_now

WAYS = {
    "the ledger is gone": ("ALTER TABLE receipt RENAME TO gone", "ALTER TABLE gone RENAME TO receipt"),
    "it may not be written": (
        "REVOKE INSERT ON receipt FROM muniment_gate_owner",
        "GRANT INSERT ON receipt TO muniment_gate_owner",
    ),
    "it takes no more": (
        "ALTER TABLE receipt ADD CONSTRAINT full_up CHECK (false) NOT VALID",
        "ALTER TABLE receipt DROP CONSTRAINT full_up",
    ),
    "the head is gone": (
        "ALTER TABLE sealed.chain_head RENAME TO beheaded",
        "ALTER TABLE sealed.beheaded RENAME TO chain_head",
    ),
}


@pytest.fixture(params=list(WAYS))
def way(request: Any) -> str:
    found: str = request.param
    return found


@contextmanager
def broken(admin: Any, way: str) -> Iterator[None]:
    """The ledger of this worker's own database, broken by its administrator and put back."""
    breaks, mends = WAYS[way]
    admin.execute(breaks)
    try:
        yield
    finally:
        for alias in ("default", "gate"):
            connections[alias].close()
        admin.execute(mends)


def tried(deed: Any, *given: Any) -> Any:
    """What a deed gives; None where it fails, as the services do when the database says no."""
    try:
        return deed(*given)
    except DatabaseError:
        return None


def test_a_read_that_cannot_be_stamped_does_not_happen(
    alice: Vault, cook: Assistant, admin: Any, surface: Surface, way: str
) -> None:
    grant = give(cook, "kitchen", reads=1)
    client = surface.client(cook)
    with broken(admin, way):
        got = tried(client.read, [alice.mem("kitchen")])
        assert not got
        assert alice.values["kitchen"] not in repr(got)
        if got is not None:
            assert got.code == "receipt-unavailable"
    left = access.grant(alice.holder, grant.grant_id)
    assert left and left.reads_left == 1, "nothing was spent"
    assert alice.handed() == []
    after = client.read([alice.mem("kitchen")])
    assert after and after.values == {alice.mem("kitchen"): alice.values["kitchen"]}, "mended, it is served"


def test_the_holder_is_shown_nothing_unrecorded_either(alice: Vault, admin: Any, near: Surface, way: str) -> None:
    holder = near.holder(alice.holder)
    with broken(admin, way):
        assert alice.values["pills"] not in repr(tried(holder.show, [alice.mem("pills")]))
    assert holder.show([alice.mem("pills")]) == {alice.mem("pills"): alice.values["pills"]}


def test_the_model_is_told_nothing(alice: Vault, admin: Any, model: openai.Model, way: str) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    chosen = frozenset({alice.ids["kitchen"]})
    turns.decide(alice.holder, asked.turn_id, ordinary=chosen, now=utc_now())
    with broken(admin, way), pytest.raises(DatabaseError):
        list(turns.answer(alice.holder, asked.turn_id, utc_now()))
    assert model.answers == []
    list(turns.answer(alice.holder, asked.turn_id, utc_now()))
    assert alice.values["kitchen"] in model.answers[0]


def test_the_indexer_reads_nothing(alice: Vault, admin: Any, way: str) -> None:
    with broken(admin, way), pytest.raises(DatabaseError):
        memories.rebuild_index(alice.id, [alice.ids["kitchen"]], utc_now())
    assert alice.receipts(kind="value.indexed") == ()


def test_nothing_is_kept_changed_or_decided_unrecorded(alice: Vault, cook: Assistant, admin: Any, way: str) -> None:
    """Effect and receipt commit together or not at all, whatever the deed."""
    grant = give(cook, "time")
    wish = cook.ask("kitchen")
    made = memories.propose(cook.caller, label="City", value="Porto", now=utc_now())
    assert made
    now, kitchen = utc_now(), alice.ids["kitchen"]
    caller, holder = cook.caller, alice.holder
    decisions = {part.part.category: access.Decision(frozenset({kitchen})) for part in wish.parts}
    deeds = {
        "add": lambda: memories.add(holder, label="New", value=canary(), now=now),
        "correct": lambda: memories.correct(holder, kitchen, value=canary(), now=now),
        "put away": lambda: memories.put_away(holder, kitchen, now),
        "propose": lambda: memories.propose(caller, label="Pet", value="Rex", now=now),
        "approve": lambda: memories.approve(holder, made.proposal_id, now=now, value="Lisbon"),
        "reject": lambda: memories.reject(holder, made.proposal_id, now),
        "decide": lambda: access.decide(holder, wish.request_id, decisions, now),
        "revoke": lambda: access.revoke_grant(holder, grant.grant_id, now),
        "register": lambda: access.register(holder, name="Nobody", now=now),
        "ask": lambda: turns.ask(holder, QUESTION, now),
    }
    before = _picture(alice, cook)
    with broken(admin, way):
        for name, deed in deeds.items():
            with pytest.raises(DatabaseError):
                deed()
                pytest.fail(f"{name} was done without a receipt")
    assert _picture(alice, cook) == before


def _picture(vault: Vault, assistant: Assistant) -> list[object]:
    return [
        memories.memories(vault.holder),
        memories.proposals(vault.holder, None),
        access.grants(vault.holder),
        access.clients(vault.holder),
        access.waiting(vault.holder, utc_now()),
        turns.recent(vault.holder),
        vault.receipts(),
    ]
