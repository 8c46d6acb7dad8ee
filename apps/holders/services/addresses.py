"""The one check of an e-mail address that somebody wrote, whichever page or road it came by."""

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from apps.policy.text import TextProblem

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
