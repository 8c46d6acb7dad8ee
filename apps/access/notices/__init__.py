"""What a holder reads above the buttons of a decision: `<number>.txt`, a paragraph a line, served and shown as it is.

A text that was ever shown is not edited: another text is another number. Its SHA-256 stands in the receipt of each
grant that was made below it, so that a text which was changed afterwards no longer has the digest that it had.
"""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from apps.policy.consent import Shown

REQUEST = 1  # on the page of an assistant's request
CARD = 2  # on the card of the vault's own chat


@dataclass(frozen=True, slots=True)
class Notice:
    """One text by its number. `text` ends with a line break; its digest is of its UTF-8 bytes."""

    number: int
    text: str

    @property
    def paragraphs(self) -> tuple[str, ...]:
        return tuple(self.text.splitlines())

    @property
    def digest(self) -> bytes:
        """SHA-256: 32 bytes."""
        return sha256(self.text.encode()).digest()


@cache
def all_notices() -> dict[int, Notice]:
    """Every text that was ever shown, by its number."""
    files = sorted(Path(__file__).parent.glob("*.txt"))
    return {int(file.stem): Notice(int(file.stem), file.read_bytes().decode()) for file in files}


def notice(number: int | None) -> Notice | None:
    """The text with this number; None for a number that none has."""
    return None if number is None else all_notices().get(number)


def digest_of(shown: Shown) -> str | None:
    """The digest, in hex, of the text that was shown; None where none is known to have been."""
    found = notice(shown.notice)
    return found.digest.hex() if found else None
