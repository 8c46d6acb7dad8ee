"""Other programs, each in an environment of its own, so that they are measured in the same run as ours."""

import shutil
import subprocess
import sys
from pathlib import Path

from bench.registry import Skipped
from ops.state import run_folder

HERE = Path(__file__).parent


def told(peer: str, script: str, *arguments: object) -> list[str]:
    """The lines that a script beside this one printed, run by a Python that has `peer` (`name==version`) installed.

    Raises Skipped where it cannot be installed or run.
    """
    python = _installed(peer) / "bin" / "python"
    command = [str(python), "-W", "ignore", str(HERE / script), *map(str, arguments)]
    return _run(command, f"{peer} did not run").splitlines()


def _installed(peer: str) -> Path:
    home = run_folder("bench") / "peers" / peer.replace("==", "-")
    if not (home / "installed").exists():
        shutil.rmtree(home, ignore_errors=True)
        _run([sys.executable, "-m", "venv", str(home)], "its environment could not be made")
        pip = [str(home / "bin" / "python"), "-m", "pip", "install", "--quiet", "--no-input", peer]
        _run(pip, f"{peer} could not be installed")
        (home / "installed").touch()
    return home


def _run(command: list[str], else_say: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Skipped(f"{else_say}: {(done.stderr.strip().splitlines() or ['it said nothing'])[-1]}")
    return done.stdout
