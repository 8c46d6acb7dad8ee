"""What the instance keeps of people for a while only: sessions that are over, addresses of invitations that are."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from uuid import UUID

from apps.holders import retained

INVITED = timedelta(days=30)  # an invitation's address is kept so long after it is over
PAGE = 1_000


def every_vault() -> Iterator[UUID]:
    """Every vault there is, by its id."""
    last: UUID | None = None
    while page := retained.vaults_after(last, PAGE):
        yield from page
        last = page[-1]


def forget_invitations(now: datetime) -> int:
    """Blank the addresses of invitations that have been over for thirty days. Returns how many there were."""
    return retained.forget_invitations(now - INVITED)


def forget_sessions(now: datetime) -> int:
    """Delete the sessions that are over, and where they were signed in from. Returns how many there were."""
    return retained.forget_sessions(now)
