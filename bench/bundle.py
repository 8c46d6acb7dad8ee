"""An audit bundle: making one of a vault's rows, and checking one; each against what it can not do without, and a peer.

The bundles are of two vaults in one database whose log has signed them: 10,000 and 100,000 receipts.
"""

import hashlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

from apps.holders import services as holders
from apps.ledger import services as ledger
from apps.ledger.format.bundle import verify_bundle
from apps.ledger.format.keys import VerifierKey
from apps.ledger.format.verdict import Trust, Verdict
from apps.policy.types import Holder
from bench import peers
from bench.registry import Samples, Skipped, bench
from tests import databases
from tests.long_chains import lengthen
from vault.clock import utc_now

FEW, MANY, REPETITIONS = 10_000, 100_000, 5
PEER = "inspeximus==3.23.1"
PEER_REPETITIONS = 3
# What getrusage says of a new process begins with what its parent had: the kernel's own peak does not.
MEMORY = """
import re, sys
from pathlib import Path
from apps.ledger.format.bundle import verify_bundle
with open(sys.argv[1], "rb") as file:
    code = verify_bundle(file).exit_code
print(code, re.search("VmHWM:\\\\s+(\\\\d+) kB", Path("/proc/self/status").read_text())[1])
"""


@bench("bundle_verify_vs_hashlib", "times", "lower", must=12, goal=4)
def verify_vs_hashlib() -> list[float]:
    """Checking a bundle of 100,000 receipts, from the file ÷ one SHA-256 over the file's bytes.

    In processor time of this thread, so that a neighbour's work does not count.
    """
    path, samples = files()[MANY], []
    for _ in range(REPETITIONS):
        bare = _thread_seconds(lambda: _hash(path))
        samples.append(_thread_seconds(lambda: _check(path)) / bare)
    return samples


@bench("bundle_verify_mb", "MB", "lower", must=200, goal=80)
def verify_mb() -> list[float]:
    """The most memory a process of its own ever had that checks the bundle of 100,000, Python included."""
    if not Path("/proc/self/status").exists():
        raise Skipped("this system does not say how much memory a process had at most")
    samples = []
    for _ in range(REPETITIONS):
        told = subprocess.run(
            [sys.executable, "-c", MEMORY, str(files()[MANY])],
            cwd=Path(__file__).resolve().parent.parent,
            check=True,
            capture_output=True,
            text=True,
        )
        code, kilobytes = map(int, told.stdout.split())
        assert code == 0
        samples.append(kilobytes / 1000)
    return samples


@bench("bundle_build_growth_10k_100k", "times", "lower", must=12, goal=10)
def build_growth() -> list[float]:
    """Making the bundle of 100,000 from its rows ÷ that of 10,000, on average of five before it and five after.

    The database's work is in it, and so is what the neighbours do: both sides take as long, to have the same of that.
    """
    samples = []
    for _ in range(REPETITIONS):
        few = [_seconds(lambda: _make(FEW)) for _ in range(5)]
        many = _seconds(lambda: _make(MANY))
        few += [_seconds(lambda: _make(FEW)) for _ in range(5)]
        samples.append(many / (sum(few) / len(few)))
    return samples


@bench("bundle_build_vs_peer", "times", "higher", must=5, goal=10)
def build_vs_peer() -> Samples:
    """inspeximus building a bundle of 10,000 receipts ÷ our making one of 10,000, from the database to a file."""
    theirs = [build for build, _ in peer_s()]
    return Samples([each / _seconds(lambda: _make(FEW)) for each in theirs], f"{PEER}: {min(theirs):.2f} s at best")


@bench("bundle_verify_vs_peer", "times", "higher", must=1, goal=2)
def verify_vs_peer() -> Samples:
    """inspeximus verifying a bundle of 10,000 receipts, in memory ÷ our checking one of 10,000, from a file."""
    path, theirs = files()[FEW], [verify for _, verify in peer_s()]
    return Samples([each / _seconds(lambda: _check(path)) for each in theirs], f"{PEER}: {min(theirs):.3f} s at best")


# ---------------------------------------------------------------- the scene
@cache
def folder() -> Path:
    """Where the files are."""
    return Path(tempfile.mkdtemp(prefix="muniment-bench-bundle-"))


@cache
def vaults() -> dict[int, Holder]:
    """The two vaults by how many receipts they have, in a log that holds them."""
    made = {
        count: holders.enrol(f"v{count}@measure.example", "Measured", None, space="Measured") for count in (FEW, MANY)
    }
    with databases.connect("postgres", autocommit=True) as admin:
        for count, holder in made.items():
            lengthen(admin, holder.vault_id, count - ledger.last_seq(holder.vault_id, holder.actor))
        admin.execute("VACUUM ANALYZE receipt")
    ledger.publisher(folder() / "log_key", origin="measure.example/log").step(everything=True)
    return made


@cache
def files() -> dict[int, Path]:
    """A bundle of each."""
    return {count: _make(count) for count in (FEW, MANY)}


def _make(count: int) -> Path:
    holder = vaults()[count]
    path = folder() / f"{count}.bundle.jsonl"
    with path.open("wb") as file:
        for part in ledger.bundle(holder.vault_id, holder.actor, utc_now()).parts:
            file.write(part)
    return path


def _check(path: Path) -> None:
    with path.open("rb") as file:
        report = verify_bundle(file, Trust(keys=tuple(map(VerifierKey.parse, ledger.vkeys()))))
    assert report.verdict is Verdict.IN_LEDGER, report.says


def _hash(path: Path) -> None:
    with path.open("rb") as file:
        hashlib.file_digest(file, "sha256").digest()


def _seconds(do: Callable[[], object]) -> float:
    started = time.perf_counter()
    do()
    return time.perf_counter() - started


def _thread_seconds(do: Callable[[], object]) -> float:
    started = time.thread_time()
    do()
    return time.thread_time() - started


@cache
def peer_s() -> list[tuple[float, float]]:
    """The peer's seconds to build and to verify. Raises Skipped where it cannot be had."""
    lines = peers.told(PEER, "_inspeximus.py", FEW, PEER_REPETITIONS)
    return [(float(build), float(verify)) for build, verify in map(str.split, lines)]
