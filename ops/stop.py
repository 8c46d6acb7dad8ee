"""``make stop`` and ``make clean``."""

from __future__ import annotations

import os
import shutil
import signal
import time
from pathlib import Path

from ops.process import alive
from ops.state import CHECKOUT, State, existing, orphan_of, supervisor_of

KINDS = ("run", "test", "bench")
PATIENCE = 45.0


def stop(checkout: Path = CHECKOUT) -> int:
    """Stop every supervisor of this checkout, and any server that outlived one. Says what it stopped."""
    stopped = [line for kind in KINDS if (state := existing(kind, checkout)) for line in _stop(kind, state)]
    for line in stopped or ["Nothing of Muniment is running here."]:
        print(line, flush=True)
    return 0


def _stop(kind: str, state: State) -> list[str]:
    said: list[str] = []
    if pid := supervisor_of(state):
        what = "Muniment" if state.status().get("kind") == "run" else f"the servers of {kind}"
        os.kill(pid, signal.SIGTERM)
        until = time.monotonic() + PATIENCE
        while supervisor_of(state) and time.monotonic() < until:
            time.sleep(0.05)
        if supervisor_of(state):
            os.kill(pid, signal.SIGKILL)  # its children end with it
            time.sleep(1)
        said.append(f"Stopped {what} (process {pid}).")
    state.set_status(None)
    if orphan := orphan_of(state):
        os.kill(orphan, signal.SIGINT)
        until = time.monotonic() + PATIENCE
        while alive(orphan) and time.monotonic() < until:
            time.sleep(0.05)
        said.append(f"Stopped a PostgreSQL that had outlived its supervisor (process {orphan}).")
    return said


def clean(checkout: Path = CHECKOUT) -> int:
    """Stop, then remove all state and the virtual environment. Asks nothing, says what it removed."""
    stop(checkout)
    removed = [state.root for kind in KINDS if (state := existing(kind, checkout))]
    removed += [checkout / ".run", checkout / ".venv"]
    removed += [checkout / name for name in (".mypy_cache", ".ruff_cache", ".pytest_cache", ".import_linter_cache")]
    for folder in removed:
        if folder.is_dir():
            shutil.rmtree(folder)
            print(f"Removed {folder}", flush=True)
    return 0
