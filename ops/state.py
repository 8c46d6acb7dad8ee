"""Where a running Muniment keeps things: folders with the right owners, secrets made once, one lock.

``<checkout>/.run`` holds the logs and, where it can, the state as well. Where that path is too long for
a unix socket, or the servers' account cannot reach it, the state lives elsewhere and ``.run/state``
names the place.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import secrets
import shutil
import socket
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ops.accounts import Account, can_read, current
from ops.process import alive, works_in
from ops.trouble import Trouble

CHECKOUT = Path(__file__).resolve().parent.parent
# The longest name a socket gets here is <state>/sock/.s.PGSQL.5432; the kernel takes 107 bytes.
SOCKET_LIMIT = 107
LONGEST_SOCKET = "sock/.s.PGSQL.5432"
ENOUGH_SPACE = 200 * 1024 * 1024
# Tests make and drop hundreds of databases, each of hundreds of files: in memory that costs a small part of the time.
IN_MEMORY, ENOUGH_MEMORY = Path("/dev/shm"), 4 * 1024**3  # noqa: S108 - made private and checked in _make_root
RUN_FOLDER = "run"  # a file of a folder in memory: the ``.run`` that names it, as nothing else leads back from there


@dataclass(frozen=True)
class State:
    """The folders of one running instance (``make run``, the tests or the bench each have their own)."""

    run: Path
    root: Path

    @property
    def log(self) -> Path:
        return self.run / "log"

    @property
    def sock(self) -> Path:
        return self.root / "sock"

    @property
    def postgres(self) -> Path:
        return self.root / "pg"

    @property
    def valkey(self) -> Path:
        return self.root / "valkey"

    @property
    def app(self) -> Path:
        return self.root / "app"

    @property
    def signing(self) -> Path:
        """Of the log's process alone: its keys, and what it last signed."""
        return self.root / "signing"

    @property
    def secrets(self) -> Path:
        return self.root / "secrets"

    def stamp(self, name: str) -> str:
        """What was last done under this name (a digest of its inputs), or an empty string."""
        try:
            return (self.root / f"{name}.stamp").read_text()
        except FileNotFoundError:
            return ""

    def set_stamp(self, name: str, digest: str) -> None:
        (self.root / f"{name}.stamp").write_text(digest)

    def status(self) -> dict[str, object]:
        """What the supervisor wrote about itself: pid, address, the pid of each part. Empty: none runs."""
        try:
            found = json.loads((self.root / "status.json").read_text())
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def set_status(self, status: dict[str, object] | None) -> None:
        path = self.root / "status.json"
        if status is None:
            path.unlink(missing_ok=True)
            return
        fresh = path.with_suffix(".new")
        fresh.write_text(json.dumps(status, indent=1))
        fresh.replace(path)


def run_folder(kind: str, checkout: Path = CHECKOUT) -> Path:
    """``.run`` for ``run``, ``.run/<kind>`` for throw-away servers."""
    return checkout / ".run" if kind == "run" else checkout / ".run" / kind


def _candidates(run: Path, user: Account) -> Iterator[Path]:
    mark = hashlib.sha256(os.fsencode(run)).hexdigest()[:10]
    if run.name == "test":
        yield IN_MEMORY / f"muniment-{user.uid}-{mark}"
    yield run
    if user.uid == 0:
        yield Path("/var/lib/muniment") / mark
    else:
        home = Path(os.environ.get("XDG_STATE_HOME") or "~/.local/state").expanduser()
        if home.is_absolute():
            yield home / "muniment" / mark
    yield Path(f"/tmp/muniment-{user.uid}-{mark}")  # noqa: S108 - made private and checked in _make_root


def _make_root(root: Path, user: Account) -> None:
    root.mkdir(parents=True, exist_ok=True, mode=0o755)
    found = root.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != user.uid:
        raise PermissionError(f"{root} belongs to somebody else")


def _suits(root: Path, servers: Account, user: Account) -> bool:
    if len(os.fsencode(root / LONGEST_SOCKET)) > SOCKET_LIMIT:
        return False
    try:
        if root.parent == IN_MEMORY and not root.exists():
            _sweep(user)
            if shutil.disk_usage(IN_MEMORY).free < ENOUGH_MEMORY:
                return False
        _make_root(root, user)
        trial = root / f".trial-{os.getpid()}"
        with socket.socket(socket.AF_UNIX) as sock:  # some shared folders hold files but no sockets
            sock.bind(str(trial))
        os.chown(trial, servers.uid, servers.gid)
        trial.unlink()
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise
        return False
    return can_read(servers, root)


def _sweep(user: Account) -> None:
    """Give back the memory that checkouts left full which are gone. What a server runs from stays."""
    for root in IN_MEMORY.glob(f"muniment-{user.uid}-*"):
        if not _left_behind(root, user):
            continue
        left = State(root, root)
        with suppress(FileNotFoundError):  # somebody else is at it too
            lock = take_supervision(left, seconds=0)
            if lock is not None and orphan_of(left) is None:
                shutil.rmtree(root, ignore_errors=True)
            if lock is not None:
                lock.release()


def _left_behind(root: Path, user: Account) -> bool:
    """Is it our own folder, and of a checkout that is not there any more, or was cleaned?"""
    try:
        found = root.lstat()
        ours = stat.S_ISDIR(found.st_mode) and found.st_uid == user.uid
        return ours and not Path(os.fsdecode((root / RUN_FOLDER).read_bytes()), "state").exists()
    except OSError:
        return False


def locate(kind: str, servers: Account, checkout: Path = CHECKOUT) -> State:
    """Find or choose the state folder, make its folders, and note its place in ``.run/state``."""
    user = current()
    run = run_folder(kind, checkout)
    run.mkdir(parents=True, exist_ok=True)
    pointer = run / "state"
    chosen = next((place for place in _candidates(run, user) if _suits(place, servers, user)), None)
    if chosen is None:
        raise Trouble(f"No folder can hold the sockets of the embedded servers near {run}: use a shorter path.")
    free = shutil.disk_usage(chosen).free
    if free < ENOUGH_SPACE:
        raise Trouble(
            f"The disk under {chosen} is almost full ({free // 2**20} MB free): free at least "
            f"{ENOUGH_SPACE // 2**20} MB and start again."
        )
    state = State(run, chosen)
    _own(state.secrets, 0o700, user)
    _own(state.log, 0o700, user)  # the demo's password is in one of them
    _own(state.sock, 0o755, servers)
    _own(state.postgres, 0o700, servers)
    _own(state.valkey, 0o700, servers)
    if named(run) != chosen:
        pointer.write_text(f"{chosen}\n")
    if chosen.parent == IN_MEMORY:
        (chosen / RUN_FOLDER).write_bytes(os.fsencode(run))
    return state


def named(run: Path) -> Path | None:
    """The state folder that ``.run/state`` names; none when the note came with a copy of another checkout."""
    try:
        noted = Path((run / "state").read_text().strip())
    except FileNotFoundError:
        return None
    return noted if noted in _candidates(run, current()) else None


def existing(kind: str, checkout: Path = CHECKOUT) -> State | None:
    """The state of an earlier start, without making anything; None when there was none."""
    run = run_folder(kind, checkout)
    root = named(run)
    return State(run, root) if root is not None and root.is_dir() else None


def _own(folder: Path, mode: int, account: Account) -> None:
    folder.mkdir(exist_ok=True, mode=mode)
    folder.chmod(mode)
    if os.geteuid() == 0:
        os.chown(folder, account.uid, account.gid)


def own(folder: Path, account: Account) -> None:
    """Make a private folder of that account, and give it what somebody else (root, by hand) left inside."""
    _own(folder, 0o700, account)
    if os.geteuid() != 0:
        return
    for parent, _, names in os.walk(folder):
        for path in (Path(parent), *(Path(parent) / name for name in names)):
            if path.lstat().st_uid != account.uid:
                os.chown(path, account.uid, account.gid, follow_symlinks=False)


def write_private(path: Path, text: str, account: Account | None = None) -> None:
    """Write a file only its owner reads, whole or not at all."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(descriptor)
    if account is not None and os.geteuid() == 0:
        os.chown(fresh, account.uid, account.gid)
    fresh.replace(path)


def secret(state: State, name: str) -> str:
    """The secret of that name: 64 hex digits, made at the first call and the same ever after."""
    path = state.secrets / name
    try:
        return path.read_text().strip()
    except FileNotFoundError:
        value = secrets.token_hex(32)
        write_private(path, value + "\n")
        return value


class Lock:
    """An advisory lock that the kernel lets go when its holder dies."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def take(self, *, shared: bool = False, wait: bool = False) -> bool:
        """Take it, or (without ``wait``) say at once that somebody else has it."""
        how = (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB)
        try:
            fcntl.flock(self._file, how)
        except BlockingIOError:
            return False
        return True

    def keep_over_exec(self) -> None:
        """Let the program that replaces this process go on holding it."""
        os.set_inheritable(self._file, True)

    def sign(self) -> None:
        """Write who holds it, for ``holder``."""
        os.pwrite(self._file, f"{os.getpid():<20}\n".encode(), 0)

    def holder(self) -> int | None:
        """The process id its last holder wrote."""
        written = os.pread(self._file, 20, 0).strip()
        return int(written) if written.isdigit() else None

    def release(self) -> None:
        os.close(self._file)


def supervisor_of(state: State) -> int | None:
    """The process id of the live supervisor of this state, or None."""
    lock = Lock(state.root / "supervisor.lock")
    try:
        return None if lock.take(shared=True) else lock.holder()
    finally:
        lock.release()


def orphan_of(state: State) -> int | None:
    """The process id of a PostgreSQL that has outlived its supervisor, or None. Ask where no supervisor is."""
    data = state.postgres / "data"
    try:
        pid = int((data / "postmaster.pid").read_text().splitlines()[0])
    except (OSError, ValueError, IndexError):
        return None
    return pid if alive(pid) and works_in(pid, data) else None


def take_supervision(state: State, seconds: float = 1.0) -> Lock | None:
    """The supervisor's lock, or None when another keeps it (``supervisor_of`` holds it for an instant only)."""
    lock = Lock(state.root / "supervisor.lock")
    until = time.monotonic() + seconds
    while not lock.take():
        if time.monotonic() > until:
            lock.release()
            return None
        time.sleep(0.02)
    lock.sign()
    return lock
