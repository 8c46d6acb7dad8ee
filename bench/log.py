"""The instance's log: growing its tree, proving a leaf in it, and what it costs a read that goes on beside it."""

import hashlib
import os
import random
import secrets
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID

import httpx2
from django.conf import settings

from apps.ledger import tree
from apps.ledger.format.checkpoint import Checkpoint
from apps.ledger.format.leaf import Leaf, tag_of
from apps.ledger.format.merkle import EMPTY_ROOT, inclusion_proof, leaf_hash
from apps.ledger.format.tiles import Edge, Tile, TileNodes
from bench.instance import ROOT, Instance, instance
from bench.registry import bench
from bench.rest import prepared
from tests import databases

LEAVES, BATCH, REPETITIONS = 100_000, 1_000, 5
SMALL, LARGE, PROOFS = 1_000, 1_000_000, 200
ROUNDS, READS = 6, 150
PSEUDONYMS = bytes(32)


@bench("leaves_vs_hashlib", "ratio", "higher", must=0.15, goal=0.4)
def leaves_vs_hashlib() -> list[float]:
    """Hashing 100,000 leaves and nothing else ÷ integrating them: hashes, tiles and root, a thousand at a time.

    In processor time of this thread, so that a neighbour's work does not count.
    """
    entries = [_entry(number) for number in range(LEAVES)]
    samples = []
    for _ in range(REPETITIONS):
        started = time.thread_time()
        for entry in entries:
            hashlib.sha256(b"\x00" + entry).digest()
        between = time.thread_time()
        edge = Edge()
        for first in range(0, LEAVES, BATCH):
            edge, _ = edge.integrate([leaf_hash(entry) for entry in entries[first : first + BATCH]])
            edge.root()
        samples.append((between - started) / (time.thread_time() - between))
    return samples


@bench("proof_growth_1k_1m", "times", "lower", must=2.5, goal=1.8)
def proof_growth() -> list[float]:
    """Making an inclusion proof in the tree of the first million leaves ÷ in that of the first thousand.

    From the rows of one database, as a receipt's file is made; the two take turns proof by proof.
    """
    with _a_million_leaves():
        draw = random.Random(1)
        _prove(draw, LARGE), _prove(draw, SMALL)
        samples = []
        for _ in range(REPETITIONS):
            pairs = [(_prove(draw, LARGE), _prove(draw, SMALL)) for _ in range(PROOFS)]
            samples.append(_median_ratio(pairs))
        return samples


@bench("read_latency_publishing_vs_idle", "times", "lower", must=1.10, goal=1.03)
def read_latency() -> list[float]:
    """Six ratios of medians: a read of one value while the log's process publishes ÷ while it is stopped.

    Every read grows the vault's chain, so that there is something to publish at every look. Both in one run: the
    process is halted and goes on, turn by turn.
    """
    with instance("publishing", settings="bench.settings") as running, _publishing(running) as log:
        key, memory = prepared(running)
        with httpx2.Client(base_url=running.url, headers={"Authorization": f"Bearer {key}"}, timeout=30) as http:

            def read() -> float:
                began = time.perf_counter()
                body = {"memories": [memory], "purpose": "answer"}
                answer = http.post("/api/v1/reads", json=body, headers={"Idempotency-Key": secrets.token_hex(8)})
                if answer.status_code != 200 or not answer.json()["handed_over"]:
                    raise RuntimeError(f"a read did not hand over: {answer.text[:200]}")
                return time.perf_counter() - began

            _halves(log, read)
            return [_median_ratio([(busy, idle)]) for busy, idle in (_halves(log, read) for _ in range(ROUNDS))]


def _entry(number: int) -> bytes:
    vault = str(UUID(int=number % 5_000))
    return Leaf(tag_of(PSEUDONYMS, vault), number + 1, hashlib.sha256(number.to_bytes(8, "big")).digest()).to_bytes()


@contextmanager
def _a_million_leaves() -> Iterator[None]:
    """A database of its own whose log has a million leaves."""
    before = str(settings.DATABASES["default"]["NAME"])
    databases.fresh("muniment_bench_log")
    try:
        tree.begin("measure.example/log", EMPTY_ROOT)
        edge, head = Edge(), Checkpoint("measure.example/log", 0, EMPTY_ROOT)
        for first in range(0, LARGE, 20_000):
            leaves = [_leaf(number) for number in range(first, first + 20_000)]
            edge, tiles = edge.integrate([leaf.leaf_hash for leaf in leaves])
            new = Checkpoint(head.origin, edge.size, edge.root())
            assert tree.append(head, new, leaves, tiles)
            head = new
        with databases.connect("postgres", autocommit=True) as admin:
            admin.execute("VACUUM ANALYZE log.leaf, log.tile")
        yield
    finally:
        databases.drop("muniment_bench_log")
        databases.point_at(before)


def _leaf(number: int) -> tree.NewLeaf:
    entry = _entry(number)
    return tree.NewLeaf(UUID(int=number % 5_000), number + 1, PSEUDONYMS, entry, leaf_hash(entry))


def _prove(draw: random.Random, size: int) -> float:
    index = draw.randrange(size)
    began = time.perf_counter()
    inclusion_proof(TileNodes(size, _tile), index, size)
    return time.perf_counter() - began


def _tile(name: Tile) -> bytes:
    return tree.tile(name) or b""


def _median_ratio(pairs: list[tuple[float, float]]) -> float:
    return statistics.median(first for first, _ in pairs) / statistics.median(second for _, second in pairs)


@contextmanager
def _publishing(running: Instance) -> Iterator["subprocess.Popen[bytes]"]:
    """The log's process beside a running instance, as the supervisor starts it."""
    with tempfile.TemporaryDirectory() as folder:
        url = urlsplit(os.environ["MUNIMENT_DB_LOG_URL"])._replace(path=f"/{running.database}").geturl()
        env = {
            **running.env,
            "DJANGO_SETTINGS_MODULE": "vault.log_settings",
            "MUNIMENT_DB_LOG_URL": url,
            "MUNIMENT_LOG_KEY_FILE": str(Path(folder) / "log_key"),
        }
        argv = [sys.executable, "manage.py", "publish_log"]
        log = subprocess.Popen(argv, cwd=ROOT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield log
            if log.poll() is not None:
                raise RuntimeError("the log's process ended while it was measured")
        finally:
            log.send_signal(signal.SIGCONT)
            log.terminate()
            log.wait(20)


def _halves(log: "subprocess.Popen[bytes]", read: Callable[[], float]) -> tuple[float, float]:
    """The median of some reads while the log publishes, and of as many while it is halted."""
    log.send_signal(signal.SIGCONT)
    end, busy = time.monotonic() + 4.5, []  # two looks at least
    while time.monotonic() < end or len(busy) < READS:
        busy.append(read())
    log.send_signal(signal.SIGSTOP)
    idle = [read() for _ in busy]
    return statistics.median(busy), statistics.median(idle)
