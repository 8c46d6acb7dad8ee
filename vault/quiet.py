"""Addresses that are secrets themselves are written to no log: whoever reads one could open what they lead to."""

import logging
import re

_SECRET = re.compile(r"/(s|erased|invited|unsubscribe|accounts/confirm-email|accounts/password/reset/key)/[^/\s?\"']+")
_PLAIN = logging.Formatter()


def without_secrets(text: str) -> str:
    """The text, with every secret part of an address left out."""
    return _SECRET.sub(r"/\1/…", text)


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
