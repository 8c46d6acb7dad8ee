"""`make run` for real, in a copy of the project: first page, kills, a clean end, a second start with nothing to do."""

import os
import re
import shutil
import signal
import socket
import subprocess
import urllib.request
from pathlib import Path

from ops.environment import PRIVILEGED
from tests.ops.conftest import ROOT, Checkout, gone, kill, until


def free_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as sock:
        return str(sock.getsockname()[1])


def page(port: str, path: str = "/healthz") -> int:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as response:
            return int(response.status)
    except OSError:
        return 0


def environment_of(pid: int | None) -> set[str]:
    """The names in a process's environment."""
    pairs = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return {pair.partition(b"=")[0].decode() for pair in pairs}


def size_of_log(port: str) -> int:
    """How many leaves the published log has; 0 before there is one."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/log/checkpoint", timeout=5) as response:
            return int(response.read().split(b"\n")[1])
    except OSError:
        return 0


def a_key_of_its_own(checkout: Checkout) -> None:
    """The log's keys are private, and where root can see to it no other part's account reads them."""
    key = checkout.state / "signing" / "log_key"
    until(key.exists, 20, "the log made no keys")
    assert key.stat().st_mode & 0o777 == 0o600
    owners = {part: Path(f"/proc/{checkout.pid(part)}").stat().st_uid for part in ("web", "worker", "beat", "log")}
    assert owners["log"] == key.stat().st_uid
    if os.geteuid() == 0 and owners["web"] != 0:
        assert owners["log"] not in (owners["web"], owners["worker"], owners["beat"])


def end(boss: subprocess.Popen[bytes]) -> None:
    os.kill(boss.pid, signal.SIGTERM)
    assert boss.wait(timeout=60) == 0


def test_a_run_from_nothing_to_a_second_start(checkout: Checkout) -> None:
    for name in ("apps", "vault"):
        unwanted = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, checkout.folder / name, ignore=unwanted, dirs_exist_ok=True)
    (checkout.folder / "requirements").mkdir()
    for name in ("manage.py", "requirements/runtime.txt"):
        shutil.copy(ROOT / name, checkout.folder / name)
    said = checkout.folder / ".run" / "said"

    port = free_port()
    with checkout.start("run", MUNIMENT_PORT=port) as boss:
        until(lambda: "Muniment is at" in said.read_text() or boss.poll() is not None, 180, "no address was printed")
        assert boss.poll() is None, said.read_text()
        assert f"Muniment is at http://localhost:{port}" in said.read_text()
        assert re.search(r"^Demo sign-in: \S+", said.read_text(), re.MULTILINE)
        assert page(port) == 200 and page(port, "/readyz") == 200

        for part in ("web", "worker", "beat"):
            held = environment_of(checkout.pid(part))
            assert not {name for name in held if name.removesuffix("_FILE") in PRIVILEGED or name in PRIVILEGED}
            assert not {name for name in held if name.startswith("MUNIMENT_LOG_")}
            assert {"MUNIMENT_DB_APP_URL", "MUNIMENT_DB_GATE_URL"} <= held
        held = environment_of(checkout.pid("log"))
        assert {name for name in held if name.startswith(("MUNIMENT_", "DATABASE", "REDIS"))} == {
            *("MUNIMENT_DB_LOG_URL", "MUNIMENT_LOG_KEY_FILE", "MUNIMENT_PUBLIC_URL", "MUNIMENT_STATE_DIR")
        }
        a_key_of_its_own(checkout)
        until(lambda: size_of_log(port) > 0, 20, "the demo's receipts did not come into the log")

        second = checkout.ops("run", MUNIMENT_PORT=free_port())
        assert second.returncode == 1 and "already running" in second.stderr

        for part in ("web", "worker", "beat", "log", "valkey", "postgres"):
            before = checkout.pid(part)
            kill(before)
            until(lambda part=part, before=before: checkout.pid(part) not in (None, before), what=f"{part} stayed away")
        until(lambda: page(port, "/readyz") == 200, 60, "it did not become ready again")
        parts = [pid for part in ("web", "worker", "beat", "log", "valkey", "postgres") if (pid := checkout.pid(part))]
        end(boss)
    assert all(gone(pid) for pid in parts)

    with checkout.start("run", MUNIMENT_PORT=port) as boss:
        until(lambda: page(port) == 200 or boss.poll() is not None, 60)
        assert "Preparing" not in said.read_text(), "nothing changed: nothing is to be prepared"
        end(boss)
