"""On hold nothing is stamped, by whatever road and in every process; the ledger goes on being read and checked."""

import json
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from django.db import connections

from apps.access import services as access
from apps.ledger import hold
from apps.ledger import services as ledger
from apps.ledger.hold import OnHold
from apps.ledger.tickets import issue
from apps.memories import services as memories
from apps.policy.types import Refused
from apps.turns import services as turns
from tests import databases
from tests.cast import QUESTION, Assistant, Vault, canary, give, new_vault, register
from tests.threads import at_once
from vault.clock import utc_now


@pytest.fixture
def cook(alice: Vault) -> Assistant:
    return register(alice, "Cookbot")


def counts(admin: psycopg.Connection[Any]) -> list[Any]:
    """Everything that a stamp or an act could have left."""
    tables = ("public.receipt", "sealed.handle", "sealed.value", "sealed.chain_head", "public.memory", "public.vault")
    found = [admin.execute(f"SELECT count(*) FROM {table}").fetchone() for table in tables]
    return [*found, admin.execute("SELECT vault_id, seq, chain_hash FROM sealed.chain_head ORDER BY 1").fetchall()]


def test_no_deed_is_done_and_every_look_is(admin: psycopg.Connection[Any], alice: Vault, cook: Assistant) -> None:
    grant = give(cook, "kitchen")
    wish = cook.ask("kitchen")
    turn = turns.ask(alice.holder, QUESTION, utc_now())
    now, kitchen, holder = utc_now(), alice.ids["kitchen"], alice.holder
    deeds: dict[str, Callable[[], object]] = {
        "read": lambda: cook.read("kitchen"),
        "show": lambda: memories.show(holder, [kitchen]),
        "index": lambda: memories.rebuild_index(alice.id, [kitchen], now),
        "add": lambda: memories.add(holder, label="New", value=canary(), now=now),
        "correct": lambda: memories.correct(holder, kitchen, value=canary(), now=now),
        "propose": lambda: memories.propose(cook.caller, label="Pet", value="Rex", now=now),
        "cancel": lambda: access.cancel(cook.caller, wish.request_id, now),
        "revoke": lambda: access.revoke_grant(holder, grant.grant_id, now),
        "register": lambda: access.register(holder, name="Nobody", now=now),
        "ask": lambda: turns.ask(holder, QUESTION, now),
        "decide": lambda: turns.decide(holder, turn.turn_id, ordinary=frozenset({kitchen}), now=now),
        "enrol": lambda: new_vault("Another"),
    }
    before = counts(admin)
    looks = ledger.receipts(alice.id, holder.actor, limit=100)
    hold.put("for a test", None)
    for name, deed in deeds.items():
        with pytest.raises(OnHold):
            deed()
            pytest.fail(f"{name} was done on hold")
    assert counts(admin) == before
    assert ledger.receipts(alice.id, holder.actor, limit=100) == looks
    assert ledger.verify(alice.id, holder.actor)
    assert memories.memories(holder) and access.subjects(cook.caller) and turns.turn(holder, turn.turn_id)
    assert ledger.proof(alice.id, holder.actor, 1)


def test_a_handle_that_was_stamped_before_is_not_served_again(
    admin: psycopg.Connection[Any], alice: Vault, cook: Assistant
) -> None:
    """A repeated send is looked up by the stamp, and the stamp refuses before it looks."""
    give(cook, "kitchen")
    first = cook.read("kitchen", key="same")
    assert not isinstance(first, Refused) and first.released
    before = counts(admin)
    hold.put("for a test", None)
    with pytest.raises(OnHold):
        cook.read("kitchen", key="same")
    assert counts(admin) == before


def test_it_is_at_once_in_every_process(admin: psycopg.Connection[Any], alice: Vault, cook: Assistant) -> None:
    """Connections that have stamped before, with everything they have cached, refuse the next time."""
    give(cook, "kitchen")
    plan = {"kind": "value.shown", "object_kind": "hld", "object": None, "digest": "x" * 64}
    item = {"m": str(alice.ids["kitchen"]), "v": 1, "c": "ordinary", "s": "approved", "a": False, "f": "value"}
    actor = alice.holder.actor

    def stamp(gate: psycopg.Connection[Any], handle: bytes) -> Any:
        sent = [alice.id, issue(alice.id, actor, actor), handle, json.dumps(plan | {"items": [item]})]
        return gate.execute("SELECT outcome FROM gate.stamp(%s, %s, %s, %s::jsonb)", sent, prepare=True).fetchone()

    with databases.connect("gate", autocommit=True) as one, databases.connect("gate", autocommit=True) as other:
        for number in range(8):  # past the sixth a plan is kept
            assert stamp(one, bytes([number]) * 32) == ("stamped",)
            assert stamp(other, bytes([99 + number]) * 32) == ("stamped",)
        hold.put("for a test", None)
        for gate in (one, other):
            with pytest.raises(psycopg.DatabaseError) as refused:
                stamp(gate, b"n" * 32)
            assert refused.value.sqlstate == hold.SQLSTATE == "MU001"


def test_many_at_once_stamp_nothing_once_it_is_put(
    admin: psycopg.Connection[Any], alice: Vault, cook: Assistant
) -> None:
    give(cook, "kitchen")

    def reading(name: str) -> Callable[[], int]:
        def go() -> int:
            done = 0
            try:
                while True:
                    cook.read("kitchen", key=f"{name} {done}")
                    done += 1
            except OnHold:
                return done
            finally:
                for alias in connections:
                    connections[alias].close()

        return go

    def putting() -> Any:
        while admin.execute("SELECT count(*) FROM sealed.handle").fetchall()[0][0] < 20:
            pass
        hold.put("for a test", None)
        connections["log"].close()
        return None

    done = at_once([*[reading(f"client {number}") for number in range(4)], putting])
    assert [each for each in done if isinstance(each, Exception)] == []
    before = counts(admin)
    with pytest.raises(OnHold):
        cook.read("kitchen")
    assert counts(admin) == before
    assert ledger.verify(alice.id, alice.holder.actor), "what was under way ended whole"


# ---------------------------------------------------------------- who may put one, and who may lift it
@pytest.mark.parametrize("role", ["app", "gate"])
@pytest.mark.parametrize(
    "statement",
    [
        "SELECT gate.hold('because', NULL)",
        "SELECT gate.lift('because')",
        "UPDATE sealed.ticket_key SET held = false",
        "INSERT INTO log.hold (held, origin, reason) VALUES (false, 'x', 'x')",
        "UPDATE log.hold SET held = false",
        "DELETE FROM log.hold",
        "TRUNCATE log.hold",
        "UPDATE log.tree SET origin = 'another'",
        "SELECT note FROM log.evidence",
        "INSERT INTO log.evidence (digest, note) VALUES ('x', 'x')",
        "DELETE FROM log.evidence",
    ],
)
def test_the_web_s_roles_neither_put_nor_lift_one(instance: str, role: str, statement: str) -> None:
    hold.put("for a test", None)
    with databases.connect(role, autocommit=True) as web, pytest.raises(psycopg.errors.InsufficientPrivilege):
        web.execute(statement)
    assert hold.in_force()


def test_the_log_s_role_lifts_none_but_by_another_name(
    instance: str, publisher: ledger.Publisher, log_role: psycopg.Connection[Any]
) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        log_role.execute("UPDATE log.tree SET origin = 'another', size = size + 1")
    with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState):
        log_role.execute("SELECT gate.lift('nothing to lift')")
    hold.put("for a test", None)
    with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState):
        log_role.execute("SELECT gate.lift('under the same name')")
    for statement in ("UPDATE sealed.ticket_key SET held = false", "DELETE FROM log.hold"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            log_role.execute(statement)
    assert hold.in_force()


def test_what_was_put_stays_written_even_for_the_owner(instance: str, admin: psycopg.Connection[Any]) -> None:
    hold.put("for a test", b"a note")
    hold.put("for a test", b"a note")
    (found,) = hold.record()
    assert (found.held, found.reason, found.evidence) == (True, "for a test", b"a note")
    admin.execute("SET ROLE muniment_owner")
    for statement in ("UPDATE log.hold SET held = false", "DELETE FROM log.hold", "TRUNCATE log.hold"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            admin.execute(statement)


def test_a_ticket_key_that_is_installed_again_keeps_it(admin: psycopg.Connection[Any], alice: Vault) -> None:
    """The key's row is not in a backup: a restored database that was on hold is so again before anything is stamped."""
    from django.core.management import call_command

    hold.put("for a test", None)
    admin.execute("DELETE FROM sealed.ticket_key")
    call_command("install_ticket_key", verbosity=0)
    with pytest.raises(OnHold):
        alice.keep("tea")
