"""The one plain statement that a text makes, without its courtesies; or that it makes none that could be relied on."""

import re
from dataclasses import dataclass

from apps.policy.shapes import FLAGS, spelled

_QUOTES = re.compile(r"[\"“”„«»‹›「」『』`]|(?:^|\s)['‘]|^\s*>|^(?:\t| {4})", re.MULTILINE)
_END = re.compile(r"(?P<mark>[.!?？؟…]+)(?=\s|\Z)|[。！]+|\n+|\Z")
_LETTERS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_QUESTION = re.compile("[?？؟]")
_COURTESY = re.compile(
    r"\s*(?:(?:thanks|thank you|please|pls|kindly|ok|okay|sorry|hi|hello|hey|oh|well|so|oops|um|hm+|also|fyi|btw"
    r"|by the way|quick note|heads up|one more thing|just so you know|for the record|for your information)"
    r"(?:[ ,:!-]+|\Z))*",
    FLAGS,
)
_ABBREVIATED = re.compile(r"(?:dr|dra|mr|mrs|ms|prof|sr|sra|st|jr)", FLAGS)
_WRONG = r"(?:that|this)(?:'s| is) (?:wrong|incorrect|not (?:right|true|correct))"
_MISTAKE = (
    r"(?:my mistake|my bad|i (?:made a mistake|misspoke|was wrong|changed my mind)|(?:scratch|strike) that"
    r"|that was (?:a typo|wrong)|let me correct (?:that|myself))"
)
_ACTUALLY = r"(?:actual+y|actaully|acutally)"
_BEFORE = rf"(?:{_ACTUALLY}|(?:small |a )?correction|update|edit|no(?: no)*|nope|wait|i mean|{_WRONG}|{_MISTAKE})"
_MARK = re.compile(rf"(?:{_BEFORE}\s*[,:;-]+\s*|(?:{_ACTUALLY}|i meant to say) )+", FLAGS)
_MARK_ALONE = re.compile(rf"no(?: no)*|nope|wait|{_ACTUALLY}|correction|wrong|{_WRONG}|{_MISTAKE}", FLAGS)
_MARK_AFTER = re.compile(rf",? {_ACTUALLY}\Z", FLAGS)


@dataclass(frozen=True, slots=True)
class Saying:
    """A text's one statement, without its full stop; None where it makes none, or several. `marked`: it says of itself
    that it puts something right (*actually*, *no,*); `asks`: there is a question in the text. `two`: where it makes two
    statements, these."""

    statement: str | None
    marked: bool
    asks: bool
    two: tuple[str, str] | None = None


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
        if found["mark"] == "." and found.end() < len(text) and _ABBREVIATED.fullmatch(part.split(" ")[-1]):
            continue  # `Dr. Silva`
        part = part[after(_COURTESY, part) :].strip()
        start = found.end()
        if not left and _MARK_ALONE.fullmatch(spelled(part)):
            marked = True
        elif part:
            abbreviated = found["mark"] == "." and _LETTERS.fullmatch(part.split()[-1])
            left.append(part + "." if abbreviated else part)
    if len(left) != 1:
        return Saying(None, marked, asks, (left[0], left[1]) if len(left) == 2 else None)
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
