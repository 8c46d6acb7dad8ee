"""``make e2e``: the end-to-end tests, with the distribution's Chromium; it is installed where that is allowed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from ops.background import environment_for, use
from ops.servers import Servers
from ops.state import CHECKOUT

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
TESTS = "tests/e2e"
NO_TESTS_COLLECTED = 5


def browser() -> str | None:
    """The path of an installed Chromium, or None."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def install_browser(log: Path) -> str | None:
    """Install Debian's Chromium. Returns why that was not possible, or None."""
    if os.geteuid() != 0:
        return "there is no Chromium and only root may install one ('apt-get install chromium')"
    if not shutil.which("apt-get"):
        return "there is no Chromium and no apt-get to install it with"
    print("Installing Chromium with apt-get …", flush=True)
    environ = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    with log.open("wb") as output:
        for command in (
            ["apt-get", "update", "-q"],
            ["apt-get", "install", "-q", "-y", "--no-install-recommends", "chromium"],
        ):
            done = subprocess.run(command, env=environ, stdout=output, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0 or browser() is None:
        return f"Chromium could not be installed (see {log})"
    return None


def e2e(servers: Servers, arguments: Sequence[str]) -> int:
    """Run them all; without a browser those that need none, and say how many were left out and why."""
    why = None if browser() else install_browser(servers.state.log / "apt.log")
    users = use(servers)
    env = environment_for(servers)
    pytest = [sys.executable, "-m", "pytest", *(arguments or [TESTS])]
    if why is None:
        env["MUNIMENT_CHROMIUM"] = browser() or ""
        return subprocess.run(pytest, cwd=CHECKOUT, env=env, check=False).returncode
    listed = subprocess.run(
        [*pytest, "--collect-only", "-q", "-m", "e2e"],
        cwd=CHECKOUT,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    left_out = len(re.findall(r"^\S+::\S+", listed.stdout, re.MULTILINE))
    code = subprocess.run([*pytest, "-m", "not e2e"], cwd=CHECKOUT, env=env, check=False).returncode
    print(f"SKIPPED {left_out} browser tests: {why}.", flush=True)
    users.release()
    return 0 if code == NO_TESTS_COLLECTED else code
