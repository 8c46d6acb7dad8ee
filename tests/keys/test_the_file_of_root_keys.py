"""The file of root keys is whole at every moment: for who reads it, for two who change it, and after a kill."""

import errno
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from apps.memories import roots

KILLED = """
import os, sys
from pathlib import Path
from types import SimpleNamespace
from apps.memories import roots
roots.settings = SimpleNamespace(MUNIMENT_ROOT_KEY_FILE=sys.argv[1])
print("ready", flush=True)
while True:
    newest = roots.add(max(roots.root_keys()))
    roots.destroy(range(newest))
"""


@pytest.fixture
def file(tmp_path: Path, settings: Any) -> Path:
    path = tmp_path / "root_keys"
    path.touch(0o600)
    path.write_text(f"1 {'ab' * 32}\n")
    settings.MUNIMENT_ROOT_KEY_FILE = str(path)
    return path


def test_a_new_key_is_behind_the_others_and_the_file_stays_closed(file: Path) -> None:
    file.chmod(0o600)
    assert roots.add(1) == 2
    keys = roots.root_keys()
    assert list(keys) == [1, 2] and keys[1] == bytes.fromhex("ab" * 32) and len(keys[2]) == 32
    assert file.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in file.parent.iterdir()] == [file.name]


def test_it_is_added_once_however_many_add_it(file: Path) -> None:
    made: list[int] = []
    several = [threading.Thread(target=lambda: made.append(roots.add(1))) for _ in range(8)]
    for each in several:
        each.start()
    for each in several:
        each.join()
    assert set(made) == {2}
    assert list(roots.root_keys()) == [1, 2]


def test_a_destroyed_key_is_overwritten_where_it_stood(file: Path) -> None:
    roots.add(1)
    with file.open("rb") as old:
        roots.destroy([1])
        left = old.read().decode()
    assert "ab" * 32 not in left
    assert left.splitlines()[1] == file.read_text().strip(), (
        "who opened it before still finds the others in their places"
    )
    assert list(roots.root_keys()) == [2]


def test_the_newest_is_destroyed_by_nobody(file: Path) -> None:
    roots.destroy([1])
    assert list(roots.root_keys()) == [1]


def test_who_reads_it_meanwhile_always_finds_a_key(file: Path) -> None:
    over, wrong = threading.Event(), []

    def read() -> None:
        while not over.is_set():
            keys = roots.root_keys()
            if not keys or any(len(key) != 32 for key in keys.values()):
                wrong.append(keys)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for each in readers:
        each.start()
    for epoch in range(1, 60):
        roots.add(epoch)
        roots.destroy([epoch])
    over.set()
    for each in readers:
        each.join()
    assert not wrong
    assert list(roots.root_keys()) == [60]


def test_killed_at_any_moment_it_is_whole(file: Path) -> None:
    """SIGKILL, forty times, in the middle of changing it without a pause."""
    chance, newest = random.Random(7), 1
    for _ in range(40):
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, str(file)], stdout=subprocess.PIPE, env={**os.environ}, cwd=Path.cwd()
        )
        assert process.stdout is not None and process.stdout.readline()
        time.sleep(chance.random() / 50)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        keys = roots.root_keys()
        assert keys and all(len(key) == 32 for key in keys.values())
        assert max(keys) >= newest
        newest = max(keys)
    assert newest > 1
    assert roots.add(newest) == newest + 1, "what a kill left beside it is in nobody's way"


@pytest.mark.parametrize("how", ["closed", "busy"])
def test_where_it_cannot_be_changed_it_says_so_and_stays(file: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    """As the system answers for a container's secret: nothing may be written there, or the file is a mount itself."""
    roots.add(1)
    before = file.read_text()

    def busy(*given: object) -> Path:
        raise OSError(errno.EBUSY, "Device or resource busy")

    if how == "closed":
        monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
        assert "read-only" in roots.cannot_change()
    else:
        monkeypatch.setattr(Path, "replace", busy)
    with pytest.raises(roots.CannotChange):
        roots.add(2)
    with pytest.raises(roots.CannotChange):
        roots.destroy([1])
    assert file.read_text() == before


def test_behind_a_link_it_is_the_file_that_is_changed(file: Path, settings: Any, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(file)
    settings.MUNIMENT_ROOT_KEY_FILE = str(link)
    assert roots.add(1) == 2
    assert link.is_symlink() and len(file.read_text().splitlines()) == 2


def test_a_file_that_is_a_mount_is_left_alone(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roots, "_mounted", lambda path: path == file)
    with pytest.raises(roots.CannotChange, match="mounted"):
        roots.add(1)
