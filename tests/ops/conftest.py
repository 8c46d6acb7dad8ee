"""A checkout of its own for each test: the real programs run in it as an operator would run them."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


def clean_environment(**settings: str) -> dict[str, str]:
    """This process's environment without any setting of Muniment, plus those given."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("MUNIMENT_", "DATABASE_URL", "REDIS_URL", "DJANGO_", "PG", "PYTEST"))
    }
    return {**kept, **settings}


def until(true: Callable[[], object], seconds: float = 60, what: str = "it never came true") -> None:
    """Wait for a condition, at most so many seconds."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, what
        time.sleep(0.05)


@dataclass
class Checkout:
    """A folder with `ops` in it, in which `python -m ops` is run."""

    folder: Path

    def ops(self, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """Run `python -m ops` to its end."""
        return subprocess.run(
            [sys.executable, "-m", "ops", *words],
            cwd=self.folder,
            env=clean_environment(**settings),
            capture_output=True,
            text=True,
            timeout=120,
        )

    def start(self, *words: str, **settings: str) -> subprocess.Popen[bytes]:
        """Start `python -m ops` and leave it running, its output in `.run/said`."""
        (self.folder / ".run").mkdir(exist_ok=True)
        with (self.folder / ".run" / "said").open("wb") as output:
            return subprocess.Popen(
                [sys.executable, "-m", "ops", *words],
                cwd=self.folder,
                env=clean_environment(**settings),
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def state(self) -> Path:
        """The state folder it has chosen."""
        return Path((self.folder / ".run" / "state").read_text().strip())

    def status(self) -> dict[str, object]:
        import json

        try:
            found = json.loads((self.state / "status.json").read_text())
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def pid(self, part: str) -> int | None:
        parts = self.status().get("parts")
        return parts.get(part) if isinstance(parts, dict) else None


@pytest.fixture
def checkout() -> Iterator[Checkout]:
    """A short path that every account may enter; what runs from it is stopped, what it made is removed."""
    folder = Path(tempfile.mkdtemp(prefix="mun-", dir="/tmp"))
    folder.chmod(0o755)
    made = Checkout(folder)
    shutil.copytree(ROOT / "ops", folder / "ops", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "vault").mkdir()
    for name in ("__init__.py", "env.py"):  # by which it reads a server's URL
        shutil.copy(ROOT / "vault" / name, folder / "vault" / name)
    yield made
    made.ops("clean")
    shutil.rmtree(folder, ignore_errors=True)


def gone(pid: int) -> bool:
    """Whether a process has ended (a zombie has)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def kill(pid: int | None) -> None:
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
