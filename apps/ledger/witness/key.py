"""The witness's key: a file that only its owner reads, made at the first start.

muniment-witness-key/1
name <key name>
cosigning <64 hex>      an Ed25519 seed
"""

import os
import re
import secrets
from pathlib import Path

from ..format.keys import COSIGNATURE, SigningKey, check_name

FILE_VERSION = "muniment-witness-key/1"

_FILE = re.compile(rf"{re.escape(FILE_VERSION)}\nname ([^\s+]+)\ncosigning ([0-9a-f]{{64}})\n")


class WitnessProblem(Exception):
    """The witness cannot go on: one sentence that says what to do."""


class WrongArguments(WitnessProblem):
    """What the command was given cannot be meant: the arguments are to be corrected, nothing else."""


def read_key(path: Path) -> SigningKey:
    """The key of a file. Raises WitnessProblem where it is open to other accounts, or not what it should be."""
    try:
        mode, text = path.stat().st_mode & 0o777, path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise WitnessProblem(f"The witness's key {path} cannot be read: {error}.") from None
    if mode & 0o077:
        raise WitnessProblem(f"The witness's key {path} is open to other accounts (mode {mode:04o}): chmod 600.")
    parts = _FILE.fullmatch(text)
    if parts is None:
        raise WitnessProblem(
            f"The witness's key {path} must be {FILE_VERSION}, `name` and a name, `cosigning` and 64 hex digits, on "
            "three lines: put the file back from a copy."
        )
    return SigningKey(check_name(parts[1]), COSIGNATURE, bytes.fromhex(parts[2]))


def write_new_key(path: Path, name: str) -> SigningKey:
    """Make a key under this name; it is on the disk, whole, when this returns. Raises Malformed for the name."""
    key = SigningKey(check_name(name), COSIGNATURE, secrets.token_bytes(32))
    write_whole(path, f"{FILE_VERSION}\nname {name}\ncosigning {key.seed.hex()}\n".encode(), 0o600)
    return key


def write_whole(path: Path, data: bytes, mode: int) -> None:
    """Write a file whole or not at all, with these rights; it is on the disk when this returns."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}.part")
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """What was made, renamed or removed in a folder is on the disk when this returns."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
