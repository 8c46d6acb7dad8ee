"""Whoever changes keys is killed at random points: every memory is readable, every key is of use, the product ends it.

FAULT_ROUNDS sets how many kills each command is tried with. What is killed is the operator's own command; what ends it
is the worker.
"""

# ruff: noqa: F811  (fixtures are imported)

import os
import random
import signal
import subprocess
import sys
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
from tests.databases import ROOT
from tests.erasure.workers import PATIENCE_SECONDS, Processes
from tests.gate.cast import check_chain
from tests.keys.conftest import admin, alice, alone  # noqa: F401  (fixtures)
from tests.keys.looks import copy_of, erase, plain, shown, talk
from vault.clock import utc_now

ROUNDS = int(os.environ.get("FAULT_ROUNDS", "6"))
MOST_ROUNDS = 4 * ROUNDS  # until so many fell where both keys were there
IN_THE_MIDDLE = 2
MEMORIES = 80
# Starts the command as it is typed, each time in a process of its own, with slices so small that there are many to fall
# between. It has loaded the product and forks: to start Python anew would take most of the time.
STARTER = """
import os, signal, sys, time
import django
django.setup()
from django.core.management import call_command
from apps.memories.management.commands import rotate_keys
from apps.memories.services import rotating
rotating.PAGE = 4
for line in sys.stdin:
    words, seconds = line.split("|")
    begun, child = time.monotonic(), os.fork()
    if child == 0:
        call_command("rotate_keys", *words.split(), stdout=sys.stderr)
        os._exit(0)
    if seconds.strip():
        time.sleep(float(seconds))
        os.kill(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(status, time.monotonic() - begun, flush=True)
"""
PRINTS_IN_USE = """
SELECT p.memory_id, p.version FROM value_print p WHERE p.vault_id = %(vault)s GROUP BY 1, 2
HAVING min(p.epoch) <> (SELECT min(k.epoch) FROM vault_key k WHERE k.vault_id = %(vault)s)
    OR max(p.epoch) > (SELECT max(k.epoch) FROM vault_key k WHERE k.vault_id = %(vault)s)
"""


class Starter:
    """Runs the command, and kills it."""

    def __init__(self, env: dict[str, str], said: Path) -> None:
        command, pipe = [sys.executable, "-c", STARTER], subprocess.PIPE
        with said.open("wb") as log:
            self.process = subprocess.Popen(command, cwd=ROOT, env=env, text=True, stdin=pipe, stdout=pipe, stderr=log)

    def change(self, words: str, kill_after: float | None = None) -> float:
        """Run it to its end, or kill it after so many seconds. Returns how long it ran."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(f"{words}|{kill_after or ''}\n")
        self.process.stdin.flush()
        status, seconds = self.process.stdout.readline().split()
        assert status == "0" or (kill_after is not None and int(status) == -signal.SIGKILL)
        return float(seconds)

    def end(self) -> None:
        self.process.communicate()


@pytest.fixture
def processes(alone: Path, tmp_path: Path) -> Iterator[Processes]:
    made = Processes(tmp_path, {"MUNIMENT_ROOT_KEY_FILE": str(alone)})
    made.broker.control.purge()
    yield made
    made.end()


@pytest.fixture
def starter(processes: Processes, tmp_path: Path) -> Iterator[Starter]:
    made = Starter(processes.environ, tmp_path / "starter.log")
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
def test_wherever_it_is_killed(alice: Vault, admin: Any, processes: Processes, starter: Starter, what: str) -> None:
    words = f"--vault {typed('vlt', alice.id)}" if what == "one vault" else "--root --at-once"
    for number in range(MEMORIES):
        alice.keep(f"memory {number}")
    asked = talk(alice)
    goes_on(alice, 0)
    takes, chance, fell = starter.change(words), random.Random(what), [0]
    while len(fell) <= ROUNDS or fell.count(2) < IN_THE_MIDDLE or fell[-1] != 2:
        assert len(fell) < MOST_ROUNDS, "nobody fell in the middle of it"
        goes_on(alice, len(fell))
        starter.change(words, chance.uniform(0, 2 * takes))  # of which one is for what the one before left
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
