"""The supervisor: it restarts what dies, more slowly each time, and leaves nobody behind."""

import subprocess
import sys
from pathlib import Path

from tests.ops.conftest import ROOT, gone, kill, until

SCRIPT = """
import signal, sys
from pathlib import Path
from ops.accounts import current
from ops.supervisor import Part, Supervisor

folder = Path(sys.argv[1])
boss = Supervisor(folder, lambda line: print(line, flush=True))
def note():
    pids = [str(part.process.pid) if part.process else "-" for part in boss.parts]
    (folder / "pids.new").write_text(" ".join(pids))
    (folder / "pids.new").rename(folder / "pids")  # whole at every moment: the test reads it at any
boss.changed = note
env = {"PATH": "/usr/bin:/bin"}
for name, argv in (("steady", ["sleep", "100"]), ("hasty", ["sh", "-c", "echo again; exit 3"])):
    boss.start(Part(name, argv, env, current(), lambda pid: True))
boss.serve()
boss.stop()
"""


def start(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", SCRIPT, str(folder)], cwd=ROOT, stdout=subprocess.PIPE, text=True)


def steady(folder: Path) -> int | None:
    try:
        word = (folder / "pids").read_text().split()[0]
    except (OSError, IndexError):
        return None
    return int(word) if word.isdigit() else None


def test_a_killed_part_comes_back_and_a_hopeless_one_slows_down(tmp_path: Path) -> None:
    with start(tmp_path) as boss:
        until(lambda: steady(tmp_path))
        first = steady(tmp_path)
        kill(first)
        until(lambda: steady(tmp_path) not in (None, first))
        until(lambda: (tmp_path / "hasty.log").read_text().count("again") >= 5)  # four pauses are over
        last = steady(tmp_path)
        assert last is not None
        boss.terminate()
        said = boss.communicate(timeout=60)[0]
    assert boss.returncode == 0
    assert gone(last)
    assert "steady stopped (killed by signal 9)" in said
    pauses = [line.split(" in ")[1].split(" s")[0] for line in said.splitlines() if line.startswith("hasty")]
    assert pauses[:4] == ["0.1", "0.2", "0.4", "0.8"]


def test_a_killed_supervisor_leaves_nobody_behind(tmp_path: Path) -> None:
    with start(tmp_path) as boss:
        until(lambda: steady(tmp_path))
        child = steady(tmp_path)
        assert child is not None
        boss.kill()
        boss.communicate(timeout=60)
    until(lambda: gone(child))
