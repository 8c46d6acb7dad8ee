"""Make the virtual environment and install the locked requirements. Needs Python alone.

Run under the system's Python by the Makefile: ``python3 ops/setup.py dev``. A stamp in the environment
names the lock file it was made from, so a second start installs nothing. This file also parses under
Pythons that are too old, so that they can be told so.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

LEAST = (3, 11)
UV = "uv==0.13.9"
NEEDED_MB = 1200
CHECKOUT = Path(__file__).resolve().parent.parent
# The developer's set holds the whole runtime, so it serves for that too.
SERVED_BY = {"runtime": ("runtime", "dev"), "dev": ("dev",)}


class Refusal(Exception):
    """What is missing, as one sentence that says what to do."""


def check_python(version: Sequence[int], program: str) -> None:
    """Refuse a Python that is too old."""
    if (version[0], version[1]) < LEAST:
        raise Refusal(
            f"Python {version[0]}.{version[1]} is too old ({program}): "
            "install Python 3.11 or newer, or name one: make run PYTHON=/path/to/python3.11"
        )


def check_space(folder: Path, needed_mb: int = NEEDED_MB) -> None:
    """Refuse to begin an installation that the disk cannot hold."""
    free = shutil.disk_usage(str(folder)).free // 2**20
    if free < needed_mb:
        raise Refusal(
            f"The disk under {folder} has {free} MB free and the installation needs {needed_mb} MB: "
            "free some space and start again."
        )


def make_venv(venv: Path) -> None:
    """Make the environment, or say which package of the system is missing."""
    try:
        import ensurepip  # noqa: F401 - a Debian without python3-venv lacks it
    except ImportError:
        raise Refusal(
            "Python's venv module is not complete: install it "
            "('apt-get install python3-venv' on Debian) and start again."
        ) from None
    if subprocess.call([sys.executable, "-m", "venv", "--clear", str(venv)]) != 0:
        shutil.rmtree(str(venv), ignore_errors=True)
        raise Refusal(f"The virtual environment {venv} could not be made: see the lines above.")


def install(venv: Path, requirements: Path) -> None:
    """Install exactly the locked set, with uv when it can be had and else with pip; both check the hashes."""
    python, uv = venv / "bin" / "python", venv / "bin" / "uv"
    # The machine's own certificates, as pip takes them: an index inside a house is signed by the house.
    environ = dict(os.environ, UV_PYTHON_DOWNLOADS="never", UV_SYSTEM_CERTS="1", PIP_DISABLE_PIP_VERSION_CHECK="1")
    pip = [str(python), "-m", "pip", "install", "--quiet", "--no-input"]
    if not uv.exists():
        subprocess.call([*pip, UV], env=environ, stderr=subprocess.DEVNULL)
    if uv.exists():
        # "sync" also removes what is not in the file: right for the whole set, wrong for a part of it.
        how = ["sync"] if requirements.stem == "dev" else ["install", "-r"]
        checked = ["--quiet", "--require-hashes", "--python", str(python)]
        if subprocess.call([str(uv), "pip", how[0], *checked, *how[1:], str(requirements)], env=environ) == 0:
            return
        print("uv could not install the requirements; trying pip.", flush=True)
    if subprocess.call([*pip, "--require-hashes", "-r", str(requirements)], env=environ) != 0:
        raise Refusal(
            "The requirements could not be installed (see the lines above): they need a package index that "
            "can be reached, and a C compiler where a package has no wheel for this machine."
        )


def digest(name: str, folder: Path) -> str:
    """What the stamp says of a set: its name, the digest of its lock files, and the Python it is for."""
    found = hashlib.sha256()
    for part in sorted({name, "runtime"}):
        found.update((folder / f"{part}.txt").read_bytes())
    return f"{name} {found.hexdigest()} {sys.version_info[0]}.{sys.version_info[1]}\n"


def main(name: str, checkout: Path = CHECKOUT) -> None:
    """Have ``.venv`` there with the set ``runtime`` or ``dev`` in it."""
    check_python(sys.version_info[:2], sys.executable)
    venv, folder = checkout / ".venv", checkout / "requirements"
    if not (folder / f"{name}.txt").exists():
        raise Refusal(f"There is no requirements/{name}.txt: run this from a complete checkout.")
    stamp, python = venv / "requirements.stamp", venv / "bin" / "python"
    good = [digest(served, folder) for served in SERVED_BY[name]]
    if stamp.exists() and stamp.read_text() in good and python.exists():
        return
    check_space(checkout)
    if stamp.exists():
        stamp.unlink()  # until the end, nobody may take the environment for a complete one
    if not python.exists() or subprocess.call([str(python), "-c", "import pip"], stderr=subprocess.DEVNULL) != 0:
        print("Making the virtual environment .venv …", flush=True)
        make_venv(venv)
    print(f"Installing requirements/{name}.txt (now, and again only when it changes) …", flush=True)
    install(venv, folder / f"{name}.txt")
    stamp.write_text(digest(name, folder))


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except Refusal as refusal:
        sys.exit(f"muniment: {refusal}")
    except OSError as error:
        sys.exit(f"muniment: The installation stopped ({error}): correct that and start again.")
    except KeyboardInterrupt:
        sys.exit(130)
