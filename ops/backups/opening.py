"""With what a backup is locked and opened again: an identity in a file, or a passphrase."""

from __future__ import annotations

import os
from pathlib import Path

from ops import environment
from ops.backups.age import Identity, Passphrase, Recipient
from ops.trouble import Trouble

RECIPIENT, PASSPHRASE = "MUNIMENT_BACKUP_RECIPIENT", "MUNIMENT_BACKUP_PASSPHRASE"
LEAST_WORDS = 12  # characters


def lock() -> Passphrase | Recipient:
    """For whom the settings say to encrypt. Raises Trouble where they do not, or nobody could ever open it."""
    # Named in full: a test finds by it which settings are read.
    text = environment.setting("MUNIMENT_BACKUP_RECIPIENT")
    words = environment.setting("MUNIMENT_BACKUP_PASSPHRASE")
    if text and words:
        raise Trouble(f"Both {RECIPIENT} and {PASSPHRASE} are set: a backup has one lock, so unset one of them.")
    if text:
        try:
            return Recipient.parse(text)
        except ValueError as error:
            raise Trouble(f"{RECIPIENT} cannot be used. {error}") from None
    if not words:
        raise Trouble(
            f"No backup is made that everybody can read: set {RECIPIENT} to the key that 'manage.py backup "
            f"--new-identity FILE' prints, or {PASSPHRASE} to words of your own."
        )
    if len(words) < LEAST_WORDS:
        raise Trouble(f"{PASSPHRASE} has fewer than {LEAST_WORDS} characters: somebody with time would guess it.")
    return Passphrase(words)


def new_identity(path: Path) -> Recipient:
    """Write a new identity into a file of its own, mode 600, and say its public key. Raises Trouble where there is one:
    without it the backups that were made for it never open again.
    """
    identity = Identity.new()
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(f"# public key: {identity.recipient}\n{identity}\n")
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        raise Trouble(
            f"{path} is there already, and older backups may open with it alone: name another file."
        ) from None
    except OSError as error:
        raise Trouble(f"{path} cannot be written: {error.strerror}.") from None
    return identity.recipient


def identity_of(path: Path) -> Identity:
    """The identity in a file, as `age-keygen` and `--new-identity` write it. Raises Trouble."""
    try:
        lines = [line.strip() for line in path.read_text(encoding="ascii").splitlines()]
        (text,) = [line for line in lines if line and not line.startswith("#")]
        return Identity.parse(text)
    except OSError as error:
        raise Trouble(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise Trouble(
            f"{path} must hold one line AGE-SECRET-KEY-1…: the identity that the backup was made for."
        ) from None
