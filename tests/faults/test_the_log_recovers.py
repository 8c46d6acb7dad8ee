"""Publishers and the server are killed at random points under load: the log goes on, nothing it signed is taken back.

FAULT_ROUNDS sets how many crashes. Every checkpoint that anybody saw, and the last that each process remembers having
signed, is one of the trees that the leaves make in the end.
"""

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from apps.ledger.format.checkpoint import parse_signed
from apps.ledger.format.keys import VerifierKey
from apps.ledger.format.merkle import Compact
from ops.environment import base
from tests.databases import ROOT
from tests.faults.cluster import Cluster
from tests.faults.forking import Forking
from tests.faults.test_a_crash_loses_no_receipt_of_a_value import CRASHES, VAULTS, Load, crash
from tests.gate.cast import open_vault

ROUNDS = int(os.environ.get("FAULT_ROUNDS", "10"))
PUBLISHERS = 2
ORIGIN = "vault.example/log"
# What publish_log does, without its pauses: a kill then falls into a step and not between two.
TIRELESS = f"""
import django
django.setup()
from pathlib import Path
from django.conf import settings
from apps.ledger import services as ledger
def task():
    publisher = ledger.publisher(Path(settings.LOG_KEY_FILE), origin="{ORIGIN}")
    while True:
        publisher.step(everything=True)
"""


class Publishers:
    """Several processes on one log with one key file, killed and started again."""

    def __init__(self, forking: Forking) -> None:
        self.forking = forking
        self.kills = 0
        self.processes = [forking.start() for _ in range(PUBLISHERS)]

    def kill_one(self, chance: random.Random) -> None:
        number = chance.randrange(PUBLISHERS)
        self.kills += self.forking.kill(self.processes[number])
        self.processes[number] = self.forking.start()

    def end(self) -> None:
        for process in self.processes:
            self.forking.kill(process)


class Witness:
    """Somebody who fetches the checkpoint as often as possible, as the web role serves it."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.seen: dict[int, bytes] = {}
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._watch)
        self.thread.start()

    def _watch(self) -> None:
        while not self.over.is_set():
            try:
                with self.cluster.connect("app", autocommit=True) as app:
                    while not self.over.is_set():
                        query = "SELECT size, note FROM log.checkpoint ORDER BY size DESC LIMIT 1"
                        for size, note in app.execute(query).fetchall():
                            assert self.seen.setdefault(size, note) == note, "two checkpoints of one size"
                        time.sleep(0.01)
            except psycopg.Error:
                time.sleep(0.05)

    def end(self) -> None:
        self.over.set()
        self.thread.join()


@pytest.fixture
def env(cluster: Cluster, tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of the log's process."""
    yield {
        **base(keep_settings=False),
        "DJANGO_SETTINGS_MODULE": "vault.log_settings",
        "MUNIMENT_DB_LOG_URL": cluster.url("muniment_log"),
        "MUNIMENT_LOG_KEY_FILE": str(tmp_path / "log_key"),
        "MUNIMENT_LOG_ORIGIN": ORIGIN,
    }


@pytest.fixture
def forking(env: dict[str, str], tmp_path: Path) -> Iterator[Forking]:
    made = Forking(TIRELESS, env, tmp_path / "publishers.log")
    yield made
    made.end()


def manage(env: dict[str, str], *words: str) -> str:
    """A command that must succeed; what it says."""
    argv = [sys.executable, "manage.py", *words]
    done = subprocess.run(argv, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_whatever_is_killed(cluster: Cluster, env: dict[str, str], forking: Forking, tmp_path: Path) -> None:
    chance = random.Random(7)
    manage(env, "publish_log", "--once")
    seen: dict[int, bytes] = {}
    kills = 0
    for number in range(ROUNDS):
        with cluster.connect("postgres", autocommit=True) as admin:
            vaults = [open_vault(admin) for _ in range(VAULTS)]
        load, publishers, witness = Load(cluster, vaults, "gate.take", True), Publishers(forking), Witness(cluster)
        load.start()
        try:
            for _ in range(4):
                time.sleep(chance.uniform(0.2, 1.5))
                publishers.kill_one(chance)
            time.sleep(1.0)
            crash(cluster, CRASHES[number % len(CRASHES)], load)
        finally:
            load.stop()
            publishers.end()
            witness.end()
        kills += publishers.kills
        signed = (tmp_path / "log_key.signed").read_bytes()
        manage(env, "publish_log", "--once")
        assert "everything agrees" in manage(env, "fsck_ledger")
        with cluster.connect("app") as app:
            seen = check(app, seen | witness.seen, signed)
    print(f"{ROUNDS} crashes of the server, {kills} of a publisher, {len(seen)} checkpoints, {max(seen)} leaves")
    assert kills > ROUNDS and len(seen) > ROUNDS


def check(app: "psycopg.Connection[Any]", seen: dict[int, bytes], signed: bytes) -> dict[int, bytes]:
    """Every checkpoint that is stored, was ever seen, or was signed and then lost is of the leaves as they are now."""
    stored = dict(app.execute("SELECT size, note FROM log.checkpoint").fetchall())
    assert {size: stored.get(size) for size in seen} == seen, "what was shown is gone, or is another"
    (vkey,) = [VerifierKey.parse(str(row[0])) for row in app.execute("SELECT vkey FROM log.key").fetchall()]
    hashes = [bytes(row[0]) for row in app.execute("SELECT leaf_hash FROM log.leaf ORDER BY index").fetchall()]
    tree = Compact()
    for checkpoint, note in sorted(map(parse_signed, [*stored.values(), signed]), key=lambda each: each[0].size):
        tree = tree.extend(hashes[tree.size : checkpoint.size])
        note.verify([vkey])
        assert (checkpoint.origin, checkpoint.root) == (ORIGIN, tree.root())
    return stored
