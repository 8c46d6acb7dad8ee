"""Secrets of a share that are derived and kept nowhere: the token in a link's address, the code that goes by mail. And
as what the tokens and keys that others send are kept.

Both secrets come from an id under a key of the instance, so that whoever writes a letter can write them into it, while
what waits to be sent holds ids alone.
"""

import hashlib
import hmac
from uuid import UUID

from django.conf import settings

TOKEN_LENGTH = 32  # hex digits: 128 bits
SALT_BYTES = 16
CODE_DIGITS = 6


def share_token(link_id: UUID, salt: bytes) -> str:
    """The token of a link: 128 bits as 32 hex digits. Without its salt, which only who hands the link out ever has,
    not even the instance's key leads to it again.
    """
    return _keyed("muniment-share-token/1", link_id, salt)[: TOKEN_LENGTH // 2].hex()


def share_address(token: str) -> str:
    """Where a link is opened: the whole address, as it is handed over."""
    return f"{settings.PUBLIC_URL}/s/{token}"


def share_code(challenge_id: UUID) -> str:
    """The six digits that are mailed to who is to open a link, for one challenge."""
    number = int.from_bytes(_keyed("muniment-share-code/1", challenge_id)[:8], "big")
    return f"{number % 10**CODE_DIGITS:0{CODE_DIGITS}}"


def token_hash(token: str) -> bytes:
    """As what a token is kept and found: its SHA-256."""
    return hashlib.sha256(token.encode()).digest()


def sent_hash(actor: str, key: str) -> bytes:
    """By what a deed that is sent again is found: everybody has keys of their own."""
    return hashlib.sha256(f"{actor}\n{key}".encode()).digest()


def _keyed(use: str, about: UUID, salt: bytes = b"") -> bytes:
    return hmac.new(settings.SECRET_KEY.encode(), use.encode() + about.bytes + salt, hashlib.sha256).digest()
