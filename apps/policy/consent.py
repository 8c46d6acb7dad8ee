"""What was on the screen when a grant was given, and what became of the consent since: from receipts, never told twice.

Pure, like everything beside it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from apps.policy.types import Grant, Receipt
from apps.policy.vocabulary import ReceiptKind


class Surface(StrEnum):
    """Where a decision was made."""

    WEB = "web"
    REST = "rest"
    NONE = "-"  # by a command, or before this was kept


@dataclass(frozen=True, slots=True)
class Shown:
    """What stood above the buttons: the number of the notice, None where none is known to have been shown.

    `ui_version` says which form the page had: sixteen hex digits, `-` where it was no page of ours.
    """

    surface: Surface
    notice: int | None = None
    ui_version: str = "-"


NOT_SHOWN = Shown(Surface.NONE)


class ConsentState(StrEnum):
    """What an event made of a consent."""

    GIVEN = "given"
    NARROWED = "narrowed"
    PAUSED = "paused"
    RESUMED = "resumed"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"
    EXPIRED = "expired"


_EVENTS = {
    ReceiptKind.GRANT_MADE: ConsentState.GIVEN,
    ReceiptKind.GRANT_NARROWED: ConsentState.NARROWED,
    ReceiptKind.CLIENT_PAUSED: ConsentState.PAUSED,
    ReceiptKind.CLIENT_RESUMED: ConsentState.RESUMED,
    ReceiptKind.GRANT_REVOKED: ConsentState.WITHDRAWN,
    ReceiptKind.CLIENT_REVOKED: ConsentState.WITHDRAWN,
    ReceiptKind.GRANT_LAPSED: ConsentState.LAPSED,
    ReceiptKind.GRANT_EXPIRED: ConsentState.EXPIRED,
}
_ENDS = frozenset({ConsentState.WITHDRAWN, ConsentState.LAPSED, ConsentState.EXPIRED})


@dataclass(frozen=True, slots=True)
class ConsentEvent:
    """One event, and the receipt that says so. None: its time is over, and nobody has written that down yet."""

    state: ConsentState
    at: datetime
    receipt: Receipt | None


def life_of(grant: Grant, acts: Iterable[Receipt], now: datetime) -> tuple[ConsentEvent, ...]:
    """What became of the consent that a grant stands for, in the order of time.

    `acts` are the receipts of acts on the grant and on its client, in any order. What befell the client befell the
    grant while it stood: the pauses, one that held already when it was given among them, and its end. What came after
    the end is not told. Raises ValueError where there is no receipt of its making: then it was not made here.
    """
    events = [_event(grant, each) for each in sorted(acts, key=lambda each: each.seq) if each.kind in _EVENTS]
    given = next((each for each in events if each.state is ConsentState.GIVEN), None)
    if given is None:
        raise ValueError("a grant without the receipt of its making")
    since = events[events.index(given) :]
    end = next((each for each in since if _ends(grant, each)), None)
    if end is None and grant.expires_at <= now:
        end = ConsentEvent(ConsentState.EXPIRED, grant.expires_at, None)
    before = _held(events[: events.index(given)])
    while_it_stood = [each for each in since if each.state not in _ENDS and (end is None or each.at <= end.at)]
    return (*before, *while_it_stood, *([end] if end else []))


def _event(grant: Grant, receipt: Receipt) -> ConsentEvent:
    """Its time was over when it was over, whenever that was written down."""
    state = _EVENTS[ReceiptKind(receipt.kind)]
    return ConsentEvent(state, grant.expires_at if state is ConsentState.EXPIRED else receipt.at, receipt)


def _ends(grant: Grant, event: ConsentEvent) -> bool:
    """An end of its own; or that of its client, where the grant's row says that this withdrew it."""
    if event.state not in _ENDS or event.receipt is None:
        return False
    return event.receipt.kind != ReceiptKind.CLIENT_REVOKED or grant.revoked_at is not None


def _held(before: Sequence[ConsentEvent]) -> Sequence[ConsentEvent]:
    """The pause that held already, if the last thing that was done to the client was to pause it."""
    last = [each for each in before if each.state in (ConsentState.PAUSED, ConsentState.RESUMED)][-1:]
    return [each for each in last if each.state is ConsentState.PAUSED]
