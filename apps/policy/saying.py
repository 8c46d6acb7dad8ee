"""The one plain statement that a text makes, without its courtesies; or that it makes none that could be relied on."""

import re
from dataclasses import dataclass

from apps.policy.extracting import spelled

_FLAGS = re.IGNORECASE | re.ASCII
_QUOTES = re.compile(r"[\"“”„«»‹›「」『』`]|(?:^|\s)['‘]|^\s*>|^(?:\t| {4})", re.MULTILINE)
_END = re.compile(r"(?P<mark>[.!?？؟…]+)(?=\s|\Z)|[。！]+|\n+|\Z")
_LETTERS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_QUESTION = re.compile("[?？؟]")
_COURTESY = re.compile(
    r"\s*(?:(?:thanks|thank you|please|ok|okay|sorry|hi|hello|hey|oh|well|so|oops|um|hm+)(?:[ ,!-]+|\Z))*", _FLAGS
)
_WRONG = r"(?:that|this)(?:'s| is) (?:wrong|incorrect|not (?:right|true|correct))"
_MARK = re.compile(
    rf"(?:(?:actually|correction|no|nope|wait|i mean|{_WRONG})\s*[,:;-]+\s*|actually )+",
    _FLAGS,
)
_MARK_ALONE = re.compile(rf"no|nope|wait|actually|correction|wrong|{_WRONG}", _FLAGS)
_MARK_AFTER = re.compile(r",? actually\Z", _FLAGS)


@dataclass(frozen=True, slots=True)
class Saying:
    """A text's one statement, without its full stop; None where it makes none, or several. `marked`: it says of itself
    that it puts something right (*actually*, *no,*); `asks`: there is a question in the text."""

    statement: str | None
    marked: bool
    asks: bool


def quotes(text: str) -> bool:
    """Does any of it look like somebody else's words, or like code?"""
    return _QUOTES.search(text) is not None


def saying(text: str) -> Saying:
    """What the text says, if that is one thing. The statement is cut from the text as written; a full stop that is part
    of its last word (`D.C.`) stays."""
    asks = _QUESTION.search(text) is not None
    left: list[str] = []
    marked = False
    start = 0
    for found in _END.finditer(text):
        part = text[start : found.start()]
        part = part[after(_COURTESY, part) :].strip()
        start = found.end()
        if not left and _MARK_ALONE.fullmatch(spelled(part)):
            marked = True
        elif part:
            abbreviated = found["mark"] == "." and _LETTERS.fullmatch(part.split()[-1])
            left.append(part + "." if abbreviated else part)
    if len(left) != 1:
        return Saying(None, marked, asks)
    statement = left[0]
    began = after(_MARK, statement)
    ended = _MARK_AFTER.search(spelled(statement))
    rest = statement[began : ended.start() if ended is not None else None]
    rest = rest[after(_COURTESY, rest) :]
    return Saying(rest or None, marked or began > 0 or ended is not None, asks)


def after(pattern: re.Pattern[str], text: str) -> int:
    """Where the text goes on after what it may begin with: 0 where it does not."""
    found = pattern.match(spelled(text))
    return found.end() if found is not None else 0
