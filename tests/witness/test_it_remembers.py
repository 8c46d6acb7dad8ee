"""What a witness has cosigned it remembers: before the answer leaves, and through crashes, restarts and full disks."""

import random
import resource
import shutil
import signal
import sqlite3
import threading
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path

import pytest

from apps.ledger.format.checkpoint import Checkpoint, parse_signed
from apps.ledger.format.merkle import root_of
from apps.ledger.witness.key import WitnessProblem
from apps.ledger.witness.state import open_state
from tests.ledger.material import LOG
from tests.witness.logs import LEFT, MOST, RIGHT, request
from tests.witness.running import COMMAND, NAME, process, serving

DIES_AFTER_KEEPING = """
import os, signal
from apps.ledger.witness.state import State
keep = State.keep
def dying(self, checkpoint, *rest):
    kept = keep(self, checkpoint, *rest)
    if checkpoint.size == 9:
        os.kill(os.getpid(), signal.SIGKILL)
    return kept
State.keep = dying
"""
DIES_WHILE_KEEPING = """
import os, signal
from apps.ledger.witness import state
line = state.cosignature_line
def dying(key, checkpoint, time):
    if checkpoint.size == 9:
        os.kill(os.getpid(), signal.SIGKILL)
    return line(key, checkpoint, time)
state.cosignature_line = dying
"""


# Killed


def test_killed_between_keeping_and_answering_the_log_asks_again_and_gets_its_cosignature(tmp_path: Path) -> None:
    with process(tmp_path / "w", program=DIES_AFTER_KEEPING + COMMAND) as (witness, child):
        assert witness.cosigned(request(0, 5))
        with pytest.raises((HTTPException, OSError)):
            witness.ask(request(5, 9))
        assert child.wait(10) == -signal.SIGKILL
    with process(tmp_path / "w") as (witness, _):
        assert witness.ask(request(5, 9, RIGHT)).body == b"9\n"  # it stands where nobody was told that it does
        assert witness.ask(request(9, 9, RIGHT)).status == 422
        assert witness.ask(request(5, 9)).body == b"9\n"
        assert witness.cosigned(request(9, 9))
        assert witness.cosigned(request(9, 12))


def test_killed_while_keeping_nothing_has_left_and_nothing_is_kept(tmp_path: Path) -> None:
    with process(tmp_path / "w", program=DIES_WHILE_KEEPING + COMMAND) as (witness, child):
        assert witness.cosigned(request(0, 5))
        with pytest.raises((HTTPException, OSError)):
            witness.ask(request(5, 9))
        assert child.wait(10) == -signal.SIGKILL
    with process(tmp_path / "w") as (witness, _):
        assert witness.cosigned(request(5, 9))


def test_killed_at_any_moment_all_that_was_cosigned_is_one_history(tmp_path: Path) -> None:
    chance, cosigned, size = random.Random(7), [], 0
    for _ in range(4):
        with process(tmp_path / "w") as (witness, child):
            end = threading.Timer(chance.uniform(0, 0.05), child.kill)
            enough = len(cosigned) + 3
            try:
                while True:
                    if len(cosigned) >= enough and end.ident is None:  # not started yet
                        end.start()
                    for side in (LEFT, RIGHT):
                        said = witness.ask(request(size, size, side))
                        size = int(said.body) if said.status == 409 else size
                        new = min(size + 1, MOST)
                        checkpoint = witness.cosigned(request(size, new, side))
                        if checkpoint is not None:
                            cosigned.append(checkpoint)
                            size = new
            except (HTTPException, OSError):
                end.join()
    assert len(cosigned) >= 12
    assert [each.size for each in cosigned] == sorted(each.size for each in cosigned)
    assert any(all(each.root == root_of(side[: each.size]) for each in cosigned) for side in (LEFT, RIGHT))


# Started again


def test_with_its_state_and_key_it_refuses_the_fork_and_the_rollback(tmp_path: Path) -> None:
    with serving(tmp_path / "w") as witness:
        assert witness.cosigned(request(0, 9))
        key = witness.key
    with serving(tmp_path / "w") as witness:
        assert witness.key == key
        assert witness.ask(request(9, 12, RIGHT)).status == 422
        assert witness.ask(request(0, 5)).body == b"9\n"
        assert witness.ask(request(5, 5)).body == b"9\n"
        assert witness.ask(request(9, 5)).status == 400
        assert witness.cosigned(request(9, 12))


def test_with_another_key_it_does_not_start(tmp_path: Path) -> None:
    one, other = open_state(tmp_path / "w", NAME), open_state(tmp_path / "other", NAME)
    shutil.copy(other.folder / "key", one.folder / "key")
    with pytest.raises(WitnessProblem, match="made with another key"):
        open_state(one.folder)
    (one.folder / "key").unlink()
    with pytest.raises(WitnessProblem, match="is gone, and the state was made with it"):
        open_state(one.folder, NAME)


def test_with_its_key_and_no_state_it_does_not_start(tmp_path: Path) -> None:
    """It would cosign any history from nothing again, also the one that contradicts what it has cosigned."""
    state = open_state(tmp_path / "w", NAME)
    (state.folder / "state.db").write_bytes(b"")
    with pytest.raises(WitnessProblem, match="no state"):
        open_state(state.folder)
    for file in state.folder.glob("state.db*"):
        file.unlink()
    with pytest.raises(WitnessProblem, match="no state"):
        open_state(state.folder, NAME)
    (state.folder / "state.db").write_bytes(b"no database" * 100)
    with pytest.raises(WitnessProblem, match="cannot be used"):
        open_state(state.folder)


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    state = open_state(tmp_path / "w", NAME)
    assert (state.folder / "key").stat().st_mode & 0o777 == 0o600
    assert state.folder.stat().st_mode & 0o777 == 0o700
    (state.folder / "key").chmod(0o640)
    with pytest.raises(WitnessProblem, match="chmod 600"):
        open_state(state.folder)


@pytest.mark.parametrize("text", ["", "muniment-witness-key/1\n", "muniment-witness-key/2\nname a\ncosigning 00\n"])
def test_a_file_that_is_no_key_is_refused(tmp_path: Path, text: str) -> None:
    state = open_state(tmp_path / "w", NAME)
    (state.folder / "key").write_text(text)
    with pytest.raises(WitnessProblem, match="put the file back"):
        open_state(state.folder)


def test_it_has_one_name(tmp_path: Path) -> None:
    with pytest.raises(WitnessProblem, match="give it a name"):
        open_state(tmp_path / "w")
    open_state(tmp_path / "w", NAME)
    with pytest.raises(WitnessProblem, match="has the name"):
        open_state(tmp_path / "w", "witness.example/w2")
    with pytest.raises(WitnessProblem, match="a key name is"):
        open_state(tmp_path / "x", "no name")


def only_a_key(folder: Path) -> None:
    for file in folder.glob("state.db*"):
        file.unlink()


@pytest.mark.parametrize("cut", [lambda folder: None, only_a_key], ids=["before the key's place", "before the state"])
def test_a_first_start_that_was_cut_off_is_taken_up(tmp_path: Path, cut: Callable[[Path], None]) -> None:
    """Before the key has its place nothing was cosigned with it."""
    made = open_state(tmp_path / "w", NAME)
    (made.folder / "key").rename(made.folder / "key.new")
    cut(made.folder)
    again = open_state(made.folder, NAME)
    assert again.key == made.key
    assert open_state(made.folder).key == made.key


def test_first_starts_at_once_make_one_key(tmp_path: Path) -> None:
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda: found.append(str(open_state(tmp_path / "w", NAME).key.verifier)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8 and len(set(found)) == 1


# When it cannot remember, it does not cosign


def test_on_a_full_disk_no_cosignature_leaves(tmp_path: Path) -> None:
    """Where files cannot grow. What it can still write into the room that its files have, it remembers and cosigns."""
    with process(tmp_path / "w") as (witness, child):
        assert witness.cosigned(request(0, 8))
        _, most = resource.prlimit(child.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(child.pid, resource.RLIMIT_FSIZE, (0, most))
        size = 8
        while size < MOST and (said := witness.ask(request(size, size + 1))).status == 200:
            size += 1
        assert (said.status, said.body.count("—".encode())) == (500, 0)
        assert witness.ask(request(size, size + 2)).status == 500
        assert witness.ask(request(size, size + 1, RIGHT)).status == 422
        assert parse_signed(witness.seen().body)[0].size == size
        resource.prlimit(child.pid, resource.RLIMIT_FSIZE, (most, most))
        assert witness.ask(request(0, 3)).body == b"%d\n" % size
        assert witness.cosigned(request(size, size + 1))


def test_with_its_state_taken_away_no_cosignature_leaves(tmp_path: Path) -> None:
    with serving(tmp_path / "w") as witness:
        assert witness.cosigned(request(0, 5))
        (tmp_path / "w").rename(tmp_path / "elsewhere")
        assert witness.ask(request(0, 9, RIGHT)).status == witness.ask(request(5, 9)).status == 500
        assert witness.seen().status == 500
        (tmp_path / "w").mkdir()
        assert witness.ask(request(0, 9, RIGHT)).status == 500
        assert not list((tmp_path / "w").iterdir())
        (tmp_path / "w").rmdir()
        (tmp_path / "elsewhere").rename(tmp_path / "w")
        assert witness.cosigned(request(5, 9))


def test_what_it_remembers_of_a_log_cannot_be_turned_back(tmp_path: Path) -> None:
    """By the state itself, whatever the program above it does."""
    state = open_state(tmp_path / "w", NAME)
    with serving(tmp_path / "w") as witness:
        assert witness.cosigned(request(0, 9))
    database = sqlite3.connect(state.folder / "state.db", isolation_level=None)
    for statement in ("UPDATE log SET size = 5", "UPDATE log SET root = zeroblob(32)", "DELETE FROM log"):
        with pytest.raises(sqlite3.IntegrityError):
            database.execute(statement)
    database.close()


def test_a_clock_that_was_turned_back_does_not_turn_cosignatures_back(tmp_path: Path) -> None:
    state = open_state(tmp_path / "w", NAME)
    kept = [
        state.keep(Checkpoint(LOG.name, size, root_of(LEFT[:size])), b"note", old, now)
        for old, size, now in [(0, 5, 1_700_000_000), (5, 9, 1_600_000_000), (9, 12, 1_700_000_001)]
    ]
    assert [each.time for each in kept if each] == [1_700_000_000, 1_700_000_000, 1_700_000_001]


# What it does not notice


def test_a_state_of_earlier_days_is_not_noticed(tmp_path: Path) -> None:
    """A limit: restored from a copy with its key, a witness may cosign what contradicts what it has cosigned since."""
    with serving(tmp_path / "w") as witness:
        assert witness.cosigned(request(0, 5))
    shutil.copytree(tmp_path / "w", tmp_path / "copy")
    with serving(tmp_path / "w") as witness:
        assert witness.cosigned(request(5, 9, LEFT))
    with serving(tmp_path / "copy") as witness:
        assert witness.cosigned(request(5, 9, RIGHT))
