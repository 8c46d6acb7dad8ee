"""What a text may be before it is kept: checked once here for every surface, and never silently changed."""

import re
import unicodedata

from apps.policy.looks import BLANK_PICTURE, all_seen, plainly, unseen

MOST_VALUE_BYTES = 64 * 1024
MOST_LABEL = 120
MOST_NOTE = 140
MOST_RATIONALE = 500
MOST_EVIDENCE_LINE = 200
_HIDDEN = ("Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp")
_STRETCH = "\u0640"  # left out of what is compared, and seen
_BASES = frozenset("\u203c\u2049\u2139\u3030")  # pictures that are of no category of pictures
_KEYS = frozenset("#*0123456789")
_FLAGS = tuple("".join(chr(0xE0000 + ord(c)) for c in name) + "\U000e007f" for name in ("gbeng", "gbsct", "gbwls"))
_FLAG = "\U0001f3f4"
_SUBJECT = re.compile(r"\A[a-z0-9][a-z0-9_-]*(\.[a-z0-9][a-z0-9_-]*){0,7}\Z")


class TextProblem(Exception):
    """A text that cannot be kept. `field` names it, `detail` says what to do; neither quotes the text. Where several
    parts were sent, `part` names the one that it is about.
    """

    def __init__(self, field: str, detail: str, part: str = "") -> None:
        super().__init__(f"{field}: {detail}")
        self.field = field
        self.detail = detail
        self.part = part


def _refuse_unstorable(field: str, text: str) -> None:
    if "\x00" in text:
        raise TextProblem(field, "It holds the character U+0000 (NUL), which cannot be stored. Remove it.")
    if any(0xD800 <= ord(c) <= 0xDFFF for c in text):
        raise TextProblem(field, "It holds a lone surrogate (half of a character). Send the whole character.")


def check_value(text: str, field: str = "value") -> str:
    """The text itself, byte for byte, if it may be a memory's value: UTF-8, 1 byte to 64 KiB, not only blanks.

    Raises TextProblem for NUL, a lone surrogate, an empty or blank text, or one that is too long.
    """
    return _check_text(text, field, "Write what is to be remembered.", "are kept")


def check_question(text: str) -> str:
    """The text itself if it may be a question: as a value, in the words of a question. Raises TextProblem."""
    return _check_text(text, "question", "Write your question.", "can be asked at once")


def _check_text(text: str, field: str, wanted: str, done: str) -> str:
    _refuse_unstorable(field, text)
    if not text.strip():
        raise TextProblem(field, f"It is empty. {wanted}")
    size = len(text.encode())
    if size > MOST_VALUE_BYTES:
        raise TextProblem(field, f"It is {size} bytes long; at most {MOST_VALUE_BYTES} bytes (64 KiB) {done}.")
    return text


def check_line(text: str, field: str, most: int = MOST_LABEL, *, empty: bool = False) -> str:
    """A one-line text (label, note, name) of 1 to `most` characters without control characters.

    Raises TextProblem. With `empty` the text may be "".
    """
    _refuse_unstorable(field, text)
    if not text.strip():
        if empty:
            return ""
        raise TextProblem(field, "It is empty. Write a few words.")
    if len(text) > most:
        raise TextProblem(field, f"It is {len(text)} characters long; at most {most} are kept.")
    if any(unicodedata.category(c) in ("Cc", "Zl", "Zp") for c in text):
        raise TextProblem(field, "It holds a control character or a line break. Write one line.")
    return text


def inert(cell: str | int) -> str:
    """A cell of a CSV file; one that a spreadsheet would run as a formula stands behind an apostrophe."""
    text = str(cell)
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) and text != "-" else text


def check_subject(text: str, field: str = "subject") -> str:
    """A dotted path of lower-case words, such as `kitchen.equipment`; at most 8 words, 120 characters."""
    if not _SUBJECT.match(text) or len(text) > MOST_LABEL:
        raise TextProblem(field, "Write a dotted path of lower-case words, such as kitchen.equipment.")
    return text


def subject_of(label: str) -> str:
    """A subject made from a label that came without one, as the eye reads it: `Kitchen equipment` →
    `kitchen-equipment`.
    """
    folded = unicodedata.normalize("NFKD", plainly(label)[0]).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9]+", folded)
    return ("-".join(words) or "memory")[:MOST_LABEL].strip("-")


def says_more(label: str, subject: str) -> bool:
    """Has the label a word that its subject has not?"""
    told, named = (set(subject_of(each).split("-")) for each in (label, subject))
    return not told <= named


def pieces(text: str) -> list[tuple[str, bool]]:
    """The text character by character as it may be looked at, and whether each one is hidden in it.

    A hidden, bidi or control character, or a filler that nobody sees, is given as `[U+XXXX]`; a tab is a blank, and
    what belongs to a picture, or chooses the form of the one before it, is not hidden but part of what is seen.
    """
    found = []
    for index, c in enumerate(text):
        hidden = _hidden(c) and not (_joins_emoji(text, index) or _chooses(text, index) or _tags_flag(text, index))
        found.append((f"[U+{ord(c):04X}]" if hidden else c, hidden))
    return found


def _hidden(c: str) -> bool:
    """Does it show as nothing by itself?"""
    if c in ("\t", " ", _STRETCH):
        return False
    return unseen(c) or c == BLANK_PICTURE or unicodedata.category(c) in _HIDDEN


def lines(text: str) -> list[str]:
    """The text's lines, which end at LF, CR or both; every other character that breaks a line is one that hides."""
    found = re.split(r"\r\n|\n|\r", text)
    return found[:-1] if len(found) > 1 and not found[-1] else found


def hides(text: str) -> bool:
    """Does a text of several lines hold a character that is not seen?"""
    return any(hidden for line in lines(text) if not plain(line) for _, hidden in pieces(line))


def plain(line: str) -> bool:
    """Is every character of it seen, at a glance? So it is of nearly every line."""
    return all_seen(line) and BLANK_PICTURE not in line


def visible(text: str) -> str:
    """A stranger's text made safe to look at: hidden, bidi and control characters become `[U+XXXX]` chips."""
    return "".join(shown for shown, _ in pieces(text))


def _joins_emoji(text: str, index: int) -> bool:
    """Is this a ZERO WIDTH JOINER between two pictures? (A picture may carry a skin tone or a variation selector.)"""
    if text[index] != "\u200d" or index + 1 == len(text):
        return False
    before = text[max(0, index - 2) : index].removesuffix("\ufe0f")[-1:]
    return all(c and unicodedata.category(c) in ("So", "Sk") for c in (before, text[index + 1]))


def _chooses(text: str, index: int) -> bool:
    """Does it choose in which form the one character before it is shown: a picture or a sign, an ideograph?"""
    c, base = text[index], text[index - 1 : index]
    if not base:
        return False
    if "\U000e0100" <= c <= "\U000e01ef" or "\ufe00" <= c <= "\ufe02":
        ideograph = unicodedata.category(base) == "Lo" and unicodedata.name(base, "").startswith("CJK ")
        return ideograph or (c == "\ufe00" and unicodedata.category(base) == "Sm")
    if c not in "\ufe0e\ufe0f":
        return False
    key = base in _KEYS and text[index + 1 : index + 2] == "\u20e3"
    return key or base in _BASES or unicodedata.category(base) in ("So", "Sk", "Sm")


def _tags_flag(text: str, index: int) -> bool:
    """Is it one of the tags that make a black flag that of England, Scotland or Wales?"""
    if not "\U000e0020" <= text[index] <= "\U000e007f":
        return False
    start = text.rfind(_FLAG, max(0, index - len(_FLAGS[0])), index) + 1
    return start > 0 and text.startswith(_FLAGS, start) and index < start + len(_FLAGS[0])
