"""The log's keys, and the memory of what was last signed. Only the log's process holds them.

The key file, mode 600, made at the first start:

    muniment-log-keys/1
    pseudonyms <64 hex>     what vaults' pseudonyms are derived from
    signing <64 hex>        an Ed25519 seed; not there where a command signs
"""

import base64
import fcntl
import hashlib
import os
import re
import secrets
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from apps.ledger.format.checkpoint import Checkpoint, parse_signed
from apps.ledger.format.ed25519 import public_key, sign
from apps.ledger.format.fork import Fork
from apps.ledger.format.keys import ED25519, Signature, VerifierKey
from apps.ledger.format.note import Note
from apps.ledger.format.strict import Malformed, Unproven

FILE_VERSION = "muniment-log-keys/1"
PATIENCE = 10.0  # seconds for a signer's answer

_LINE = re.compile(r"(pseudonyms|signing) ([0-9a-f]{64})", re.ASCII)


class KeyProblem(Exception):
    """The log's keys cannot be used: one sentence that says what to do."""


class _Twice(ValueError):
    """A key file with two lines of one name."""


class Signer(Protocol):
    """Whatever signs for the log."""

    def public_key(self) -> bytes:
        """The 32 bytes of the Ed25519 key."""

    def sign(self, message: bytes) -> bytes:
        """The 64-byte signature of a message."""


@dataclass(frozen=True, slots=True)
class SeedSigner:
    """Signs with a seed from the key file."""

    seed: bytes = field(repr=False)

    def public_key(self) -> bytes:
        return public_key(self.seed)

    def sign(self, message: bytes) -> bytes:
        return sign(self.seed, message)


@dataclass(frozen=True, slots=True)
class CommandSigner:
    """Signs by a command: `<command> public-key` prints the key in base64, `<command> sign` the signature of its
    standard input."""

    command: str

    def public_key(self) -> bytes:
        return self._ask("public-key", b"")

    def sign(self, message: bytes) -> bytes:
        return self._ask("sign", message)

    def _ask(self, word: str, given: bytes) -> bytes:
        argv = [*shlex.split(self.command), word]
        try:
            done = subprocess.run(argv, input=given, capture_output=True, timeout=PATIENCE, check=False)  # noqa: S603
        except (OSError, subprocess.TimeoutExpired) as error:
            raise KeyProblem(f"MUNIMENT_LOG_SIGNER does not answer ({type(error).__name__}): {argv[0]}.") from None
        try:
            if done.returncode == 0:
                return base64.b64decode(done.stdout.strip(), validate=True)
        except ValueError:
            pass
        raise KeyProblem(f"MUNIMENT_LOG_SIGNER must print base64 for `{word}` and exit 0: {argv[0]}.")


@dataclass(frozen=True, slots=True)
class LogKeys:
    """What the log's process holds: who signs, what pseudonyms are derived from, and what it last signed."""

    signer: Signer
    pseudonyms: bytes = field(repr=False)
    memory: "Memory"

    def verifier(self, origin: str) -> VerifierKey:
        """The public key under the log's name."""
        return VerifierKey(origin, ED25519, self.signer.public_key())

    def sign(self, checkpoint: Checkpoint) -> bytes:
        """The signed checkpoint's bytes. Raises KeyProblem where the signer signs with another key than it shows."""
        key = self.verifier(checkpoint.origin)
        text = checkpoint.text
        signature = self.signer.sign(text.encode())
        if not key.holds(text.encode(), signature):
            raise KeyProblem("The log's signer does not sign with the key it shows: check MUNIMENT_LOG_SIGNER.")
        return Note(text, (Signature(key.name, key.key_id, signature),)).to_bytes()


@dataclass(frozen=True, slots=True)
class Memory:
    """The last signed checkpoint, in a file beside the keys: it outlives a database that is restored to earlier days.

    It only moves forward, and what it holds was on the disk before anybody saw the signature.
    """

    path: Path

    def last(self) -> Checkpoint | None:
        """What was last signed; None before anything was. Raises KeyProblem for a file that cannot be read."""
        note = self.note()
        return parse_signed(note)[0] if note is not None else None

    def note(self) -> bytes | None:
        """The same with its signature."""
        try:
            note = self.path.read_bytes()
            parse_signed(note)
            return note
        except FileNotFoundError:
            return None
        except (OSError, Malformed) as error:
            raise KeyProblem(
                f"{self.path} holds the checkpoint that was last signed and cannot be read ({error}): put it back from "
                "the newest copy, or take the last checkpoint that anybody was served."
            ) from None

    def fork(self, origin: str) -> bytes | None:
        """What was last found against this log: while it is shown, nothing more is signed under this name."""
        path = self.fork_path(origin)
        return path.read_bytes() if path.exists() else None

    def keep_fork(self, origin: str, evidence: bytes) -> None:
        """Remember what shows that this log, under this name, has signed what its database does not continue. A proof
        of a fork stands; a signed checkpoint, which the right database refutes, gives way to what is found later."""
        with _locked(self.path.with_name(f"{self.path.name}.lock")):
            kept = self.fork(origin)
            if kept is None or (kept != evidence and not is_proof(kept)):
                write_private(self.fork_path(origin), evidence)

    def fork_path(self, origin: str) -> Path:
        """Where that evidence is kept: a file for each name the log may have had."""
        return self.path.with_name(f"{self.path.stem}.fork-{_short(origin)}")

    def keep(self, signed: bytes) -> None:
        """Remember a signed checkpoint, unless a larger one is remembered already. The last one of a log that ended
        (it begins anew under another name) stays in a file beside."""
        checkpoint, _ = parse_signed(signed)
        with _locked(self.path.with_name(f"{self.path.name}.lock")):
            before = self.note()
            last = parse_signed(before)[0] if before is not None else None
            if before is not None and last is not None and last.origin != checkpoint.origin:
                write_private(self.path.with_name(f"{self.path.name}.before-{_short(checkpoint.origin)}"), before)
                last = None
            if last is None or last.size < checkpoint.size:
                write_private(self.path, signed)


def is_proof(evidence: bytes) -> bool:
    """Is evidence a proof of a fork, which holds from its bytes alone and against any database; else it is a signed
    checkpoint."""
    with suppress(Malformed, Unproven):
        Fork.parse(evidence).check()
        return True
    return False


def load(path: Path, command: str = "", *, make: bool) -> LogKeys:
    """Read the key file, or with `make` write a new one where there is none. `command` signs in place of its seed.

    Raises KeyProblem where it is gone, open to other accounts, or not what it should be.
    """
    if make and not path.exists():
        _make(path, seed=not command)
    if not path.exists():
        raise KeyProblem(
            f"The log's keys {path} are gone, and this log has signed with them: put the file back "
            "(MUNIMENT_LOG_KEY_FILE)."
        )
    if wrong := keys_wrong(path, signing=not command):
        raise KeyProblem(wrong)
    found = _read(path)
    signer: Signer = CommandSigner(command) if command else SeedSigner(found["signing"])
    return LogKeys(signer, found["pseudonyms"], memory_beside(path))


def memory_beside(path: Path) -> Memory:
    """What is remembered beside a key file, whether that can be used or not."""
    return Memory(path.with_name(f"{path.name}.signed"))


def _short(origin: str) -> str:
    """A log's name as a part of a file's."""
    return hashlib.sha256(origin.encode()).hexdigest()[:12]


def _make(path: Path, *, seed: bool) -> None:
    lines = [FILE_VERSION, f"pseudonyms {secrets.token_hex(32)}"]
    if seed:
        lines.append(f"signing {secrets.token_hex(32)}")
    try:
        with _locked(path.with_name(f"{path.name}.lock")):
            if not path.exists():  # another process may have been first: its keys stand
                write_private(path, "".join(f"{line}\n" for line in lines).encode())
    except OSError as error:
        raise KeyProblem(f"The log's keys {path} cannot be written: {error.strerror}.") from None


def keys_wrong(path: Path, *, signing: bool = True) -> str | None:
    """What is wrong with a key file, as a sentence; None when it can be used. Never shows its contents."""
    try:
        mode = path.stat().st_mode & 0o777
        found = _read(path)
    except OSError as error:
        return f"The log's key file {path} cannot be read: {error.strerror}."
    except _Twice as name:
        return (
            f"The log's key file {path} has two {name} lines, and there can be one: leave the one to go on with, and "
            "take the other out."
        )
    except (UnicodeDecodeError, ValueError):
        return f"The log's key file {path} must begin with {FILE_VERSION} and hold a line for each key, 64 hex digits."
    if mode & 0o077:
        return f"The log's key file {path} is open to other accounts (mode {mode:04o}): chmod 600."
    missing = {"pseudonyms", *(["signing"] if signing else [])} - found.keys()
    return f"The log's key file {path} has no line {' and no line '.join(sorted(missing))}." if missing else None


def write_private(path: Path, data: bytes) -> None:
    """Write a file only its owner reads, whole or not at all, and on the disk when this returns. What root writes by a
    command belongs to whoever owns the folder: the log's process has to read it."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        _give(descriptor, path.parent)
        os.write(descriptor, data)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    fresh.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _read(path: Path) -> dict[str, bytes]:
    """The keys by their names. Raises ValueError for another file."""
    version, *lines = [line.strip() for line in path.read_text(encoding="ascii").splitlines() if line.strip()] or [""]
    found: dict[str, bytes] = {}
    for line in lines:
        parts = _LINE.fullmatch(line)
        if parts is None:
            raise ValueError
        if parts[1] in found:
            raise _Twice(parts[1])
        found[parts[1]] = bytes.fromhex(parts[2])
    if version != FILE_VERSION:
        raise ValueError
    return found


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Alone with a file: two processes with one key file keep one memory."""
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _give(file, path.parent)
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)


def _give(file: int, folder: Path) -> None:
    """Give a file that root has opened to the folder's owner."""
    if os.geteuid() == 0:
        owner = folder.stat()
        os.fchown(file, owner.st_uid, owner.st_gid)
