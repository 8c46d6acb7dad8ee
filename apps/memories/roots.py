"""The file of root keys: a reader meets the old one or the new one, and a kill leaves one of both.

Lines `<epoch> <64 hex>`, the last one current; mode 600. It is read at each use: a destroyed key must not live on in a
process. A new file takes the old one's place by a rename. What a destroyed key leaves on the disk is overwritten first,
as far as that goes: a file system that copies on write, a journal, or a drive that levels its wear may keep the old
bytes, and there only the disk's own encryption helps.
"""

import fcntl
import os
import secrets
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings


class CannotChange(Exception):
    """The file of root keys cannot be changed from here. Says why, as a sentence."""


def root_keys() -> dict[int, bytes]:
    """The root keys by epoch, the file's last line the newest."""
    return {epoch: bytes.fromhex(key) for epoch, key in _lines(_path())}


def add(after: int) -> int:
    """Append a new key to follow the one of epoch `after`, unless somebody did already. Returns the newest epoch.

    Raises CannotChange.
    """
    with _changing() as path:
        lines = _lines(path)
        newest = max(epoch for epoch, _ in lines)
        if newest > after:
            return newest
        _replace(path, [*lines, (after + 1, secrets.token_hex(32))])
        return after + 1


def destroy(epochs: Collection[int]) -> None:
    """Take these keys out of the file, and overwrite where they stood. The newest stays, whoever asks.

    Raises CannotChange.
    """
    with _changing() as path:
        lines = _lines(path)
        newest = max(epoch for epoch, _ in lines)
        gone = {epoch for epoch, _ in lines if epoch in epochs and epoch != newest}
        if not gone:
            return
        with path.open("r+b") as old:
            _replace(path, [(epoch, key) for epoch, key in lines if epoch not in gone])
            # Whoever opened the old file just before still finds its other lines in their places.
            text = old.read()
            for epoch, key in lines:
                if epoch in gone:
                    old.seek(text.index(key.encode()))
                    old.write(b"0" * len(key))
            old.flush()
            os.fsync(old.fileno())


def cannot_change() -> str:
    """Why the file cannot be changed from here, as a sentence; "" where it can."""
    try:
        with _changing():
            return ""
    except CannotChange as error:
        return str(error)


def _path() -> Path:
    return Path(settings.MUNIMENT_ROOT_KEY_FILE)


def _lines(path: Path) -> list[tuple[int, str]]:
    found = []
    for line in path.read_bytes().decode("ascii").splitlines():
        epoch, _, key = line.strip().partition(" ")
        if key:
            found.append((int(epoch), key))
    return found


@contextmanager
def _changing() -> Iterator[Path]:
    """The file behind every link, for one process at a time. Raises CannotChange, also for what happens inside."""
    path = Path(os.path.realpath(_path()))
    try:
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            owner = path.stat().st_uid
            if os.geteuid() not in (0, owner):
                raise CannotChange(f"The root key file {path} belongs to another account.")
            if _mounted(path) or not os.access(path.parent, os.W_OK) or not os.access(path, os.W_OK):
                raise CannotChange(f"The root key file {path} cannot be replaced from here: mounted, or read-only.")
            yield path
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise CannotChange(f"The root key file {path} cannot be replaced from here: {error.strerror}.") from None


def _mounted(path: Path) -> bool:
    """Is the file itself a mount, as a container's secret is? Then no other can take its place."""
    try:
        mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    return str(path) in (line.split()[4] for line in mounts)


def _replace(path: Path, lines: list[tuple[int, str]]) -> None:
    """Write these lines beside the file, flush them, and rename. A half-written one of a kill is written over."""
    new, old = path.with_name(f".{path.name}.new"), path.stat()
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        os.fchmod(descriptor, 0o600)
        if (os.geteuid(), os.getegid()) != (old.st_uid, old.st_gid) and os.geteuid() == 0:
            os.fchown(descriptor, old.st_uid, old.st_gid)
        file.write("".join(f"{epoch} {key}\n" for epoch, key in lines))
        file.flush()
        os.fsync(descriptor)
    new.replace(path)
