"""What was on the screen when a grant was given, and what became of the consent since: from receipts, never told twice.

Pure, like everything beside it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from apps.policy.types import Grant, Receipt
from apps.policy.vocabulary import PartStatus, ReceiptKind


class Surface(StrEnum):
    """Where a decision was made."""

    WEB = "web"
    REST = "rest"
    NONE = "-"  # by a command, or before this was kept


@dataclass(frozen=True, slots=True)
class Below:
    """A space's own notice, which stood below ours: as it was in this version of the space's policy."""

    space_id: UUID
    version: int


def below(space_id: UUID | None, version: int | None) -> Below | None:
    """The space's own that a row names; None where it names none."""
    return None if space_id is None or version is None else Below(space_id, version)


@dataclass(frozen=True, slots=True)
class Shown:
    """What stood above the buttons: the number of the notice, None where none is known to have been shown.

    `ui_version` says which form the page had: sixteen hex digits, `-` where it was no page of ours.
    """

    surface: Surface
    notice: int | None = None
    ui_version: str = "-"
    below: Below | None = None


NOT_SHOWN = Shown(Surface.NONE)


class ConsentState(StrEnum):
    """What an event made of a consent."""

    GIVEN = "given"
    APPROVED = "approved"  # by a reviewer, where the space asks for one; `narrowed` may be a reviewer's too
    NARROWED = "narrowed"
    PAUSED = "paused"
    RESUMED = "resumed"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"
    EXPIRED = "expired"


_EVENTS = {
    ReceiptKind.GRANT_NARROWED: ConsentState.NARROWED,
    ReceiptKind.CLIENT_PAUSED: ConsentState.PAUSED,
    ReceiptKind.CLIENT_RESUMED: ConsentState.RESUMED,
    ReceiptKind.GRANT_REVOKED: ConsentState.WITHDRAWN,
    ReceiptKind.CLIENT_REVOKED: ConsentState.WITHDRAWN,
    ReceiptKind.GRANT_LAPSED: ConsentState.LAPSED,
    ReceiptKind.GRANT_EXPIRED: ConsentState.EXPIRED,
}
_REVIEWS = {
    ReceiptKind.REVIEW_APPROVED: ConsentState.APPROVED,
    ReceiptKind.REVIEW_NARROWED: ConsentState.NARROWED,
}
_ENDS = frozenset({ConsentState.WITHDRAWN, ConsentState.LAPSED, ConsentState.EXPIRED})


@dataclass(frozen=True, slots=True)
class ConsentEvent:
    """One event, and the receipt that says so. None: its time is over, and nobody has written that down yet."""

    state: ConsentState
    at: datetime
    receipt: Receipt | None


@dataclass(frozen=True, slots=True)
class Life:
    """What became of a consent, in the order of time. `made` is the receipt of the grant's making; `given` that of the
    person's yes, the same where no reviewer had to say it too; `reviewed` the reviewer's.
    """

    made: Receipt
    given: Receipt
    reviewed: Receipt | None
    events: tuple[ConsentEvent, ...]


def life_of(grant: Grant, acts: Iterable[Receipt], now: datetime) -> Life:
    """What became of the consent that a grant stands for.

    `acts` are the receipts of acts on the grant, its client and its request, in any order. What befell the client
    befell the grant while it stood: the pauses, one that held already when it was made among them, and its end. What
    came after the end is not told. Raises ValueError where there is no receipt of its making: it was not made here.
    """
    told = sorted(acts, key=lambda each: each.seq)
    made = next((each for each in told if each.kind == ReceiptKind.GRANT_MADE), None)
    if made is None:
        raise ValueError("a grant without the receipt of its making")
    said, reviewed = _said(grant, [each for each in told if each.seq < made.seq])
    given = said or made
    events = [ConsentEvent(ConsentState.GIVEN, given.at, given)]
    if reviewed is not None:
        events.append(ConsentEvent(_REVIEWS[ReceiptKind(reviewed.kind)], reviewed.at, reviewed))
    events += _held([each for each in told if each.seq < made.seq])
    since = [_event(grant, each) for each in told if each.seq > made.seq and each.kind in _EVENTS]
    end = next((each for each in since if _ends(grant, each)), None)
    if end is None and grant.expires_at <= now:
        end = ConsentEvent(ConsentState.EXPIRED, grant.expires_at, None)
    events += [each for each in since if each.state not in _ENDS and (end is None or each.at <= end.at)]
    events.sort(key=lambda each: (each.at, each.receipt.seq if each.receipt else made.seq))
    return Life(made, given, reviewed, (*events, *([end] if end else [])))


def _said(grant: Grant, before: Sequence[Receipt]) -> tuple[Receipt | None, Receipt | None]:
    """The person's yes that waited for a reviewer, and the reviewer's; neither where none had to."""
    about = [each for each in before if each.category == grant.category.value]
    reviewed = [each for each in about if each.kind in _REVIEWS]
    said = [each for each in about if each.kind == ReceiptKind.REQUEST_DECIDED and each.reason == PartStatus.IN_REVIEW]
    return (said[-1], reviewed[-1]) if said and reviewed else (None, None)


def _event(grant: Grant, receipt: Receipt) -> ConsentEvent:
    """Its time was over when it was over, whenever that was written down."""
    state = _EVENTS[ReceiptKind(receipt.kind)]
    return ConsentEvent(state, grant.expires_at if state is ConsentState.EXPIRED else receipt.at, receipt)


def _ends(grant: Grant, event: ConsentEvent) -> bool:
    """An end of its own; or that of its client, where the grant's row says that this withdrew it."""
    if event.state not in _ENDS or event.receipt is None:
        return False
    return event.receipt.kind != ReceiptKind.CLIENT_REVOKED or grant.revoked_at is not None


def _held(before: Sequence[Receipt]) -> list[ConsentEvent]:
    """The pause that held already, if the last thing that was done to the client was to pause it."""
    last = [each for each in before if each.kind in (ReceiptKind.CLIENT_PAUSED, ReceiptKind.CLIENT_RESUMED)][-1:]
    return [ConsentEvent(ConsentState.PAUSED, each.at, each) for each in last if each.kind == ReceiptKind.CLIENT_PAUSED]
