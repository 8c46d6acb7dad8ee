"""Deeds of sharing: making links, following them, stopping them; and what whoever has one may do."""

from apps.policy.shares import Code, Link, Opening, Recipient, Share, ShareItem, ShareState, may_be_seen
from apps.shares.services.closing import end_within
from apps.shares.services.ending import due, expire, expire_or_wait, forget, tell
from apps.shares.services.making import make
from apps.shares.services.noting import leave_note
from apps.shares.services.offering import bounds, offered, preview
from apps.shares.services.opening import knock, open_, view
from apps.shares.services.posting import courses
from apps.shares.services.seeing import addresses, hidden, names, openings, share, shares
from apps.shares.services.stopping import stop, stop_link
from apps.shares.services.told import (
    Bounds,
    Carried,
    Challenge,
    Line,
    Made,
    MadeLink,
    Opened,
    Preview,
    Shared,
    SharedValue,
)
from apps.shares.services.wishing import check

__all__ = [
    "Bounds",
    "Carried",
    "Challenge",
    "Code",
    "Line",
    "Link",
    "Made",
    "MadeLink",
    "Opened",
    "Opening",
    "Preview",
    "Recipient",
    "Share",
    "ShareItem",
    "ShareState",
    "Shared",
    "SharedValue",
    "addresses",
    "bounds",
    "check",
    "courses",
    "due",
    "end_within",
    "expire",
    "expire_or_wait",
    "forget",
    "hidden",
    "knock",
    "leave_note",
    "make",
    "may_be_seen",
    "names",
    "offered",
    "open_",
    "openings",
    "preview",
    "share",
    "shares",
    "stop",
    "stop_link",
    "tell",
    "view",
]
