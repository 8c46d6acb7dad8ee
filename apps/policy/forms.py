"""In which other forms people write the same number, date or time: `28 cm` and `28cm`, `two` and `2`, `7:15 pm`,
`19:15` and `19h15`, `17 March 1962` and `1962-03-17`, `PT50 0002` and `PT500002`; and how a name is written without its
letters.

English alone, as far as words go. Of `06/04/1987` nobody knows which is the day, so it is read both ways. `3,5` is left
to `apps.policy.prints`. What is told is what else to compare a text by: nothing of it is kept, and no text is changed.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from apps.policy.looks import plainly, readings

MOST_LETTERS = 8192
MOST = 64  # so many numbers, dates and times of a text are written otherwise
_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = "|".join([*_MONTHS, *(each[:3] for each in _MONTHS), "sept"])
_COUNTS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty".split()
)
_TENS = dict(zip("twenty thirty forty fifty sixty seventy eighty ninety".split(), range(20, 100, 10), strict=True))
_NUMBER_WORD = rf"(?:{'|'.join(_TENS)})(?:[ -](?:{'|'.join(_COUNTS[1:10])}))?|{'|'.join(reversed(_COUNTS))}"
# What a text has to hold for any of it to be written otherwise, beside a letter that is not plain.
_ANY = re.compile(rf"\d|\b(?:{_NUMBER_WORD})\b|\w-\w", re.IGNORECASE)


def ways(text: str, usually: str) -> tuple[str, ...]:
    """All that a text may be read as: first what it says to the eye, and what else `readings` tells; then as it is
    written `usually` (see `usual`), units apart from the numbers or not.
    """
    return tuple(dict.fromkeys([*readings(text), usually, _WITH_UNIT.sub(r"\1\2", usually)]))


def forms(text: str) -> str:
    """All other forms of what is in a text, one behind the other: words and numbers that it may be recognised by, too.
    "" where there are none. A text that is longer than 8192 characters is read as it is written.
    """
    if len(text) > MOST_LETTERS:
        return ""
    plain = plainly(text)[0]
    bare = _barely(plain)
    others = [*([bare] if bare != plain else []), *_named(plain), *(_forms(bare) if _ANY.search(bare) else ())]
    return " ".join(dict.fromkeys(others))


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A line as it may be written otherwise: which place of the line each of its characters stands for, and whether it
    is another one than stands there.
    """

    text: str
    places: list[int]
    other: list[bool]


def rewritten(plain: str) -> list[Rewritten]:
    """A line, as it says to the eye, in each way in which it may be written otherwise: in plain letters; and every
    number, date and time in it in the first of its other forms, in the second and so on. None where there is none, and
    of a line that is longer than 8192 characters.
    """
    if len(plain) > MOST_LETTERS:
        return []
    bare = _barely(plain)
    found = [] if bare == plain else [_woven(bare, plain, ())]
    pieces = _pieces(bare) if _ANY.search(bare) else []
    most = max((len(each.others) for each in pieces), default=0)
    for number in range(most):
        told = [(each, each.others[min(number, len(each.others) - 1)]) for each in pieces]
        found.append(_woven(bare, plain, told))
    return found


def _pieces(bare: str) -> list["_Found"]:
    """What in a line may be written otherwise, from its beginning to its end; of two that overlap, the first kind."""
    others = (
        _Found(each.start(), each.end(), "", tuple(write(each.group())))
        for pattern, write in _OTHERWISE
        for each in islice(pattern.finditer(bare), MOST)
    )
    forms_at: dict[tuple[int, int], dict[str, None]] = {}
    taken: set[int] = set()
    for each in (*_dates(bare), *_times(bare), *others):
        at, told = (each.start, each.end), dict.fromkeys(each.others)
        told.pop(bare[each.start : each.end], None)
        if told and (at in forms_at or taken.isdisjoint(range(*at))):
            forms_at.setdefault(at, {}).update(told)
            taken.update(range(*at))
    return [_Found(*at, "", tuple(told)) for at, told in sorted(forms_at.items())[:MOST]]


def _woven(bare: str, plain: str, told: "Sequence[tuple[_Found, str]]") -> Rewritten:
    text, places, other, at = "", list[int](), list[bool](), 0
    for each, form in told:
        text += bare[at : each.start] + form
        places += [*range(at, each.start), *[each.start] * len(form)]
        other += [bare[i] != plain[i] for i in range(at, each.start)] + [True] * len(form)
        at = each.end
    rest = range(at, len(bare))
    return Rewritten(text + bare[at:], [*places, *rest], [*other, *(bare[i] != plain[i] for i in rest)])


def usual(text: str) -> str:
    """What a text says to the eye, as it is usually written: in plain letters, with its dates, times and numbers in one
    form.
    """
    return _usual(_barely(plainly(text)[0]))


def _barely(plain: str) -> str:
    return plain if plain.isascii() else "".join(map(_bare, plain))


# ---------------------------------------------------------------- letters
_PLAIN = re.compile(
    r"LATIN (?P<case>SMALL|CAPITAL) LETTER (?P<letter>[A-Z]|DOTLESS I)(?: WITH .+)?"
    r"|(?:LATIN LETTER SMALL CAPITAL|(?:NEGATIVE )?(?:SQUARED|CIRCLED) LATIN CAPITAL LETTER"
    r"|REGIONAL INDICATOR SYMBOL LETTER) (?P<sign>[A-Z])"
)
_STROKES = {"l": "ł", "o": "ø", "d": "đ"}
_IN_TWO = {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "æ": "ae", "œ": "oe", "ø": "oe", "ß": "ss", "þ": "th"}
_WORD = re.compile(r"[^\W\d_]{3,24}")
_FEW_WORDS = 3


@cache
def _bare(c: str) -> str:
    """The plain letter that this one is with strokes, hooks or marks, or in a square; or itself."""
    if c.isascii():
        return c
    told = _PLAIN.fullmatch(unicodedata.name(c, ""))
    if told is None:
        return c
    letter = (told["letter"] or told["sign"])[-1]
    return letter.lower() if told["case"] != "CAPITAL" else letter


def _named(text: str) -> list[str]:
    """The names in it, as they are written with the letters of their language or without: `Lodz`, `Duesseldorf`. Of a
    long text they are the words that begin with a capital."""
    words = list(dict.fromkeys(_WORD.findall(text)))
    names = words if len(words) <= _FEW_WORDS else [each for each in words if each[0].isupper()]
    found: list[str] = []
    for each in names[:MOST]:
        small = each.lower()
        if small.isascii():
            found += [small[:at] + _STROKES[c] + small[at + 1 :] for at, c in enumerate(small) if c in _STROKES]
            found += [small.replace(two, two[0]) for two in ("ae", "oe", "ue") if two in small]
        else:
            found += ["".join(_IN_TWO.get(c, _bare(c)) for c in unicodedata.normalize("NFC", small))]
    return found


# ---------------------------------------------------------------- dates
@dataclass(frozen=True, slots=True)
class _Found:
    """A date or a time in a text: where it stands, how it is usually written, and how else it may be."""

    start: int
    end: int
    usual: str
    others: tuple[str, ...]


_NUMERIC = re.compile(r"(?<![\w./-])(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(?![\w/-]|\.\d)")
_DAY_FIRST = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)?[ -]({_MONTH})\.?,?[ -](\d{{4}})\b", re.IGNORECASE)
_MONTH_FIRST = re.compile(rf"\b({_MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})\b", re.IGNORECASE)
_TIME = re.compile(
    r"(?<![\w:.])(\d{1,2})(?:[:.](\d\d))?[ ]?([ap])\.?m\b\.?|(?<![\w:.])(\d{1,2})[:h](\d\d)(?![\w:])", re.I
)


def _dates(text: str) -> Iterator[_Found]:
    for each in _NUMERIC.finditer(text):
        first, month, last = int(each[1]), int(each[3]), int(each[4])
        if len(each[1]) == 4:
            days = [(first, month, last)]
        elif len(each[4]) == 4:
            days = [(last, month, first), (last, first, month)]
        elif each[2] == "/" and len(each[4]) == 2:  # and nobody knows of which century
            days = [(age + last, *day) for age in (1900, 2000) for day in ((month, first), (first, month))]
        else:
            days = []
        yield from _dated(each, days)
    for each in _DAY_FIRST.finditer(text):
        yield from _dated(each, [(int(each[3]), _number_of(each[2]), int(each[1]))])
    for each in _MONTH_FIRST.finditer(text):
        yield from _dated(each, [(int(each[3]), _number_of(each[1]), int(each[2]))])


def _number_of(month: str) -> int:
    return next(number for number, each in enumerate(_MONTHS, 1) if each.startswith(month[:3].lower()))


def _dated(where: re.Match[str], days: list[tuple[int, int, int]]) -> Iterator[_Found]:
    real = [each for each in dict.fromkeys(days) if 1 <= each[1] <= 12 and 1 <= each[2] <= 31 and each[0] > 31]
    if real:
        others = tuple(dict.fromkeys(form for year, month, day in real for form in _date_forms(year, month, day)))
        year, month, day = real[0]
        usual = f"{year}-{month:02}-{day:02}" if len(real) == 1 else where.group()
        yield _Found(where.start(), where.end(), usual, others)


def _date_forms(year: int, month: int, day: int) -> list[str]:
    name = _MONTHS[month - 1]
    pairs = [(f"{day:02}", f"{month:02}"), (str(day), str(month))]
    found = [
        f"{year}-{month:02}-{day:02}",
        f"{year}/{month:02}/{day:02}",
        f"{day} {name} {year}",
        f"{name[:3]} {day}th",
    ]
    for one, other in pairs:
        found += [f"{a}{sign}{b}{sign}{year}" for sign in "/.-" for a, b in ((one, other), (other, one))]
    return found


# ---------------------------------------------------------------- times
def _times(text: str) -> Iterator[_Found]:
    for each in _TIME.finditer(text):
        hour, minute = int(each[1] or each[4]), int(each[2] or each[5] or 0)
        half = (each[3] or "").lower()
        if minute > 59 or hour > (12 if half else 23) or (half and not hour):
            continue
        hour = hour % 12 + (12 if half == "p" else 0) if half else hour
        twelve, sign = hour % 12 or 12, "pm" if hour >= 12 else "am"
        others = [f"{hour:02}:{minute:02}", f"{hour}:{minute:02}", f"{twelve}:{minute:02} {sign}"]
        others += [f"{twelve}:{minute:02}{sign}"] + ([] if minute else [f"{twelve} {sign}", f"{twelve}{sign}"])
        yield _Found(each.start(), each.end(), f"{hour:02}:{minute:02}", tuple(others))


# ---------------------------------------------------------------- numbers
_COUNT = re.compile(rf"\b({_NUMBER_WORD})\b", re.IGNORECASE)
# Not what ends a word, and a number behind it: `room4 102`.
_THOUSANDS = re.compile(r"(?<![\d.,])(?!(?<=\w)\d{1,3} )\d{1,3}(?:([,.'’ ])\d{3})(?:\1\d{3})*(?!\d|[,.]\d)")
_LONG = re.compile(r"(?<![\w.,:/-])[1-9]\d{3,8}(?![\w:/-]|[.,]\d)")
_UNITS = (
    "mm cm dm m km in ft yd mi g mg kg t lb lbs oz st ml cl dl l gal h hr hrs min mins s sec ms px pt kb mb gb tb w kw"
    " kwh v a ah mah hz khz mhz ghz kcal cal kj eur usd gbp chf c f k x bar psi mph kmh rpm db mcg µg iu yrs °c °f"
)
_WITH_UNIT = re.compile(
    rf"(?<![\w.,:/-])(\d+(?:[.,]\d+)?) ?({'|'.join(sorted(_UNITS.split(), key=len, reverse=True))})(?!\w)",
    re.IGNORECASE,
)
_SMALL = re.compile(r"(?<![\w.,:/-])(?:1?\d|20)(?![\w:/-]|[.,]\d)")
# A code or a long number in groups, joined by blanks or hyphens; and one that is written together.
_GROUPED = re.compile(
    r"(?<![\w-])\+?(?:[A-Z]{1,4}\d{0,8}|\d{1,8})(?:[ -](?:[A-Z]{0,4}\d{1,8}|[A-Z]{1,2})(?![\w]))+(?![\w-])"
)
_TOGETHER = re.compile(r"(?<![\w-])(?=[A-Z]*\d)[A-Z0-9]{5,34}(?![\w-])")
_JOINED = re.compile(r"(?<![\w-])[^\W\d_]+(?:-[^\W\d_]+)+(?![\w-])")


def _usual(text: str) -> str:
    """The text with each of them in one form."""
    if len(text) > MOST_LETTERS or _ANY.search(text) is None:
        return text
    for each in sorted([*_dates(text), *_times(text)], key=lambda each: -each.start):
        text = text[: each.start] + each.usual + text[each.end :]
    text = _GROUPED.sub(lambda each: _together(each.group()), text)
    text = _THOUSANDS.sub(lambda each: _digits(each.group()), text)
    text = _COUNT.sub(lambda each: str(_counted(each.group())), text)
    text = _JOINED.sub(lambda each: each.group().replace("-", ""), text)
    return _WITH_UNIT.sub(r"\1 \2", text)


def _forms(text: str) -> Iterator[str]:
    """How else each of them may be written."""
    for dated in (*_dates(text), *_times(text)):
        yield from dated.others
    for pattern, others in _OTHERWISE:
        for each in list(pattern.finditer(text))[:MOST]:
            yield from others(each.group())


def _together(code: str) -> str:
    if _NUMERIC.fullmatch(code):
        return code  # a date
    joined = re.sub(r"[ -]", "", code)
    return joined if sum(map(str.isdigit, joined)) >= _LEAST_DIGITS else code


_LEAST_DIGITS = 4  # of a code: fewer are two numbers beside each other


def _digits(number: str) -> str:
    return re.sub(r"\D", "", number)


def _counted(words: str) -> int:
    first, _, second = words.lower().replace("-", " ").partition(" ")
    return (_TENS.get(first) or _COUNTS.index(first)) + (_COUNTS.index(second) if second else 0)


def _count_word(number: str) -> list[str]:
    return [_COUNTS[int(number)]]


def _in_thousands(number: str) -> list[str]:
    return [f"{int(number):,}".replace(",", sign) for sign in ",. "]


def _in_groups(code: str) -> list[str]:
    fours = " ".join(code[at : at + 4] for at in range(0, len(code), 4))
    return [fours, " ".join(re.findall(r"[A-Z]+|\d+", code))]


def _with_unit(written: str) -> list[str]:
    return [_WITH_UNIT.sub(r"\1\2", written), _WITH_UNIT.sub(r"\1 \2", written)]


_OTHERWISE: tuple[tuple[re.Pattern[str], Callable[[str], list[str]]], ...] = (
    (_GROUPED, lambda code: [_together(code)]),
    (_TOGETHER, _in_groups),
    (_THOUSANDS, lambda number: [_digits(number), *_in_thousands(_digits(number))]),
    (_LONG, _in_thousands),
    (_COUNT, lambda words: [str(_counted(words))]),
    (_SMALL, _count_word),
    (_WITH_UNIT, _with_unit),
    (_JOINED, lambda word: [word.replace("-", "")]),
)
