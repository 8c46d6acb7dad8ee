"""The one check of an e-mail address that somebody wrote, whichever page or road it came by."""

from datetime import datetime
from hashlib import sha256
from uuid import UUID

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from apps.holders import store
from apps.policy.text import TextProblem
from vault import limits

INVITES_PER_HOUR = 30  # by one person
MAILS_PER_DAY = 10  # to one address, whoever invites
MOST_ADDRESS = 254  # as the rows keep it, and as mail carries it (RFC 5321)


def check_address(text: str, such_as: str = "rosa@home.example") -> str:
    """The address itself, if mail can be sent to it. Raises TextProblem for the field `email`."""
    try:
        validate_email(text)
    except ValidationError:
        raise TextProblem("email", f"Write an address such as {such_as}.") from None
    if len(text) > MOST_ADDRESS:
        raise TextProblem("email", f"It is {len(text)} characters long; an address has {MOST_ADDRESS} at most.")
    return text


ADDRESSES_PER_HOUR = 10  # for children, by one person: what is said of each tells whether somebody signs in with it


def check_free(user_id: UUID, email: str, such_as: str, now: datetime, child: UUID | None = None) -> datetime | None:
    """May a child sign in with this address? Raises TextProblem for one that is none, and for somebody else's than this
    child's. Each that is asked for counts: after many, when this person may ask again.
    """
    check_address(email, such_as)
    until = limits.over(f"addresses:{user_id.hex}", ADDRESSES_PER_HOUR, 3600, now)
    if until is None and store.user_named(email) not in (None, child):
        raise TextProblem("email", "Somebody signs in with this address already. Write the child's own.")
    return until


# ---------------------------------------------------------------- whom one invites
def check_other(email: str, own: set[UUID]) -> None:
    """Is it an address, and nobody's of these people? Raises TextProblem."""
    check_address(email)
    if email.casefold() in {store.address(each).casefold() for each in own}:
        raise TextProblem("email", "This is the address of who is here already. Write somebody else's.")


def too_many(user_id: UUID, email: str, now: datetime) -> datetime | None:
    """When one may invite again: each invitation is a mail to whoever has the address, wanted or not."""
    return limits.over(f"invites:{user_id.hex}", INVITES_PER_HOUR, 3600, now) or mailed_too_often(email, now)


def mailed_too_often(email: str, now: datetime) -> datetime | None:
    """When a mail that somebody has sent there may go again, whoever has it sent. Each that is asked for counts."""
    return limits.over(_mailed(email), MAILS_PER_DAY, 86_400, now)


def mailed_often_enough(email: str, now: datetime) -> datetime | None:
    """The same, before anything is asked for: nothing is counted."""
    return limits.full(_mailed(email), MAILS_PER_DAY, 86_400, now)


def _mailed(email: str) -> str:
    return f"invited:{sha256(email.casefold().encode()).hexdigest()}"
