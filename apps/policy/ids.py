"""Typed ids and times as they leave the process. An id is a three-letter prefix, `_`, and the UUID's 32 hex digits."""

import re
from datetime import UTC, datetime
from uuid import UUID

_SHAPE = re.compile(r"\A([a-z]{3})_([0-9a-f]{32})\Z")


def typed(prefix: str, value: UUID) -> str:
    """`typed("mem", uuid)` gives `mem_…`."""
    return f"{prefix}_{value.hex}"


def untyped(prefix: str, text: object) -> UUID | None:
    """The UUID in a typed id with this prefix; None for anything else, so that callers answer not-found."""
    match = _SHAPE.match(text) if isinstance(text, str) else None
    return UUID(match[2]) if match and match[1] == prefix else None


def instant(at: datetime) -> str:
    """A time as receipts write it: UTC, RFC 3339, with six digits of a second."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
