"""Killed at random points under load: whatever value a client holds, its receipt is there after recovery.

FAULT_ROUNDS sets how many crashes each way of flushing is tried with. What dies here is processes; a power failure
also tests the disk's own promise to flush, which no program can.
"""

import os
import random
import threading
import time
from collections.abc import Iterator
from uuid import UUID

import psycopg
import pytest

from apps.ledger.management.commands.install_ticket_key import FLUSHES
from tests.faults.cluster import PATIENCE_SECONDS, Cluster
from tests.gate.cast import (
    Vault,
    check_chain,
    new_handle,
    open_vault,
    read_plan,
    stamp,
    take,
)

ROUNDS = int(os.environ.get("FAULT_ROUNDS", "12"))
CLIENTS = 12
VAULTS = 20
CRASHES = ["everybody", "immediate stop", "a backend", "the WAL writer", "the checkpointer"]
Value = tuple[UUID, int, UUID]


class Load:
    """Clients that read, half of them from one vault, and now and then commit an act. Keeps what they received."""

    def __init__(self, cluster: Cluster, vaults: list[Vault], function: str, acts: bool) -> None:
        self.cluster, self.vaults, self.function, self.acts = cluster, vaults, function, acts
        self.received: list[Value] = []
        self.over = threading.Event()
        self.threads = [threading.Thread(target=self._client, args=[number]) for number in range(CLIENTS)]

    def start(self) -> None:
        """Begin. Returns when somebody received something, however busy the machine is."""
        for thread in self.threads:
            thread.start()
        until = time.monotonic() + PATIENCE_SECONDS
        while not self.received:
            assert time.monotonic() < until, "nobody was handed anything"
            time.sleep(0.01)

    def stop(self) -> None:
        self.over.set()
        for thread in self.threads:
            thread.join()

    def _client(self, number: int) -> None:
        chance = random.Random(number)
        try:
            with self.cluster.connect("gate", autocommit=True) as gate, self.cluster.connect("app") as app:
                while not self.over.is_set():
                    vault = self.vaults[0] if chance.random() < 0.5 else chance.choice(self.vaults)
                    if self.acts and chance.random() < 0.1:
                        self._act(app, vault)
                    handle = new_handle()
                    made = read_plan(vault, *chance.sample(vault.memories, chance.randint(1, 5)))
                    if stamp(gate, vault, handle, made).outcome == "stamped":
                        rows = take(gate, vault, handle, function=self.function)
                        self.received += [(vault.id, row.seq, row.memory_id) for row in rows if row.ciphertext]
        except psycopg.Error:
            return  # the crash

    def _act(self, app: psycopg.Connection, vault: Vault) -> None:
        app.execute("SELECT gate.open(%s, %s)", [vault.id, vault.act_ticket])
        app.execute('SELECT gate.record(%s, %s, \'[{"kind": "grant.made"}]\')', [vault.id, vault.act_ticket])
        app.commit()


def crash(cluster: Cluster, how: str, load: Load) -> None:
    """Crash the server under the load, end the load, and have the server up again."""
    match how:
        case "everybody":
            cluster.kill_everybody()
        case "immediate stop":
            cluster.stop_immediately()
        case "a backend":
            cluster.kill_child("muniment_gate")
        case "the WAL writer":
            cluster.kill_child("walwriter")
        case "the checkpointer":
            cluster.kill_child("checkpointer")
    load.stop()
    if how in ("everybody", "immediate stop"):
        cluster.start()
    else:
        cluster.await_ready()


def play(
    cluster: Cluster, how: str, chance: random.Random, function: str = "gate.take", acts: bool = True
) -> list[Value]:
    """One round on new vaults; returns the values received without a receipt. Every chain must hold."""
    with cluster.connect("postgres", autocommit=True) as admin:
        vaults = [open_vault(admin) for _ in range(VAULTS)]
    load = Load(cluster, vaults, function, acts)
    load.start()
    time.sleep(chance.uniform(0.5, 2.0))
    crash(cluster, how, load)
    with cluster.connect("postgres", autocommit=True) as admin:
        rows = admin.execute("SELECT vault_id, seq, memory_id FROM receipt WHERE kind = 'value.read'").fetchall()
        lost = sorted(set(load.received) - set(rows))
        assert [check_chain(admin, vault.id)[1] for vault in vaults] == [[]] * VAULTS
    print(f"{how}: {len(load.received)} values received, {len(lost)} without a receipt")
    return lost


@pytest.fixture
def async_stamps(cluster: Cluster) -> Iterator[None]:
    with cluster.connect("postgres", autocommit=True) as admin:
        if admin.info.server_version < FLUSHES:
            pytest.skip("this server has no call that flushes, so that install_ticket_key refuses asynchronous stamps")
        admin.execute("UPDATE sealed.ticket_key SET async = true")
    yield
    with cluster.connect("postgres", autocommit=True) as admin:
        admin.execute("UPDATE sealed.ticket_key SET async = false")


def test_a_stamp_that_flushes(cluster: Cluster) -> None:
    chance = random.Random(1)
    for number in range(ROUNDS):
        assert play(cluster, CRASHES[number % len(CRASHES)], chance) == []


def test_a_take_that_flushes_for_it(cluster: Cluster, async_stamps: None) -> None:
    chance = random.Random(2)
    for number in range(ROUNDS):
        assert play(cluster, CRASHES[number % len(CRASHES)], chance) == []


def test_without_that_flush_receipts_are_lost(cluster: Cluster, async_stamps: None) -> None:
    """The control: the same loop finds the loss when `take` does not flush."""
    with cluster.connect("postgres", autocommit=True) as admin:
        row = admin.execute("SELECT pg_get_functiondef('gate.take(uuid, text, bytea)'::regprocedure)").fetchone()
        assert row is not None
        flush = "PERFORM pg_logical_emit_message(false, 'muniment', '', true);"
        assert flush in row[0]
        admin.execute("CREATE SCHEMA scratch")
        admin.execute("GRANT USAGE ON SCHEMA scratch TO muniment_gate")
        admin.execute(row[0].replace("gate.take(", "scratch.take(").replace(flush, "NULL;"))
        admin.execute("GRANT EXECUTE ON FUNCTION scratch.take(uuid, text, bytea) TO muniment_gate")
    chance = random.Random(3)
    for number in range(max(ROUNDS, 5)):
        if play(cluster, CRASHES[number % 3], chance, function="scratch.take", acts=False):
            return
    pytest.fail("no receipt was lost: the loop would not have seen a loss")
