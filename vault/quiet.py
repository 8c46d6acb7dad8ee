"""Addresses that are secrets themselves are written to no log: whoever reads one could open what they lead to.

Nor are those that lead nowhere because they were copied a little differently: in capitals, with a slash more, or with
some of it encoded. The secret in them is whole.
"""

import logging
import re

from vault.tokens import TOKEN_LENGTH

_ROADS = ("s", "erased", "invited", "unsubscribe", "accounts/confirm-email", "accounts/password/reset/key")
_PLAIN = logging.Formatter()


def _written(char: str) -> str:
    """A character as itself, or as a percent escape (RFC 3986), however often that was escaped itself."""
    codes = "|".join(f"{ord(each):02x}" for each in sorted({char.lower(), char.upper()}))
    return f"(?:{re.escape(char)}|%(?:25)*(?:{codes}))"


_SLASH = f"(?:{'|'.join(map(_written, '/;' + chr(92)))})+"
_NAMES = "|".join("".join(_SLASH if char == "/" else _written(char) for char in road) for road in _ROADS)
_SECRET = re.compile(rf"{_SLASH}({_NAMES}){_SLASH}[^\s\"']+", re.IGNORECASE)
# A link's token, wherever else it strayed. Ids are as long, but have their kind before them.
_TOKEN = re.compile(rf"(?<![0-9a-f_])[0-9a-f]{{{TOKEN_LENGTH}}}(?![0-9a-f])", re.IGNORECASE)


def without_secrets(text: str) -> str:
    """The text, with every secret part of an address left out."""
    return _TOKEN.sub("…", _SECRET.sub(r"/\1/…", text))


class NoSecrets(logging.Filter):
    """A filter of a handler: what a line says, what it quotes, and the error below it, without them."""

    def filter(self, record: logging.LogRecord) -> bool:
        said = record.getMessage()
        told = without_secrets(said)
        if told != said:
            record.msg, record.args = told, ()
        if record.exc_info:  # a handler's formatter writes what stands here in place of the error
            record.exc_text = without_secrets(record.exc_text or _PLAIN.formatException(record.exc_info))
        return True
