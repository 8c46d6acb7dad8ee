"""Every file at and below some folders, once, whatever it is called and however many names it has."""

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from .limits import no_access
from .looking import look
from .searching import Search


def walk(search: Search, roots: Sequence[Path]) -> None:
    """Look into everything. What cannot be read is told in the report."""
    seen: set[tuple[int, int]] = set()
    real = [os.path.realpath(root) for root in roots]
    for root in roots:
        try:
            os.stat(root)
        except OSError as error:
            search.unopened(search.shown(str(root)), no_access(error))
            continue
        stack = [os.path.realpath(root)]
        search.name(os.path.basename(stack[0]), search.shown(stack[0]))
        while stack:
            path = stack.pop()
            try:
                found = os.lstat(path)
                if stat.S_ISLNK(found.st_mode):
                    _link(search, path, real)
                elif stat.S_ISDIR(found.st_mode):
                    if (found.st_dev, found.st_ino) not in seen:
                        seen.add((found.st_dev, found.st_ino))
                        stack += _below(search, path)
                elif stat.S_ISREG(found.st_mode):
                    if (found.st_dev, found.st_ino) not in seen:
                        seen.add((found.st_dev, found.st_ino))
                        _file(search, path)
                elif stat.S_ISBLK(found.st_mode) or stat.S_ISCHR(found.st_mode):
                    search.unopened(search.shown(path), "it is a device")
            except FileNotFoundError:
                search.report.coverage.vanished += 1
            except OSError as error:
                search.unopened(search.shown(path), no_access(error))


def _below(search: Search, path: str) -> Iterator[str]:
    """What is in a folder, the last name first: it is taken from the end."""
    for name in sorted(os.listdir(path), reverse=True):
        whole = os.path.join(path, name)
        search.name(name, search.shown(whole))
        yield whole


def _file(search: Search, path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(descriptor, "rb", buffering=0) as stream:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            return
        if beyond := search.beyond(found.st_size):
            search.unopened(search.shown(path), beyond)
            return
        search.begin_file()
        search.report.coverage.files += 1
        search.report.coverage.bytes_read += found.st_size
        look(search, path, stream, search.shown(path))


def _link(search: Search, path: str, roots: Sequence[str]) -> None:
    """A link is not followed: what it leads to is found where it stands, or is told."""
    search.report.coverage.links += 1
    target = os.path.realpath(path)
    search.name(os.readlink(path), search.shown(path))
    inside = any(target == root or target.startswith(root.rstrip(os.sep) + os.sep) for root in roots)
    if not inside and os.path.exists(target):
        search.unopened(search.shown(path), "it is a link to outside the given folders; give what it leads to as well")
