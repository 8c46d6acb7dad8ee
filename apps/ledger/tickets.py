"""Tickets: what tells the database which vault a transaction is about, who acts and who receives.

The key is known to the application and, as two HMAC pads, to the gate functions' owner; a web role that only
speaks SQL cannot make one.
"""

import hashlib
import hmac
import time
from uuid import UUID

from django.conf import settings

SECONDS = 300


def issue(vault_id: UUID, actor: str, recipient: str) -> str:
    """A ticket of five minutes. Raises ValueError for an id that would break its fields."""
    if "|" in actor or "|" in recipient:
        raise ValueError("an actor or recipient may not contain '|'")
    body = f"{vault_id}|{actor}|{recipient}|{int(time.time()) + SECONDS}"
    key = bytes.fromhex(settings.MUNIMENT_TICKET_KEY)
    mac = hmac.new(key, f"muniment-ticket/1\n{body}".encode(), hashlib.sha256).hexdigest()
    return f"{body}|{mac}"


def pads(key: bytes) -> tuple[bytes, bytes]:
    """HMAC-SHA256's inner and outer pads of a 32-byte key (RFC 2104), for SQL's built-in sha256()."""
    block = key.ljust(64, b"\0")
    return bytes(b ^ 0x36 for b in block), bytes(b ^ 0x5C for b in block)
