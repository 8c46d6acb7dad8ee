"""A start from a fresh clone, the next one, and what the idle whole weighs."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import httpx2

from bench.instance import ROOT, free_port
from bench.registry import bench

WARM_STARTS = 3
IDLE_SECONDS = 20


@bench("cold_start_s", "seconds", better="lower", must=90, goal=45)
def cold() -> list[float]:
    """`make run` in a new clone to the first page, the package cache warm."""
    return _measured()[0]


@bench("warm_start_s", "seconds", better="lower", must=15, goal=6)
def warm() -> list[float]:
    """The same again, with everything there."""
    return _measured()[1]


@bench("idle_pss_mb", "MB", better="lower", must=700, goal=450)
def weight() -> list[float]:
    """Web, worker, beat and both servers, proportional set size, once idle."""
    return _measured()[2]


@cache
def _measured() -> tuple[list[float], list[float], list[float]]:
    cold_times, warm_times, weights = [], [], []
    # In /var/tmp, not /tmp: a path short enough for a socket, on a disk like the real one.
    with tempfile.TemporaryDirectory(prefix="mnm-", dir="/var/tmp", ignore_cleanup_errors=True) as folder:
        clone = Path(folder) / "m"
        Path(folder).chmod(0o755)
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        with _started(clone) as (seconds, _):
            cold_times.append(seconds)
        for _ in range(WARM_STARTS):
            with _started(clone) as (seconds, pid):
                warm_times.append(seconds)
                time.sleep(IDLE_SECONDS)
                weights.append(_pss_mb(pid))
        subprocess.run(["make", "clean"], cwd=clone, check=True, stdout=subprocess.DEVNULL)
    return cold_times, warm_times, weights


@contextmanager
def _started(clone: Path) -> Iterator[tuple[float, int]]:
    """`make run` there: the seconds to its first page, and its process id."""
    port = free_port()
    kept = ("PATH", "HOME", "LANG", "USER", "LOGNAME", "UV_CACHE_DIR", "PIP_CACHE_DIR")
    env = {name: os.environ[name] for name in kept if name in os.environ} | {"MUNIMENT_PORT": str(port)}
    env |= {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "UV_"))}
    began = time.monotonic()
    process = subprocess.Popen(["make", "run"], cwd=clone, env=env, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        while True:
            try:
                if httpx2.get(f"http://localhost:{port}/", timeout=2, follow_redirects=True).status_code == 200:
                    break
            except httpx2.HTTPError:
                pass
            if process.poll() is not None or time.monotonic() - began > 300:
                raise RuntimeError("make run did not come up")
            time.sleep(0.05)
        yield time.monotonic() - began, process.pid
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.wait(60)


def _pss_mb(root: int) -> float:
    """The proportional set size of a process and all it started, in MB."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(entry.name))
    total, waiting = 0, [root]
    while waiting:
        pid = waiting.pop()
        waiting += children.get(pid, [])
        try:
            rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
        except OSError:
            continue
        total += next((int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")), 0)
    return total / 1024
