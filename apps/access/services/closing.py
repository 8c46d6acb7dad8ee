"""What ends when a vault is erased: every assistant, with its keys, requests and grants."""

from collections import Counter
from datetime import datetime

from apps.access import closing
from apps.ledger.log import Act


def end_within(within: Act, now: datetime) -> Counter[str]:
    """Stop every assistant, within the act that erases the vault. Returns how many rows of which place."""
    return closing.end(within, now)
