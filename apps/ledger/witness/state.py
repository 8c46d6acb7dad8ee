"""What a witness remembers, in SQLite: the checkpoint it last cosigned of each log, and what it refused.

The state folder holds:

    key             the witness's key, mode 600
    state.db        this file, and beside it SQLite's own -wal and -shm
    logs            which logs to follow, written by whoever runs the witness
    fork-….json     proofs that a log has signed two histories

Key and state belong together. A key whose state is gone would cosign any history again from nothing, and a state under
another key speaks for somebody else: neither starts.
"""

import fcntl
import os
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ..format.checkpoint import Checkpoint
from ..format.keys import SigningKey, check_name
from ..format.merkle import EMPTY_ROOT
from ..format.strict import Malformed
from ..format.witness import cosignature_line
from .key import WitnessProblem, WrongArguments, read_key, sync_folder, write_new_key

KEY_FILE, STATE_FILE, LOGS_FILE = "key", "state.db", "logs"
VERSION = 1
KEPT = 32  # refused checkpoints of one log, for each status: the newest
PATIENCE = 10.0  # seconds for another process's transaction

_TABLES = """
CREATE TABLE witness (one INTEGER PRIMARY KEY CHECK (one = 1), vkey TEXT NOT NULL);
CREATE TABLE log (
    origin TEXT PRIMARY KEY,
    size INTEGER NOT NULL CHECK (size >= 0),
    root BLOB NOT NULL CHECK (length(root) = 32),
    time INTEGER NOT NULL CHECK (time > 0),
    note BLOB NOT NULL,
    cosignature TEXT NOT NULL
);
CREATE TRIGGER no_log_shrinks BEFORE UPDATE ON log
WHEN new.origin <> old.origin OR new.size < old.size OR new.size = old.size AND new.root <> old.root
BEGIN SELECT raise(ABORT, 'a log never shrinks'); END;
CREATE TRIGGER no_log_is_forgotten BEFORE DELETE ON log BEGIN SELECT raise(ABORT, 'a log is never forgotten'); END;
CREATE TABLE refused (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    origin TEXT NOT NULL,
    status INTEGER NOT NULL,
    size INTEGER NOT NULL,
    root BLOB NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL,
    times INTEGER NOT NULL DEFAULT 1,
    note BLOB NOT NULL,
    UNIQUE (origin, status, size, root)
);
CREATE TABLE refusals (origin TEXT PRIMARY KEY, times INTEGER NOT NULL);
"""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a log stands with this witness: its size and root, when they were cosigned (POSIX seconds), the note as the
    log signed it, and our line under it. Before the first cosignature: no leaves, their root, and nothing else.
    """

    size: int = 0
    root: bytes = EMPTY_ROOT
    time: int = 0
    note: bytes = field(default=b"", repr=False)
    cosignature: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A checkpoint that its log had signed and that was not cosigned: the answer, why, when last, and how often."""

    origin: str
    status: int
    size: int
    root: bytes
    reason: str
    at: int
    times: int
    note: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class State:
    """The state of the witness with this key. Each call opens the file for itself: any thread, and any process, may."""

    folder: Path
    key: SigningKey

    @contextmanager
    def held(self) -> Iterator[None]:
        """The file stays open meanwhile: the calls below are faster, and may read it where nothing can be written."""
        with _opened(self.folder) as database:
            database.execute("SELECT vkey FROM witness").fetchone()
            yield

    def standing(self, origin: str) -> Standing:
        """Where a log stands. Raises sqlite3.Error where the state cannot be read, as everything here does."""
        with _opened(self.folder) as database:
            return _standing(database, origin)

    def keep(self, checkpoint: Checkpoint, note: bytes, old: int, now: int) -> Standing | None:
        """Cosign a checkpoint, if its log still stands at `old`; None, and nothing is written, if it has moved.

        Compared and written in one transaction that no other can enter, and on the disk when this returns: only then
        may the cosignature leave. `note` is the checkpoint with its log's signatures. The cosignature is as of `now`
        (POSIX seconds) or, where the clock was turned back, of the time before: a later one never claims to be earlier.
        """
        with _opened(self.folder) as database, _alone(database):
            standing = _standing(database, checkpoint.origin)
            if standing.size != old:
                return None
            time = max(now, standing.time)
            line = cosignature_line(self.key, checkpoint, time)
            kept = Standing(checkpoint.size, checkpoint.root, time, note, line)
            database.execute(
                "INSERT INTO log (origin, size, root, time, note, cosignature) VALUES (?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (origin) DO UPDATE SET size = excluded.size, root = excluded.root, time = excluded.time,"
                " note = excluded.note, cosignature = excluded.cosignature",
                (checkpoint.origin, kept.size, kept.root, kept.time, kept.note, kept.cosignature),
            )
        return kept

    def keep_refused(self, checkpoint: Checkpoint, status: int, reason: str, now: int, note: bytes) -> None:
        """Remember a refusal, and forget the oldest ones of this log and status beyond KEPT. The count stays."""
        of = (checkpoint.origin, status)
        with _opened(self.folder) as database, _alone(database):
            database.execute(
                "INSERT INTO refused (origin, status, size, root, reason, at, note) VALUES (?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (origin, status, size, root) DO UPDATE SET times = times + 1, at = excluded.at,"
                " reason = excluded.reason, note = excluded.note",
                (*of, checkpoint.size, checkpoint.root, reason, now, note),
            )
            database.execute(
                "DELETE FROM refused WHERE origin = ? AND status = ? AND id NOT IN (SELECT id FROM refused"
                " WHERE origin = ? AND status = ? ORDER BY at DESC, id DESC LIMIT ?)",
                (*of, *of, KEPT),
            )
            database.execute(
                "INSERT INTO refusals (origin, times) VALUES (?, 1)"
                " ON CONFLICT (origin) DO UPDATE SET times = times + 1",
                (checkpoint.origin,),
            )

    def notes_of(self, origin: str, sizes: Collection[int]) -> list[bytes]:
        """What is kept of a log's trees of these sizes, as it has signed them: cosigned last, or refused."""
        with _opened(self.folder) as database:
            rows = database.execute(
                "SELECT size, note FROM log WHERE origin = ? UNION ALL SELECT size, note FROM refused WHERE origin = ?",
                (origin, origin),
            )
            return [note for size, note in rows if size in sizes]

    def cosigned(self) -> dict[str, Standing]:
        """Every log that was ever cosigned, by its origin, whether it is followed now or not."""
        with _opened(self.folder) as database:
            rows = database.execute(
                "SELECT origin, size, root, time, note, cosignature FROM log ORDER BY origin"
            ).fetchall()
        return {origin: Standing(*rest) for origin, *rest in rows}

    def refused(self) -> list[Refusal]:
        """The refusals that are kept, oldest first."""
        with _opened(self.folder) as database:
            rows = database.execute(
                "SELECT origin, status, size, root, reason, at, times, note FROM refused ORDER BY at, id"
            ).fetchall()
        return [Refusal(*row) for row in rows]

    def refusals(self) -> dict[str, int]:
        """How often each log was refused, kept or not."""
        with _opened(self.folder) as database:
            return dict(database.execute("SELECT origin, times FROM refusals ORDER BY origin").fetchall())


def open_state(folder: Path, name: str | None = None) -> State:
    """The state in a folder, made with a new key under `name` where there is none yet.

    Raises WrongArguments where there is none and no name, and where the key has another name; WitnessProblem where key
    and state do not belong together, and where either cannot be read or written.
    """
    try:
        if name is not None:
            check_name(name)
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        elif not folder.exists():
            raise _none_yet(folder)
        with _setting_up(folder):
            return _open_state(folder, name)
    except Malformed as problem:
        raise WrongArguments(f"--name: {problem}.") from None
    except (OSError, sqlite3.Error) as error:
        raise WitnessProblem(f"The witness's state in {folder} cannot be used: {error}.") from None


def _open_state(folder: Path, name: str | None) -> State:
    """The key gets its place only once the state knows it: a key that is in place and a state without it is a loss."""
    file, path, fresh = folder / KEY_FILE, folder / STATE_FILE, folder / f"{KEY_FILE}.new"
    if file.exists():
        key, made = read_key(file), _vkey(folder)
        if made is None:
            raise WitnessProblem(
                f"There is the key {file} and no state {path} for it, so what it has cosigned is not known: put the "
                "newest state back, or begin in an empty folder with a new key under a new name and retire this one."
            )
    else:
        key, made = _begin(folder, fresh, name), _vkey(folder)
    if name is not None and name != key.name:
        raise WrongArguments(f"The key in {folder} has the name {key.name}, and --name says {name}: leave it out.")
    if made != str(key.verifier):
        raise WitnessProblem(
            f"The state {path} was made with another key ({made}): put that key back as {file}, or begin in an empty "
            "folder with a new key."
        )
    if not file.exists():
        fresh.replace(file)
        sync_folder(folder)
    return State(folder, key)


def _begin(folder: Path, fresh: Path, name: str | None) -> SigningKey:
    """A key that is not in place yet, and the state for it; what a start that was cut off has left is taken up."""
    if not fresh.exists():
        if made := _vkey(folder):
            raise WitnessProblem(
                f"The key {folder / KEY_FILE} is gone, and the state was made with it ({made}): put the file back, or "
                "begin in an empty folder with a new key."
            )
        if name is None:
            raise _none_yet(folder)
        write_new_key(fresh, name)
    key = read_key(fresh)
    if _vkey(folder) is None:
        with _opened(folder, "rwc") as database:
            database.execute("PRAGMA journal_mode = WAL")
            with _alone(database):
                for statement in _statements(_TABLES):
                    database.execute(statement)
                database.execute("INSERT INTO witness (one, vkey) VALUES (1, ?)", (str(key.verifier),))
                database.execute(f"PRAGMA user_version = {VERSION}")
        sync_folder(folder)
    return key


def _none_yet(folder: Path) -> WitnessProblem:
    return WrongArguments(f"No witness is in {folder} yet: give it a name with --name, as in example.com/w1.")


def _vkey(folder: Path) -> str | None:
    """The key that a state was made with; None where no state was made. Raises WitnessProblem for a later version."""
    if not (folder / STATE_FILE).exists():
        return None
    with _opened(folder) as database:
        (version,) = database.execute("PRAGMA user_version").fetchone()
        if version == 0:
            return None
        if version != VERSION:
            raise WitnessProblem(f"The state in {folder} is of version {version}: run the program that made it.")
        return str(database.execute("SELECT vkey FROM witness").fetchone()[0])


def _standing(database: sqlite3.Connection, origin: str) -> Standing:
    row = database.execute("SELECT size, root, time, note, cosignature FROM log WHERE origin = ?", (origin,)).fetchone()
    return Standing(*row) if row else Standing()


@contextmanager
def _opened(folder: Path, mode: str = "rw") -> Iterator[sqlite3.Connection]:
    """A connection; what it commits is on the disk. It never makes the file anew where somebody has taken it away."""
    where = f"{(folder / STATE_FILE).absolute().as_uri()}?mode={mode}"
    database = sqlite3.connect(where, uri=True, timeout=PATIENCE, isolation_level=None)
    try:
        database.execute("PRAGMA synchronous = FULL")
        yield database
    finally:
        database.close()


@contextmanager
def _alone(database: sqlite3.Connection) -> Iterator[None]:
    """One transaction that no other writer can enter. What is raised inside it takes it back whole."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise


def _statements(script: str) -> Iterator[str]:
    """The statements of a script: sqlite3's own way to run one would commit the transaction first."""
    lines: list[str] = []
    for line in script.splitlines():
        lines.append(line)
        if sqlite3.complete_statement("\n".join(lines)):
            yield "\n".join(lines)
            lines.clear()


@contextmanager
def _setting_up(folder: Path) -> Iterator[None]:
    """Alone with a folder: two first starts at once make one key."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
