"""Check a file that somebody brings, against this instance's own keys. It is read, answered and forgotten.

But for one thing: a checkpoint that our own key signed may be evidence against us, and is left to the log's process.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Protocol

from apps.ledger import tree
from apps.ledger.format.keys import VerifierKey
from apps.ledger.format.verdict import Report, Trust
from apps.ledger.format.verifying import verify_stream
from apps.ledger.services.guarding import suspect
from apps.policy.types import Refused
from apps.policy.vocabulary import Refusal
from vault import limits

MOST_BYTES = 1_000_000  # of a file that is one object; of a line in a file of many
MOST_BYTES_OF_LINES = 32_000_000  # of a file of many lines: a bundle of some forty thousand receipts
CHECKS_PER_MINUTE = 300  # of the whole instance: whoever comes too often has the program, and the page with script


class Lines(Protocol):
    """A file as far as it is read here."""

    def readline(self, size: int, /) -> bytes:
        """The next line with its newline, at most `size` bytes of it; empty at the end."""


class TooLarge(Exception):
    """More bytes than are checked here."""


def verify_file(file: Lines, now: datetime) -> Report | Refused:
    """Check any one file of ours, whatever it is: see format.verifying. Raises TooLarge.

    Its log must be this instance's. Refused (`rate-limited`) when the instance has checked enough for this minute.
    """
    until = limits.over("verify", CHECKS_PER_MINUTE, 60, now)
    if until:
        return Refused(Refusal.RATE_LIMITED, until=until)
    report = verify_stream(_lines(file), Trust(keys=tuple(map(VerifierKey.parse, tree.keys()))))
    if report.checkpoint is not None:
        suspect(report.checkpoint)
    return report


def _lines(file: Lines) -> Iterator[bytes]:
    """The file's lines. A line that is an object of its own makes it a file of many."""
    line = file.readline(MOST_BYTES + 1)
    most = MOST_BYTES_OF_LINES if line.endswith(b"}\n") else MOST_BYTES
    size = 0
    while line:
        size += len(line)
        if size > most or len(line) > MOST_BYTES:
            raise TooLarge
        yield line
        line = file.readline(MOST_BYTES + 1)
