"""Files encrypted as age v1 (C2SP age): for whoever holds an X25519 identity, or for a passphrase.

The programs `age` and `rage` open what is written here with the same identity or passphrase, so that a backup needs no
Muniment to be read. Written in chunks of 64 KiB, each of which is authenticated before any of it is given out.
"""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from ops.backups import bech32

INTRO = b"age-encryption.org/v1"
CHUNK = 64 * 1024
WORK = 18  # log2 of scrypt's cost: a guess takes 256 MB and about a second, as with the program `age`
MOST_WORK = 20  # what somebody else's file may make us do
_TAG = 16
_LONGEST_LINE = 1024


class CannotDecrypt(Exception):
    """Not an age file, not for us, or not as it was written: one sentence that says which."""


@dataclass(frozen=True, slots=True)
class Passphrase:
    """Whoever knows the words opens the file."""

    words: str = field(repr=False)

    def wrap(self, file_key: bytes) -> tuple[list[str], bytes]:
        """A stanza's arguments and its body."""
        salt = os.urandom(16)
        return ["scrypt", _text(salt), str(WORK)], _seal(self._key(salt, WORK), file_key)

    def unwrap(self, arguments: list[str], body: bytes) -> bytes | None:
        """The file's key; None where the stanza is another's. Raises CannotDecrypt for a cost that is out of reach."""
        if arguments[:1] != ["scrypt"] or len(arguments) != 3 or not arguments[2].isdigit():
            return None
        if not 1 <= int(arguments[2]) <= MOST_WORK:
            raise CannotDecrypt(f"It asks for 2^{arguments[2]} rounds of scrypt, and at most 2^{MOST_WORK} are done.")
        return _open(self._key(_bytes(arguments[1]), int(arguments[2])), body)

    def _key(self, salt: bytes, work: int) -> bytes:
        kdf = Scrypt(salt=INTRO + b"/scrypt" + salt, length=32, n=2**work, r=8, p=1)
        return kdf.derive(self.words.encode())


@dataclass(frozen=True, slots=True)
class Recipient:
    """An X25519 public key, written `age1…`: whoever holds its identity opens the file, and who wrote it cannot."""

    key: bytes

    @classmethod
    def parse(cls, text: str) -> Recipient:
        """Read `age1…`. Raises ValueError."""
        return cls(bech32.decode("age", text))

    def __str__(self) -> str:
        return bech32.encode("age", self.key)

    def wrap(self, file_key: bytes) -> tuple[list[str], bytes]:
        """A stanza's arguments and its body."""
        ours = X25519PrivateKey.generate()
        share = ours.public_key().public_bytes_raw()
        shared = ours.exchange(X25519PublicKey.from_public_bytes(self.key))
        return ["X25519", _text(share)], _seal(_between(shared, share, self.key), file_key)


@dataclass(frozen=True, slots=True)
class Identity:
    """An X25519 private key, written `AGE-SECRET-KEY-1…`."""

    key: bytes = field(repr=False)

    @classmethod
    def new(cls) -> Identity:
        """A new one."""
        return cls(X25519PrivateKey.generate().private_bytes_raw())

    @classmethod
    def parse(cls, text: str) -> Identity:
        """Read `AGE-SECRET-KEY-1…`. Raises ValueError."""
        return cls(bech32.decode("age-secret-key-", text))

    def __str__(self) -> str:
        return bech32.encode("age-secret-key-", self.key).upper()

    @property
    def recipient(self) -> Recipient:
        """Whom to encrypt for, so that this opens it."""
        return Recipient(X25519PrivateKey.from_private_bytes(self.key).public_key().public_bytes_raw())

    def unwrap(self, arguments: list[str], body: bytes) -> bytes | None:
        """The file's key; None where the stanza is another's."""
        if arguments[:1] != ["X25519"] or len(arguments) != 2:
            return None
        share = _bytes(arguments[1])
        try:
            shared = X25519PrivateKey.from_private_bytes(self.key).exchange(X25519PublicKey.from_public_bytes(share))
        except ValueError:  # a share that is no point of the curve, or all zeros
            return None
        return _open(_between(shared, share, self.recipient.key), body)


class Writer:
    """Encrypts what is written to it into a file. Nothing is a whole age file before `close`."""

    def __init__(self, file: BinaryIO, to: Passphrase | Recipient) -> None:
        self._file = file
        file_key = os.urandom(16)
        arguments, body = to.wrap(file_key)
        header = INTRO + b"\n" + f"-> {' '.join(arguments)}\n{_wrapped(body)}\n---".encode()
        nonce = os.urandom(16)
        file.write(header + b" " + _text(_mac(file_key, header)).encode() + b"\n" + nonce)
        self._cipher = ChaCha20Poly1305(_derive(file_key, nonce, b"payload"))
        self._waiting = bytearray()
        self._number = 0

    def write(self, data: bytes) -> int:
        """Encrypt more. The last chunk waits until it is known whether it is the last."""
        self._waiting += data
        while len(self._waiting) > CHUNK:
            self._put(bytes(self._waiting[:CHUNK]), last=False)
            del self._waiting[:CHUNK]
        return len(data)

    def close(self) -> None:
        """Write the last chunk, which says that it is the last. The file stays open."""
        self._put(bytes(self._waiting), last=True)

    def _put(self, data: bytes, *, last: bool) -> None:
        self._file.write(self._cipher.encrypt(_nonce(self._number, last), data, None))
        self._number += 1


class Reader:
    """Decrypts a file as it is read. Raises CannotDecrypt, at once or where the first wrong byte is met."""

    def __init__(self, file: BinaryIO, by: Passphrase | Identity) -> None:
        self._file = file
        file_key = _file_key(file, by)
        nonce = file.read(16)
        if len(nonce) < 16:
            raise CannotDecrypt("It ends after its header: it was cut off.")
        self._cipher = ChaCha20Poly1305(_derive(file_key, nonce, b"payload"))
        self._chunks = self._opened()
        self._ready = b""

    def read(self, size: int = -1) -> bytes:
        """So many bytes, fewer only at the end; all that is left without a size."""
        parts, had = [], 0
        while size < 0 or had < size:
            if not self._ready:
                self._ready = next(self._chunks, b"")
            if not self._ready:
                break
            part = self._ready if size < 0 else self._ready[: size - had]
            parts.append(part)
            had += len(part)
            self._ready = self._ready[len(part) :]
        return b"".join(parts)

    def _opened(self) -> Iterator[bytes]:
        number, chunk = 0, self._file.read(CHUNK + _TAG)
        while True:
            following = self._file.read(CHUNK + _TAG)
            last = not following
            try:
                data = self._cipher.decrypt(_nonce(number, last), chunk, None)
            except (InvalidTag, ValueError):  # another key or other bytes, or fewer than a tag has
                raise CannotDecrypt(self._said(number, chunk, last)) from None
            if last and not data and number:
                raise CannotDecrypt("It ends with an empty chunk, which nobody writes.")
            if data:
                yield data
            if last:
                return
            number, chunk = number + 1, following

    def _said(self, number: int, chunk: bytes, last: bool) -> str:
        if last:
            try:
                self._cipher.decrypt(_nonce(number, False), chunk, None)
                return "It was cut off: its end is missing."
            except (InvalidTag, ValueError):
                pass
        return f"It is damaged, or was cut off, in the 64 KiB that begin {number * CHUNK} bytes into what it holds."


def _file_key(file: BinaryIO, by: Passphrase | Identity) -> bytes:
    """The key of a file, which is read up to its payload."""
    header = _line(file)
    if header != INTRO + b"\n":
        raise CannotDecrypt("It is no file that age has encrypted.")
    found = None
    line = _line(file)
    while line.startswith(b"-> "):
        header += line
        arguments, body = _arguments(line), b""
        while True:
            part = _line(file)
            header += part
            body += part[:-1]
            if len(part) < 65:
                break
        unwrapped = by.unwrap(arguments, _bytes(_ascii(body)))
        found = found or unwrapped
        line = _line(file)
    if not line.startswith(b"--- "):
        raise CannotDecrypt("Its header is damaged.")
    if found is None:
        what = "passphrase" if isinstance(by, Passphrase) else "identity"
        raise CannotDecrypt(f"It does not open with this {what}.")
    if _mac(found, header + b"---") != _bytes(_ascii(line[4:-1])):
        raise CannotDecrypt("Its header was changed.")
    return found


def _line(file: BinaryIO) -> bytes:
    line = file.readline(_LONGEST_LINE)
    if not line.endswith(b"\n"):
        raise CannotDecrypt("It is no file that age has encrypted, or its header is damaged.")
    return line


def _arguments(line: bytes) -> list[str]:
    return _ascii(line[3:-1]).split(" ")


def _ascii(data: bytes) -> str:
    try:
        return data.decode("ascii")
    except UnicodeDecodeError:
        raise CannotDecrypt("Its header is damaged.") from None


def _wrapped(body: bytes) -> str:
    """A stanza's body in lines of 64, the last one shorter."""
    text = _text(body)
    return "\n".join(text[start : start + 64] for start in range(0, len(text) + 1, 64))


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    """Base64 without padding, in its one canonical form."""
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except binascii.Error:
        data = None
    if data is None or _text(data) != text:
        raise CannotDecrypt("Its header is damaged.")
    return data


def _derive(secret: bytes, salt: bytes, info: bytes) -> bytes:
    return HKDF(hashes.SHA256(), length=32, salt=salt or None, info=info).derive(secret)


def _between(shared: bytes, share: bytes, recipient: bytes) -> bytes:
    return _derive(shared, share + recipient, INTRO + b"/X25519")


def _mac(file_key: bytes, header: bytes) -> bytes:
    made = hmac.HMAC(_derive(file_key, b"", b"header"), hashes.SHA256())
    made.update(header)
    return made.finalize()


def _seal(key: bytes, file_key: bytes) -> bytes:
    return ChaCha20Poly1305(key).encrypt(bytes(12), file_key, None)


def _open(key: bytes, body: bytes) -> bytes | None:
    try:
        found = ChaCha20Poly1305(key).decrypt(bytes(12), body, None)
    except (InvalidTag, ValueError):
        return None
    return found if len(found) == 16 else None


def _nonce(number: int, last: bool) -> bytes:
    return number.to_bytes(11, "big") + (b"\x01" if last else b"\x00")
