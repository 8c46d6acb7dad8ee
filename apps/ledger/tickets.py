"""Tickets: what tells the database which vault a transaction is about, who acts and who receives.

The key is known to the application and, as two HMAC pads, to the gate functions' owner; a web role that only
speaks SQL cannot make one.
"""

import hashlib
import time
from functools import lru_cache
from uuid import UUID

from django.conf import settings

SECONDS = 300
_BROKEN = frozenset("|'\\")  # would end a field, or the SQL literal that a ticket is sent as


def issue(vault_id: UUID, actor: str, recipient: str) -> str:
    """A ticket of five minutes. Raises ValueError for an id that would break its fields."""
    if not _BROKEN.isdisjoint(actor) or not _BROKEN.isdisjoint(recipient):
        raise ValueError("an actor or recipient may not contain '|', a quote or a backslash")
    body = f"{vault_id}|{actor}|{recipient}|{int(time.time()) + SECONDS}"
    mac = _keyed(settings.MUNIMENT_TICKET_KEY).digest(f"muniment-ticket/1\n{body}".encode())
    return f"{body}|{mac.hex()}"


def pads(key: bytes) -> tuple[bytes, bytes]:
    """HMAC-SHA256's inner and outer pads of a 32-byte key (RFC 2104), for SQL's built-in sha256()."""
    block = key.ljust(64, b"\0")
    return block.translate(_INNER), block.translate(_OUTER)


_INNER, _OUTER = (bytes(each ^ pad for each in range(256)) for pad in (0x36, 0x5C))


class Keyed:
    """HMAC-SHA256 (RFC 2104) of many short texts under one key of at most 64 bytes, which is worked in once."""

    def __init__(self, key: bytes) -> None:
        inner, outer = pads(key)
        self._inner, self._outer = hashlib.sha256(inner), hashlib.sha256(outer)

    def digest(self, message: bytes) -> bytes:
        """The 32 bytes that `hmac.digest` gives."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(message)
        outer.update(inner.digest())
        return outer.digest()


@lru_cache(maxsize=1)
def _keyed(key: str) -> Keyed:
    return Keyed(bytes.fromhex(key))
