"""Whoever changes keys is killed at random points: every memory is readable, every key is of use, the product ends it.

FAULT_ROUNDS sets how many kills each command is tried with. What is killed is the operator's own command; what ends it
is the worker.
"""

# ruff: noqa: F811  (fixtures are imported)

import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apps.memories import roots
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.turns import services as turns
from tests.cast import QUESTION, Vault, canary
from tests.erasure.workers import PATIENCE_SECONDS, Processes
from tests.faults.forking import Forking
from tests.gate.cast import check_chain
from tests.keys.conftest import admin, alice, alone  # noqa: F401  (fixtures)
from tests.keys.looks import copy_of, erase, plain, shown, talk
from vault.clock import utc_now

ROUNDS = int(os.environ.get("FAULT_ROUNDS", "6"))
MOST_ROUNDS = 10 * ROUNDS  # until so many fell where both keys were there
IN_THE_MIDDLE = 2
MEMORIES = 80
# The command as it is typed, with slices so small that there are many to fall between.
COMMAND = """
import sys
import django
django.setup()
from django.core.management import call_command
from apps.memories.management.commands import rotate_keys
from apps.memories.services import rotating
rotating.PAGE = 4
def task(*words):
    call_command("rotate_keys", *words, stdout=sys.stderr)
"""
PRINTS_IN_USE = """
SELECT p.memory_id, p.version FROM value_print p WHERE p.vault_id = %(vault)s GROUP BY 1, 2
HAVING min(p.epoch) <> (SELECT min(k.epoch) FROM vault_key k WHERE k.vault_id = %(vault)s)
    OR max(p.epoch) > (SELECT max(k.epoch) FROM vault_key k WHERE k.vault_id = %(vault)s)
"""


@pytest.fixture
def processes(alone: Path, tmp_path: Path) -> Iterator[Processes]:
    made = Processes(tmp_path, {"MUNIMENT_ROOT_KEY_FILE": str(alone)})
    made.broker.control.purge()
    yield made
    made.end()


@pytest.fixture
def operator(processes: Processes, tmp_path: Path) -> Iterator[Forking]:
    made = Forking(COMMAND, processes.environ, tmp_path / "operator.log")
    yield made
    made.end()


def epochs(admin: Any, vault: Vault) -> list[int]:
    """The vault's keys. Waits for whatever a process that was killed had sent."""
    admin.execute("BEGIN")
    admin.execute("SELECT FROM sealed.chain_head WHERE vault_id = %s FOR UPDATE", [vault.id])
    admin.execute("COMMIT")
    rows = admin.execute("SELECT epoch FROM vault_key WHERE vault_id = %s ORDER BY epoch", [vault.id]).fetchall()
    return [epoch for (epoch,) in rows]


def holds_together(vault: Vault, admin: Any, asked: Any) -> None:
    """Everything opens, by keys that are there, and whatever is recognised is."""
    copy = copy_of(admin, vault)
    (keys,) = admin.execute("SELECT count(*) FROM sealed.key WHERE vault_id = %s", [vault.id]).fetchone()
    assert len(copy.rows) == keys, "a value's key is wrapped by one that is not there"
    assert len(copy.opened()) == len(copy.rows)
    assert {row.root_epoch for row in copy.rows} <= roots.root_keys().keys()
    assert admin.execute(PRINTS_IN_USE, {"vault": vault.id}).fetchall() == []
    assert shown(vault) == plain(vault)
    told = turns.turn(vault.holder, asked)
    assert told is not None and told.question == QUESTION


def goes_on(vault: Vault, number: int) -> None:
    """The vault is in use meanwhile: something is kept, corrected, and erased."""
    vault.keep(f"new {number}")
    vault.values["kitchen"] = f"oven {canary()}"
    memories.correct(vault.holder, vault.ids["kitchen"], value=vault.values["kitchen"], now=utc_now())
    vault.keep(f"gone {number}")
    erase(vault, f"gone {number}")


def ended_by_the_worker(vault: Vault, processes: Processes, admin: Any) -> None:
    """An hour later, of which the beat tells the worker."""
    admin.execute("UPDATE vault_key SET made_at = made_at - interval '1 hour' WHERE vault_id = %s", [vault.id])
    processes.worker("worker")
    processes.broker.send_task("memories.turn_keys")
    until = time.monotonic() + PATIENCE_SECONDS
    while len(epochs(admin, vault)) > 1:
        assert time.monotonic() < until, processes.said("worker")
        time.sleep(0.05)


@pytest.mark.parametrize("what", ["one vault", "everything"])
def test_wherever_it_is_killed(alice: Vault, admin: Any, processes: Processes, operator: Forking, what: str) -> None:
    words = ("--vault", typed("vlt", alice.id)) if what == "one vault" else ("--root", "--at-once")
    for number in range(MEMORIES):
        alice.keep(f"memory {number}")
    asked = talk(alice)
    goes_on(alice, 0)
    somebody, begun = operator.start(*words), time.monotonic()
    assert operator.wait(somebody) == 0
    takes, chance, fell = time.monotonic() - begun, random.Random(what), [0]
    within = takes  # so long, at most, after it began somebody is killed: longer where it was so before it ended
    while len(fell) <= ROUNDS or fell.count(2) < IN_THE_MIDDLE or fell[-1] != 2:
        assert len(fell) < MOST_ROUNDS, "nobody fell in the middle of it"
        goes_on(alice, len(fell))
        somebody = operator.start(*words)
        time.sleep(chance.uniform(0, within))
        within *= 1.3 if operator.kill(somebody) else 0.7
        fell.append(len(epochs(admin, alice)))
        holds_together(alice, admin, asked)
    print(f"{what}: takes {takes:.2f} s; {len(fell) - 1} kills, {fell.count(2)} of them where both keys were there")

    ended_by_the_worker(alice, processes, admin)
    holds_together(alice, admin, asked)
    (newest,) = epochs(admin, alice)
    for table in ("sealed.key", "value_print", "turn"):
        under = admin.execute(f"SELECT DISTINCT epoch FROM {table} WHERE vault_id = %s", [alice.id]).fetchall()
        assert under == [(newest,)], table
    before = alice.values["kitchen"]
    memories.correct(alice.holder, alice.ids["kitchen"], value=f"oven {canary()}", now=utc_now())
    back = memories.correct(alice.holder, alice.ids["kitchen"], value=before, now=utc_now())
    assert getattr(back, "reason", None) == "echo", "what it said before is recognised by the new key"
    assert check_chain(admin, alice.id)[1] == []
