"""What a holder reads above the buttons of a decision: `<number>.txt`, a paragraph a line, served and shown as it is.

A text that was ever shown is not edited: another text is another number. Its SHA-256 stands in the receipt of each
grant that was made below it, so that a text which was changed afterwards no longer has the digest that it had. A space
may have a notice of its own stand below ours; the digest is then of both.
"""

from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path

from apps.policy.consent import Below
from apps.policy.ids import typed

REQUEST = 1  # on the page of an assistant's request
CARD = 2  # on the card of the vault's own chat
ADDS = "Your household or clinic adds:"  # before a space's own words: as little to be edited as a text


@dataclass(frozen=True, slots=True)
class Notice:
    """One text by its number, with a space's own below it where there is one. `text` ends with a line break; its digest
    is of its UTF-8 bytes.
    """

    number: int
    text: str
    below: Below | None = None

    @property
    def address(self) -> str:
        """The path at which anybody is given this text, byte for byte."""
        own = f"/{typed('spc', self.below.space_id)}/{self.below.version}" if self.below else ""
        return f"/notices/{self.number}{own}"

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


def joined(ours: Notice, below: Below, text: str) -> Notice:
    """Ours, and below it a space's own, said to be that: a paragraph a line, as ours."""
    return replace(ours, text=f"{ours.text}{ADDS}\n{text}\n", below=below)
