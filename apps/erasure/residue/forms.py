"""What a value can look like in bytes, and what is looked for first of each look.

A value is cut into *parts* of at most `PART` characters, so that a copy that was cut off is found too. Each part gives
*needles*, one a family: text (as it is, in other letter case, composed or decomposed, escaped as JSON, SQL, HTML,
Python and URLs do, each character by itself), UTF-16, base64 and hexadecimal. A needle has *anchors*: literal bytes of
which one is in every copy of that look. A scan for all anchors at once finds candidates; the needle reads around each.
"""

import base64
import html.entities
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import log2

PART = 64  # characters
WHOLE = 96  # a value of no more is one part
LEAST_BYTES = 4  # of a value in UTF-8: what is shorter is everywhere
LEAST_BASE64 = 6  # characters that depend on nothing but the value
ANCHOR = 24  # bytes; longer ones find nothing more
MOST_WAYS = 256  # literal spellings of one anchor

FORMS = (
    "utf-8",
    "nfc",
    "nfd",
    "case-folded",
    "utf-16le",
    "utf-16be",
    "windows-1252",
    "base64",
    "hex",
    "json-escaped",
    "percent-encoded",
    "html-escaped",
    "escaped",
    "bytes",
)
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._")
_SHORT = {'"': '"', "\\": "\\", "/": "/", "\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f"}
_SCRIPTS = "<>&'"  # what makers of JSON for web pages escape as well
_QUOTES = {"'": ("''", "\\'", "\\\\'")}


@dataclass(frozen=True, slots=True)
class Anchor:
    """Literal bytes, and how many units of the needle come before them: spellings for text, bytes else."""

    literal: bytes
    before: int
    caseless: bool


@dataclass(frozen=True, slots=True)
class Match:
    """Where a needle was found in a buffer, and as what."""

    start: int
    end: int
    form: str


class Exact:
    """A needle of fixed bytes: base64, hexadecimal, or the bytes of a value that is no text."""

    __slots__ = ("anchors", "caseless", "form", "literal", "reach", "value")

    def __init__(self, value: int, form: str, literal: bytes, *, caseless: bool = False) -> None:
        self.value, self.form, self.caseless = value, form, caseless
        self.literal = literal.lower() if caseless else literal
        self.anchors = (Anchor(self.literal[:ANCHOR], 0, caseless),)
        self.reach = len(literal)

    def match(self, buffer: bytearray, at: int, end: int, anchor: Anchor) -> Match | None:
        """The needle with this anchor at `at`, in the bytes before `end`."""
        stop = at + len(self.literal)
        found = buffer[at:stop].lower() if self.caseless else buffer[at:stop]
        return Match(at, stop, self.form) if stop <= end and found == self.literal else None


class Spelled:
    """A needle whose every character can be spelled in several ways."""

    __slots__ = ("_codec", "_flat", "_patterns", "_text", "anchors", "reach", "value")

    def __init__(self, value: int, text: str, codec: str) -> None:
        self.value, self._text, self._codec = value, text, codec
        spelled = [_spellings(each, codec) for each in _clusters(text)]
        self._flat = [each.every for each in spelled]
        self.reach = sum(each.longest for each in spelled)
        self.anchors = tuple(_anchors(spelled))
        self._patterns: dict[int, re.Pattern[bytes]] = {}

    def match(self, buffer: bytearray, at: int, end: int, anchor: Anchor) -> Match | None:
        """The needle with this anchor at `at`, in the bytes before `end`."""
        if not self._from(anchor.before).match(buffer, at, end):
            return None
        start = max(0, at - self.reach)
        while found := self._from(0).search(buffer, start, min(end, at + self.reach)):
            if found.start() > at:
                return None
            if found.end() > at and (form := self._form(found.group())) is not None:
                return Match(found.start(), found.end(), form)
            start = found.start() + 1
        return None

    def _from(self, first: int) -> re.Pattern[bytes]:
        """What matches the letters from one on. Made when an anchor was found: most never are."""
        if first not in self._patterns:
            self._patterns[first] = re.compile(_pattern(self._flat[first:]), re.IGNORECASE | re.DOTALL)
        return self._patterns[first]

    def _form(self, found: bytes) -> str | None:
        """What the bytes are called; None where they are other letters whose bytes differ as letter case does."""
        if self._codec != "utf-8":
            return self._codec if _folded(found.decode(self._codec, "replace")) == _folded(self._text) else None
        text = found.decode("utf-8", "replace")
        if text == self._text:
            return "utf-8"
        for form in ("NFC", "NFD"):
            if text == unicodedata.normalize(form, self._text):
                return form.lower()
        if _folded(text) == _folded(self._text):
            return "case-folded"
        if "\ufffd" in text and _folded(found.decode("cp1252", "replace")) == _folded(self._text):
            return "windows-1252"
        if b"%" in found or (b"+" in found and "+" not in self._text):
            return "percent-encoded"
        if b"&" in found and b";" in found:
            return "html-escaped"
        return "json-escaped" if re.search(rb'\\(u[0-9a-fA-F]{4}|["\\/bfnrt])', found) else "escaped"


Needle = Exact | Spelled


def needles(index: int, value: bytes | str) -> list[Needle]:
    """Every needle of a value. `value` is text, or bytes that are text if they are UTF-8.

    Raises ValueError where it is shorter than LEAST_BYTES.
    """
    data = value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")
    if len(data) < LEAST_BYTES:
        raise ValueError("too short")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return [Exact(index, "bytes", data), *_encoded(index, [data])]
    found: list[Needle] = []
    for part in parts(text):
        cased = list(dict.fromkeys(way for case in (part, part.lower(), part.upper()) for way in _normal(case)))
        escaped = [json.dumps(way)[1:-1] for way in cased]
        found += [Spelled(index, part, codec) for codec in ("utf-8", "utf-16le", "utf-16be")]
        found += _encoded(index, [way.encode() for way in (*cased, *escaped)])
    return found


def parts(text: str) -> list[str]:
    """The text itself; of a long one its beginning, its middle and its end."""
    if len(text) <= WHOLE:
        return [text]
    middle = (len(text) - PART) // 2
    return list(dict.fromkeys((text[:PART], text[middle : middle + PART], text[-PART:])))


def _encoded(index: int, ways: Sequence[bytes]) -> Iterator[Exact]:
    """Base64 at each of the three places where a text can begin in it, with both alphabets; hexadecimal."""
    for core in dict.fromkeys(core for way in ways for core in _base64(way)):
        yield Exact(index, "base64", core)
    for digits in dict.fromkeys(way.hex().encode() for way in ways):
        yield Exact(index, "hex", digits, caseless=True)


def _base64(data: bytes) -> Iterator[bytes]:
    for before in range(3):
        first, last = -(-8 * before // 6), 8 * (before + len(data)) // 6
        core = base64.b64encode(bytes(before) + data + bytes(3))[first:last]
        if len(core) >= LEAST_BASE64:
            yield core
            yield core.translate(bytes.maketrans(b"+/", b"-_"))


# ---------------------------------------------------------------- spellings
def _clusters(text: str) -> Iterator[str]:
    """The composed text in pieces that are composed and decomposed by themselves: a letter with its marks."""
    cluster = ""
    for letter in unicodedata.normalize("NFC", text):
        if cluster and not unicodedata.combining(letter):
            yield cluster
            cluster = ""
        cluster += letter
    if cluster:
        yield cluster


def _normal(text: str) -> tuple[str, str, str]:
    return text, unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())


@dataclass(frozen=True, slots=True)
class _Spellings:
    """The literal spellings of a letter, by scheme and all of them; ASCII in lower case, since case is not compared."""

    schemes: dict[str, frozenset[bytes]]
    every: frozenset[bytes]
    longest: int


@lru_cache(1024)
def _spellings(cluster: str, codec: str) -> _Spellings:
    schemes = _by_scheme(cluster, codec)
    every = frozenset[bytes]().union(*schemes.values())
    return _Spellings(schemes, every, max(map(len, every)))


def _by_scheme(cluster: str, codec: str) -> dict[str, frozenset[bytes]]:
    cases = (cluster, cluster.lower(), cluster.upper(), cluster.title(), cluster.casefold())
    ways = {way for case in cases for way in _normal(case)}
    if codec != "utf-8":
        return {codec: frozenset(way.encode(codec).lower() for way in ways)}
    schemes: dict[str, set[str]] = {
        "plain": ways | {quoted for way in ways for quoted in _QUOTES.get(way, ())},
        "json": {_json(way, 1) for way in ways} | {_json(way, 1, _SCRIPTS) for way in ways},
        "json in json": {_json(way, 2) for way in ways} | {_json(way, 2, _SCRIPTS) for way in ways},
        "url": {_percent(way) for way in ways} | ({"+"} if " " in ways else set()),
        "html": {spelled for way in ways for spelled in _html(way)},
        "hexadecimal": {_each_byte(way, "\\x{:02x}") for way in ways},
        "octal": {_each_byte(way, "\\{:03o}") for way in ways},
    }
    if cluster == "/":
        schemes["json"] |= {"/"}
    if cluster == "\n":
        schemes["plain"] |= {"\r\n"}
        schemes["json"] |= {"\\r\\n"}
        schemes["url"] |= {"%0d%0a"}
    found = {name: frozenset(way.encode().lower() for way in some) for name, some in schemes.items()}
    return found | {"windows-1252": frozenset(_windows(way) for way in ways)}


def _json(text: str, deep: int, more: str = "") -> str:
    """As JSON escapes it, once, or twice as in JSON that is a string in JSON."""
    escape = "\\" * deep
    spelled = ""
    for letter in text:
        if letter in _SHORT:
            spelled += {1: "\\", 2: "\\\\\\"}[deep] + _SHORT[letter] if letter in '"\\' else escape + _SHORT[letter]
        elif " " <= letter <= "~" and letter not in more:
            spelled += letter
        else:
            units = letter.encode("utf-16be", "surrogatepass")
            spelled += "".join(f"{escape}u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))
    return spelled


def _windows(text: str) -> bytes:
    """As Western European programs wrote it before UTF-8, and spreadsheets do; UTF-8 where they could not."""
    try:
        return text.encode("cp1252").lower()
    except UnicodeEncodeError:
        return text.encode().lower()


def _percent(text: str) -> str:
    return "".join(chr(byte) if chr(byte) in _UNRESERVED else f"%{byte:02x}" for byte in text.encode())


def _html(text: str) -> Iterator[str]:
    for spell in ("&#{0};", "&#x{0:x};", "&#x{0:02x};"):
        yield "".join(
            letter if letter.isascii() and letter not in "<>&\"'" else spell.format(ord(letter)) for letter in text
        )
    names = html.entities.codepoint2name
    yield "".join(f"&{names[ord(letter)]};" if ord(letter) in names else letter for letter in text)


def _each_byte(text: str, spell: str) -> str:
    return "".join(letter if " " <= letter <= "~" else "".join(map(spell.format, letter.encode())) for letter in text)


def _pattern(flat: Sequence[Iterable[bytes]]) -> bytes:
    return b"".join(b"(?:" + b"|".join(map(re.escape, sorted(ways, key=len, reverse=True))) + b")" for ways in flat)


# ---------------------------------------------------------------- anchors
def _anchors(spelled: Sequence[_Spellings]) -> Iterator[Anchor]:
    """One run of letters that every scheme spells alike or in few ways; where there is none, one for each scheme."""
    flat = [each.every for each in spelled]
    window = _window(flat, least=6, most=9)
    if window is not None:
        yield from _literals(flat, window)
        return
    for scheme in spelled[0].schemes:
        some = [each.schemes[scheme] if _differs(each) else each.every for each in spelled]
        window = _window(some, least=LEAST_BYTES, most=MOST_WAYS)
        if window is None:  # signs alone
            some = [each.schemes[scheme] for each in spelled]
            window = _window(some, least=LEAST_BYTES, most=MOST_WAYS) or (0, len(some))
        yield from _literals(some, window)


def _differs(each: _Spellings) -> bool:
    """Whether it is no ASCII: of signs that are, a text may have some as they are and some escaped."""
    return not all(way.isascii() for way in each.schemes.get("plain", ()))


def _literals(ways: Sequence[frozenset[bytes]], window: tuple[int, int]) -> Iterator[Anchor]:
    for literal in {b"".join(each) for each in product(*ways[slice(*window)])}:
        yield Anchor(literal, window[0], True)


def _window(ways: Sequence[frozenset[bytes]], least: int, most: int) -> tuple[int, int] | None:
    """The run that is rarest in other texts for how few spellings it has: long, with digits, but not digits alone."""
    sizes, counts = [min(map(len, each)) for each in ways], [len(each) for each in ways]
    digits = [all(way.isdigit() for way in each) for each in ways]
    letters = [any(byte > 127 or chr(byte).isalpha() for way in each for byte in way) for each in ways]
    best: tuple[float, tuple[int, int]] | None = None
    for first in range(len(ways)):
        size, count, weight, malus = 0, 1, 0, 8
        for last in range(first, len(ways)):
            size, count, weight = size + sizes[last], count * counts[last], weight + sizes[last] + digits[last]
            malus = 0 if letters[last] else malus
            if count > most:
                break
            if size >= least:
                score = min(weight, ANCHOR) - 1.5 * log2(count) - malus
                if best is None or score > best[0]:
                    best = score, (first, last + 1)
            if size >= ANCHOR:
                break
    return best and best[1]
