"""Files that are there whole or not at all, and stay there when the power fails."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def open_private(path: Path) -> BinaryIO:
    """A file to be written from its beginning, that only its owner reads."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")


def put_private(path: Path, data: bytes) -> None:
    """Write a file that only the folder's owner reads: whole, and on the disk when this returns."""
    with whole(path) as file:
        if os.geteuid() == 0:
            owner = path.parent.stat()
            os.fchown(file.fileno(), owner.st_uid, owner.st_gid)
        file.write(data)


@contextmanager
def whole(path: Path) -> Iterator[BinaryIO]:
    """A private file to be written: whole, on the disk and under its name when this ends well, and else not there."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open_private(fresh) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Have what was renamed in a folder on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
