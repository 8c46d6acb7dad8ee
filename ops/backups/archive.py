"""A backup's file: members in a tar, encrypted as age. `age --decrypt FILE | tar x` takes it apart without us.

A member is cut into parts `<name>.00000`, `<name>.00001` …, because a tar says an entry's size before its bytes. The
first entry, `about.json`, says what the file is of; the last, `manifest.json`, has each member's size and SHA-256 and
what was counted. A file without its last entry is no backup.
"""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, cast

from ops.backups.age import CannotDecrypt, Identity, Passphrase, Reader, Recipient, Writer
from ops.backups.files import whole
from ops.trouble import Trouble

FORMAT = "muniment-backup/1"
DATA, KEYS = "data", "keys"
PART = 4 * 1024 * 1024  # bytes of a member that are held in memory
_ABOUT, _MANIFEST = "about.json", "manifest.json"


@dataclass(frozen=True, slots=True)
class About:
    """What a file is of. Both files of one backup have one `id` and were taken at one instant, `made_at` (UTC)."""

    id: str
    kind: str
    made_at: str
    product: str
    postgres: int
    migrations: dict[str, list[str]]
    format: str = FORMAT


@dataclass(slots=True)
class Manifest:
    """What a file holds: sizes and digests of its members, rows of each table, and what else was counted."""

    members: dict[str, dict[str, Any]] = field(default_factory=dict)
    tables: dict[str, int] = field(default_factory=dict)
    ledger: dict[str, Any] = field(default_factory=dict)
    log: dict[str, Any] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)


class Filling:
    """An archive that is being written."""

    def __init__(self, tar: tarfile.TarFile) -> None:
        self._tar = tar
        self.manifest = Manifest()

    @contextmanager
    def member(self, name: str) -> Iterator[Member]:
        """A member that is written in whatever pieces it comes."""
        member = Member(self._tar, name)
        yield member
        member.end()
        self.manifest.members[name] = {"size": member.size, "sha256": member.digest.hexdigest()}

    def put(self, name: str, data: bytes) -> None:
        """A member that is all there."""
        with self.member(name) as member:
            member.write(data)


class Member:
    """A member as it is written: a part goes out when it is full."""

    def __init__(self, tar: tarfile.TarFile, name: str) -> None:
        self._tar, self._name = tar, name
        self._part, self._number = bytearray(), 0
        self.size, self.digest = 0, hashlib.sha256()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self._part += data
        self.size += len(data)
        self.digest.update(data)
        while len(self._part) >= PART:
            self._put(PART)

    def end(self) -> None:
        """The last part, and an empty one where nothing was written: the member is there all the same."""
        if self._part or not self._number:
            self._put(len(self._part))

    def _put(self, size: int) -> None:
        _add(self._tar, f"{self._name}.{self._number:05}", bytes(self._part[:size]))
        del self._part[:size]
        self._number += 1


@contextmanager
def writing(path: Path, about: About, to: Passphrase | Recipient) -> Iterator[Filling]:
    """Write an archive: whole, on the disk and under its name when this ends well, and not there at all when it does
    not. Raises Trouble where the file is there already; OSError where the disk is full.
    """
    if path.exists():
        raise Trouble(f"{path} is there already, and a backup is never written over another.")
    with whole(path) as file:
        encrypted = Writer(file, to)
        with tarfile.open(fileobj=cast(BinaryIO, encrypted), mode="w|", format=tarfile.PAX_FORMAT) as tar:
            _add(tar, _ABOUT, _json(about))
            filling = Filling(tar)
            yield filling
            _add(tar, _MANIFEST, _json(filling.manifest))
        encrypted.close()


def _json(what: About | Manifest) -> bytes:
    return json.dumps(asdict(what), indent=1, sort_keys=True).encode() + b"\n"


def _add(tar: tarfile.TarFile, name: str, data: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(data), 0o600
    tar.addfile(entry, io.BytesIO(data))


class Opened:
    """An archive that is being read, from its beginning to its end. `manifest` is there once all members were read."""

    def __init__(self, path: Path, tar: tarfile.TarFile) -> None:
        self._path, self._tar = path, tar
        self._entries = _entries(path, tar)
        self._next = next(self._entries, None)
        self.about = self._read_about()
        self.manifest: Manifest | None = None
        self._seen: dict[str, dict[str, Any]] = {}

    def members(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        """Each member's name and its bytes. One that was not read to its end is skipped to there."""
        while self._next is not None and self._next.name != _MANIFEST:
            name = self._next.name.rpartition(".")[0]
            parts = self._parts(name)
            yield name, parts
            for _ in parts:
                pass
        if self._next is None:
            raise Trouble(f"{self._path} has no manifest: it is not a whole backup.")
        self.manifest = Manifest(**json.loads(self._bytes(self._next)))
        if next(self._entries, None) is not None or self.manifest.members != self._seen:
            raise Trouble(f"{self._path} does not hold what its manifest says: it was put together by somebody else.")

    def _parts(self, name: str) -> Iterator[bytes]:
        size, digest, number = 0, hashlib.sha256(), 0
        while self._next is not None and self._next.name == f"{name}.{number:05}":
            data = self._bytes(self._next)
            size, number = size + len(data), number + 1
            digest.update(data)
            yield data
            self._next = next(self._entries, None)
        self._seen[name] = {"size": size, "sha256": digest.hexdigest()}
        if not number:
            raise Trouble(f"{self._path} is no backup of Muniment: the order of its entries is another.")

    def _bytes(self, entry: tarfile.TarInfo) -> bytes:
        file = self._tar.extractfile(entry)
        if file is None:
            raise Trouble(f"{self._path} is no backup of Muniment: {entry.name} is no file in it.")
        with _naming(self._path):
            return file.read()

    def _read_about(self) -> About:
        try:
            if self._next is None or self._next.name != _ABOUT:
                raise ValueError
            fields = json.loads(self._bytes(self._next))
            if not str(fields["format"]).startswith("muniment-backup/"):
                raise ValueError
        except (ValueError, TypeError, KeyError):
            raise Trouble(f"{self._path} is no backup of Muniment.") from None
        self._next = next(self._entries, None)
        if fields["format"] != FORMAT:
            raise Trouble(f"{self._path} is newer than this Muniment: upgrade first, then restore it.")
        return About(**fields)


class _Decrypted:
    """What a file holds, as tarfile reads it. What is wrong with it is told of this file, whichever others are open."""

    def __init__(self, path: Path, reader: Reader) -> None:
        self._path, self._reader = path, reader

    def read(self, size: int = -1) -> bytes:
        with _naming(self._path):
            return self._reader.read(size)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Whatever is wrong with this file is a Trouble that names it."""
    try:
        yield
    except CannotDecrypt as problem:
        raise Trouble(f"{path} cannot be read. {problem}") from None
    except tarfile.TarError:
        raise Trouble(f"{path} is no backup of Muniment.") from None
    except OSError as error:
        if error.filename != str(path):
            raise
        raise Trouble(f"{path} cannot be read: {error.strerror}.") from None


def _entries(path: Path, tar: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    while True:
        with _naming(path):
            entry = tar.next()
        if entry is None:
            return
        yield entry


@contextmanager
def reading(path: Path, by: Passphrase | Identity) -> Iterator[Opened]:
    """Read an archive. Raises Trouble, with one sentence, wherever it does not open or is not as it was written."""
    with ExitStack() as stack:
        with _naming(path):
            file = stack.enter_context(path.open("rb"))
            plain = cast(BinaryIO, _Decrypted(path, Reader(file, by)))
            opened = Opened(path, stack.enter_context(tarfile.open(fileobj=plain, mode="r|")))
        yield opened
