"""The time zones that somebody may live in."""

from functools import cache
from zoneinfo import available_timezones


@cache
def zones() -> frozenset[str]:
    """Their names: not the machine’s own, and no placeholder."""
    return frozenset(available_timezones() - {"Factory", "localtime", "posixrules"})
