"""Where a receipt stands in the instance's log, for the page that shows it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.ledger.format.checkpoint import parse_signed
from apps.ledger.format.receipt_file import ReceiptFile
from apps.ledger.services.serving import Witnessed, witnessed


@dataclass(frozen=True, slots=True)
class Logged:
    """The leaf that pins a receipt, the receipt (`upto`) that it names, and the checkpoint that a file shows it by.

    `segment` is how many receipts lie between. `witnessed` says who cosigned that checkpoint, and whether it is enough.
    """

    leaf: int
    upto: int
    segment: int
    origin: str
    size: int
    witnessed: Witnessed


def logged(file: Mapping[str, Any]) -> Logged | None:
    """What a receipt's file, as `proof` gives it, says of its place in the log; None while it is not yet there."""
    pinned = ReceiptFile.read(dict(file)).pinned
    if pinned is None:
        return None
    checkpoint, _ = parse_signed(pinned.proof.checkpoint)
    who = witnessed(file["keys"].values())
    return Logged(pinned.proof.index, pinned.leaf.seq, len(pinned.segment), checkpoint.origin, checkpoint.size, who)
