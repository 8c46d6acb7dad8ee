"""What every format here is read with: one spelling for each number, hash and text, and nothing after the end.

The modules of this package import one another by `from .module import name` and no name is defined twice, so that
they also work laid one after the other in a single file (tests/ledger/test_one_file.py does that).
"""

import base64
import re

MOST = 2**63 - 1  # the largest size, index or POSIX time that any of the formats allows
HASH_BYTES = 32

_DECIMAL = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)


class Malformed(ValueError):
    """These bytes are not what the format says. The sentence names the first thing that is wrong."""


class Unproven(ValueError):
    """Well formed, and yet it does not hold: a signature, a hash path or a quorum. The sentence says which."""


def decimal(text: str, what: str, most: int = MOST) -> int:
    """An ASCII decimal without sign or leading zeros, 0 to `most`. Raises Malformed."""
    if not _DECIMAL.fullmatch(text) or int(text) > most:
        raise Malformed(f"{what} must be a decimal from 0 to {most} without sign or leading zeros")
    return int(text)


def bounded(number: int, what: str, most: int = MOST) -> int:
    """The number, if it can be written: a whole one, 0 to `most`. Raises Malformed."""
    if type(number) is not int or not 0 <= number <= most:
        raise Malformed(f"{what} must be a whole number from 0 to {most}")
    return number


def unbase64(text: str, what: str) -> bytes:
    """The bytes of standard base64 (RFC 4648 §4), padded, canonical, not empty. Raises Malformed."""
    try:
        found = base64.b64decode(text, validate=True)
    except ValueError:
        found = b""
    if not found or base64.b64encode(found).decode() != text:
        raise Malformed(f"{what} must be canonical base64 with padding")
    return found


def inbase64(data: bytes) -> str:
    """Standard base64 (RFC 4648 §4), padded."""
    return base64.b64encode(data).decode()


def unbase64_hash(text: str, what: str) -> bytes:
    """A SHA-256 hash in base64: 32 bytes. Raises Malformed."""
    return a_hash(unbase64(text, what), what)


def a_hash(data: bytes, what: str) -> bytes:
    """The bytes, if there are 32 of them. Raises Malformed."""
    if len(data) != HASH_BYTES:
        raise Malformed(f"{what} must be {HASH_BYTES} bytes")
    return data


def utf8(data: bytes, what: str) -> str:
    """The text of UTF-8 bytes. Raises Malformed."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Malformed(f"{what} must be UTF-8") from None


def octets(text: str, what: str) -> bytes:
    """The UTF-8 of a text without lone surrogates. Raises Malformed."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise Malformed(f"{what} must be text that UTF-8 can write") from None


def counted(number: int, one: str, many: str = "") -> str:
    """A number of things in words: `1 leaf`, `2 leaves`. `many` is `one` with an s, where it is not said."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def span(first: int, last: int) -> str:
    """Receipts by their numbers, to begin a sentence: `Receipt 5`, `Receipts 5 to 7`."""
    return f"Receipt {first}" if first == last else f"Receipts {first} to {last}"


def lines_of(text: str, what: str) -> list[str]:
    """The lines of a text that ends in a newline, without their newlines. Raises Malformed."""
    if not text.endswith("\n"):
        raise Malformed(f"{what} must end in a newline")
    return text[:-1].split("\n")
