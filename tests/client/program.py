"""The one-file program as a stranger runs it: another Python, no packages, no environment, and somebody watching."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

# -I: no environment, no folder of the user's. -S: no installed packages, so no `cryptography`.
ALONE = (sys.executable, "-I", "-S")
NO_NETWORK = ("unshare", "--map-root-user", "--net")

# Runs a program as `python PROGRAM WORDS…` would, and ends it where it reaches for a socket, a process or a file to
# write. What it had loaded is told on standard error.
WATCHED = """
import os, runpy, sys

FORBIDDEN = ("socket.", "urllib.", "ssl.", "subprocess.", "ctypes.", "os.system", "os.exec", "os.fork",
             "os.posix_spawn", "os.remove", "os.rename", "os.mkdir", "shutil.", "tempfile.")

def watch(event, about):
    writes = event == "open" and isinstance(about[2], int) and about[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    if writes or event.startswith(FORBIDDEN):
        os.write(2, f"CAUGHT {event}".encode())
        os._exit(99)

sys.argv = sys.argv[1:]
sys.addaudithook(watch)
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
finally:
    loaded = [name for name in ("socket", "ssl", "cryptography", "django") if name in sys.modules]
    formats = sys.modules.get("muniment.format.ed25519")
    print("loaded:", *loaded, "library:", formats and formats.WITH_LIBRARY, file=sys.stderr)
"""
# Runs a program and tells, on standard error, the most memory it had at once, in kB.
MEASURED = """
import runpy, sys
sys.argv = sys.argv[1:]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
finally:
    print(*[line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")], file=sys.stderr)
"""
PLAIN_PYTHON = "loaded: library: False"


def run(
    program: Path,
    *words: str | Path,
    watched: bool = False,
    inside: Sequence[str] = (),
    stdin: bytes = b"",
    env: dict[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run the program with Python alone; `inside` is a command it is run by."""
    how = ["-c", WATCHED] if watched else []
    return subprocess.run([*inside, *ALONE, *how, program, *words], input=stdin, capture_output=True, env=env)


def check(
    program: Path, server: str, key: Path, *words: str | Path, stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """Run `check` against the vault that answers at `server`, with the client's key in the file `key`."""
    return run(program, "check", *words, "--url", server, "--key-file", key, stdin=stdin)


def measured(program: Path, *words: str | Path) -> tuple[subprocess.CompletedProcess[bytes], float]:
    """Run the program with Python alone; with what it answered, the most memory it had at once, in MiB."""
    done = subprocess.run([*ALONE, "-c", MEASURED, program, *words], capture_output=True)
    return done, int(done.stderr) / 1024


def said(done: subprocess.CompletedProcess[bytes]) -> str:
    """What it printed, which is ASCII and no traceback."""
    for stream in (done.stdout, done.stderr):
        assert b"Traceback" not in stream, stream.decode()
    return done.stdout.decode("ascii")


def namespaces_work() -> bool:
    """May this account make a network of its own, with nothing in it?"""
    try:
        return subprocess.run([*NO_NETWORK, "true"], capture_output=True).returncode == 0
    except OSError:
        return False
