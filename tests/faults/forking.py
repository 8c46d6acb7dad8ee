"""Processes of the product that are killed at their work, and not while Python starts: they are forked by one that has
loaded it.
"""

import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.databases import ROOT

# Stands behind what is loaded, which defines `task`. Whoever was started and is not yet waited for keeps its number.
LOOP = """
import os, signal, sys
from ops.process import die_with_parent
for line in sys.stdin:
    what, *words = line.split()
    if what == "start":
        prepare = die_with_parent(signal.SIGKILL)
        if (child := os.fork()) == 0:
            prepare()
            task(*words)
            os._exit(0)
        print(child, flush=True)
    else:
        if what == "kill":
            os.kill(int(words[0]), signal.SIGKILL)
        print(os.waitstatus_to_exitcode(os.waitpid(int(words[0]), 0)[1]), flush=True)
"""


class Forking:
    """Starts `task`, which the program `loaded` defines, in a process of its own each time. `said` is their log."""

    def __init__(self, loaded: str, env: Mapping[str, str], said: Path) -> None:
        command, pipe = [sys.executable, "-c", loaded + LOOP], subprocess.PIPE
        with said.open("wb") as log:
            self._process = subprocess.Popen(
                command, cwd=ROOT, env=dict(env), text=True, stdin=pipe, stdout=pipe, stderr=log
            )

    def start(self, *words: str) -> int:
        """Start it with these words, none of which has a space. Returns its process id."""
        return self._ask("start", *words)

    def kill(self, child: int) -> bool:
        """SIGKILL, which no code of its sees coming. False where it had ended before."""
        return self._ask("kill", str(child)) == -signal.SIGKILL

    def wait(self, child: int) -> int:
        """Its exit status, once it has ended."""
        return self._ask("wait", str(child))

    def end(self) -> None:
        """End, and whoever was started ends as well."""
        self._process.communicate()

    def _ask(self, *words: str) -> int:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(" ".join(words) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())
