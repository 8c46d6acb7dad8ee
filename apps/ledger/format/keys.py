"""Keys with names: C2SP signed-note v1.0.0, "Verifier keys" and "Signature types".

Two types of the standard's list are spoken here: 0x01, Ed25519 over the text, for logs; 0x04, the timestamped Ed25519
cosignature, for witnesses. A key of any other type is refused where it is read, its signatures are unknown ones.
"""

import hashlib
from dataclasses import dataclass, field
from typing import NamedTuple

from .cosignature import cosigned_message, timestamped, untimestamped
from .ed25519 import check_public_key, public_key, sign, signature_holds
from .strict import Malformed, inbase64, octets, unbase64

ED25519 = 0x01
COSIGNATURE = 0x04
_TYPES = {ED25519: "Ed25519", COSIGNATURE: "cosignature"}


class Signature(NamedTuple):
    """One signature line of a note: the key's name and id, and the bytes that follow the id."""

    name: str
    key_id: int
    field: bytes

    def line(self) -> str:
        """`— <name> <base64>` and a newline."""
        return f"— {self.name} {inbase64(self.key_id.to_bytes(4, 'big') + self.field)}\n"


def check_name(name: str) -> str:
    """The key name, if it is one: not empty, no space, no plus, no control character. Raises Malformed."""
    octets(name, "a key name")
    if not name or "+" in name or any(letter.isspace() or letter < " " for letter in name):
        raise Malformed("a key name is text without spaces, plus signs and control characters")
    return name


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """A public key to trust, its name, and what kind of statement it makes (ED25519 or COSIGNATURE)."""

    name: str
    type: int
    public_key: bytes

    def __post_init__(self) -> None:
        check_name(self.name)
        if self.type not in _TYPES:
            raise Malformed(f"a key of type 0x{self.type:02x} is not one of 0x01 (Ed25519) and 0x04 (cosignature)")
        check_public_key(self.public_key)

    @property
    def key_id(self) -> int:
        """The first four bytes of SHA-256(name ‖ newline ‖ type ‖ public key), as a number."""
        digest = hashlib.sha256(self.name.encode() + b"\n" + bytes([self.type]) + self.public_key).digest()
        return int.from_bytes(digest[:4], "big")

    @classmethod
    def parse(cls, text: str) -> "VerifierKey":
        """Read `<name>+<hex key id>+<base64 of type and public key>`. Raises Malformed."""
        parts = text.split("+", 2)
        if len(parts) != 3:
            raise Malformed("a vkey is a name, a key id and a key, with + between")
        material = unbase64(parts[2], "the key in a vkey")
        key = cls(parts[0], material[0], material[1:])
        if str(key) != text:
            raise Malformed("the key id in a vkey is eight lower-case hex digits of its name and key")
        return key

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id:08x}+{inbase64(bytes([self.type]) + self.public_key)}"

    def holds(self, text: bytes, signature: bytes) -> bool:
        """Is the field of a signature line a signature of this key over the note text."""
        if self.type == ED25519:
            return signature_holds(self.public_key, text, signature)
        try:
            time, made = untimestamped(signature)
        except Malformed:
            return False
        return signature_holds(self.public_key, cosigned_message(text, time), made)


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A 32-byte Ed25519 seed with a name and a type (ED25519 or COSIGNATURE). Its text form never shows the seed."""

    name: str
    type: int
    seed: bytes = field(repr=False)

    @property
    def verifier(self) -> VerifierKey:
        """What to give to those who check. Raises Malformed where name, type or seed is none."""
        return VerifierKey(self.name, self.type, public_key(self.seed))

    def sign(self, text: bytes, time: int | None = None) -> Signature:
        """Sign a note text. A cosignature key needs the time (POSIX seconds), the other takes none: else Malformed."""
        if (time is None) != (self.type == ED25519):
            raise Malformed("a cosignature carries its time, any other signature carries none")
        key_id = self.verifier.key_id
        if time is None:
            return Signature(self.name, key_id, sign(self.seed, text))
        return Signature(self.name, key_id, timestamped(time, sign(self.seed, cosigned_message(text, time))))
