"""The time zones that somebody may live in."""

from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones


@cache
def zones() -> frozenset[str]:
    """Their names: not the machine’s own, and no placeholder."""
    return frozenset(available_timezones() - {"Factory", "localtime", "posixrules"})


def zone_named(name: str) -> ZoneInfo:
    """The zone of this name; UTC where this machine knows none such (any more)."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")
