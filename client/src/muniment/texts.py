"""Files as text, to be compared: what encodings are read, and why a file is not.

UTF-8 is read with or without its byte order mark, UTF-16 and UTF-32 with theirs; anything else as Windows-1252, which
is Latin-1 but for a few signs, unless control characters tell that it is no text.
"""

import codecs
import os
import stat
import sys
from pathlib import Path

from .files import STDIN

MOST_BYTES = 16 << 20  # of one file
_MARKS = (  # the longer first: that of UTF-32 begins as that of UTF-16 does
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS = frozenset(map(chr, range(32))) - set("\b\t\n\v\f\r\x1b")
NO_TEXT = "is no text"
TOO_LONG = f"is longer than {MOST_BYTES >> 20} MiB"


class Unread(Exception):
    """Why a file's text is not had: what comes after its name in a sentence."""


def text_of(name: str) -> str:
    """The text of a file, of at most 16 MiB; `-` is standard input. A link is followed. Raises Unread."""
    try:
        return decoded(_bytes_of(name))
    except OSError as error:
        raise Unread(f"cannot be read: {error.strerror or error}") from None
    except ValueError as error:  # a name that no file can have
        raise Unread(f"cannot be read: {error}") from None


def _bytes_of(name: str) -> bytes:
    if name == STDIN:
        return _all_of(sys.stdin.buffer.fileno())
    kind = Path(name).stat()
    if stat.S_ISDIR(kind.st_mode):
        raise Unread("is a directory: name the files in it")
    if not (stat.S_ISREG(kind.st_mode) or stat.S_ISFIFO(kind.st_mode)):
        raise Unread("is no file")
    if kind.st_size > MOST_BYTES:
        raise Unread(TOO_LONG)
    with Path(name).open("rb") as stream:
        return _all_of(stream.fileno())


def _all_of(descriptor: int) -> bytes:
    """What there is to read, which may grow while it is."""
    found = bytearray()
    while more := os.read(descriptor, 1 << 20):
        found += more
        if len(found) > MOST_BYTES:
            raise Unread(TOO_LONG)
    return bytes(found)


def decoded(data: bytes) -> str:
    """These bytes as text. Raises Unread."""
    encoding = next((each for mark, each in _MARKS if data.startswith(mark)), None)
    try:
        text = data.decode(encoding or "utf-8")
    except UnicodeDecodeError:
        if encoding is not None:
            raise Unread(f"begins as {encoding.removesuffix('-sig').upper()} and goes on as something else") from None
        text = _old(data)
    if "\0" in text:
        raise Unread(NO_TEXT)
    return text


def _old(data: bytes) -> str:
    """As Windows-1252. Raises Unread."""
    try:
        text = data.decode("windows-1252")
    except UnicodeDecodeError:
        raise Unread(NO_TEXT) from None
    if not _CONTROLS.isdisjoint(text):
        raise Unread(NO_TEXT)
    return text
