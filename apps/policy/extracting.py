"""Reads a subject and a value off a plain English sentence about oneself, or about a symbol; or reads nothing.

Each pattern takes the whole sentence or nothing of it, and what it takes has to look like what it should be: a place or
a name begins with a capital (or is of a script that has none), a phone number is digits, a date is no riddle such as
6/4/2026. Values are cut from the text as written, byte for byte. Irony, other languages and what is meant but not said
are out of reach.
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from apps.policy.text import MOST_LABEL, TextProblem, check_subject

_FLAGS = re.IGNORECASE | re.ASCII
_MOST_WORDS = 6


@dataclass(frozen=True, slots=True)
class Extract:
    """What a sentence says of one subject. `subject` None: a symbol whose name makes none. `changed`: the sentence
    itself says that it was otherwise before. `old`: the symbol that `value` takes the place of."""

    subject: str | None
    label: str
    value: str
    changed: bool = False
    old: str | None = None


SYMBOLS = "symbol."  # under which the names of a program stand


# Words that a name, a thing or a plain value does not hold: what follows them is another clause.
CLAUSE = frozenset(
    "if maybe perhaps probably think guess would could might should may when while unless until because but"
    " not never no nor or and since during who which whose what where why how than then so very too quite"
    " pretty just really still already my your his its our their me you him us them this that these those it i"
    " we he she they is are was were be to with without about from for like sometimes usually always again"
    " once only except much".split()
)
_PARTICLES = frozenset("of de da do dos das del della di du den der van von la le les the am an upon on el al".split())
_MONTH = r"(?:jan|febr)uary|march|april|may|june|july|august|(?:septem|octo|novem|decem)ber"
_DATE = re.compile(
    rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}|(?P<first>[0-9]{{1,2}})(?:st|nd|rd|th)? (?:of )?(?:{_MONTH})(?:,? [0-9]{{4}})?"
    rf"|(?:{_MONTH}) (?P<second>[0-9]{{1,2}})(?:st|nd|rd|th)?(?:,? [0-9]{{4}})?",
    _FLAGS,
)
_PHONE = re.compile(r"\+?\(?[0-9][0-9 ()./-]*")
_EMAIL = re.compile(r"[^\s@<>(),;:]+@[^\s@<>(),;:]+\.[^\s@<>(),;:.]+")


def spelled(text: str) -> str:
    """The text with typewriter apostrophes, dashes and blanks, character for character, to match patterns against."""
    return text.translate(_TYPED)


_TYPED = str.maketrans(
    {"’": "'", "ʼ": "'", "‘": "'", "\u00a0": " ", "\u202f": " ", "‐": "-", "‑": "-", "–": "-", "—": "-"}
)


def words_of(text: str) -> list[str]:
    """The words of a short phrase, without the punctuation around them."""
    return [stripped for word in text.split() if (stripped := word.strip(".,;:!-"))]


def plain(text: str, most: int = _MOST_WORDS) -> bool:
    """Is this a short phrase, and no clause?"""
    words = words_of(text)
    clause = any(spelled(word).casefold() in CLAUSE or "n't" in spelled(word) for word in words)
    return 0 < len(words) <= most and not clause and not _breaks_off(text)


def proper(text: str) -> bool:
    """Does it look like a name or a place? `Vila Nova de Gaia`, `the Hague`, `東京`; not `fear`."""
    words = words_of(text)
    named = all(_begins_one(word) or word.casefold() in _PARTICLES for word in words)
    joined = re.search(r"[;:!()/]| - ", spelled(text)) is not None
    return 0 < len(words) <= _MOST_WORDS and named and _begins_one(words[-1]) and not joined and not _breaks_off(text)


def _breaks_off(text: str) -> bool:
    return text.endswith((",", ";", ":", "-"))


def _begins_one(word: str) -> bool:
    first = word[0]
    return first.isalpha() and (first.isupper() or first.istitle() or first.lower() == first.upper())


def slug(text: str) -> str | None:
    """A phrase as a word of a subject; None where letters would be lost, for two phrases must not become one."""
    folded = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    found = "-".join(words_of(folded))
    return found if re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", found) else None


def _phone(text: str) -> bool:
    return _PHONE.fullmatch(text) is not None and 7 <= sum(c.isdigit() for c in text) <= 15


def _email(text: str) -> bool:
    return _EMAIL.fullmatch(text) is not None


def _day(text: str) -> bool:
    found = _DATE.fullmatch(text)
    if found is None:
        return False
    number = found["first"] or found["second"]
    if number is not None:
        return 1 <= int(number) <= 31
    try:
        return date.fromisoformat(text) is not None
    except ValueError:
        return False


_NOW = r"(?P<changed>now )?"
_SINGLE: tuple[tuple[str, str, re.Pattern[str], Callable[[str], bool]], ...] = tuple(
    (subject, label, re.compile(pattern, _FLAGS), check)
    for subject, label, pattern, check in (
        ("home.city", "City", rf"i {_NOW}live in (?P<value>.+?)(?P<changed_too>,? now)?", proper),
        ("home.city", "City", rf"i(?:'m| am) {_NOW}(?:living|based) in (?P<value>.+?)(?P<changed_too>,? now)?", proper),
        ("name", "Name", rf"my name is {_NOW}(?P<value>.+)", proper),
        ("work.employer", "Employer", rf"i {_NOW}work (?:at|for) (?P<value>.+?)(?P<changed_too>,? now)?", proper),
        ("birthday", "Birthday", r"(?:my birthday is|i was born)(?: on)? (?:the )?(?P<value>.+)", _day),
        (
            "contact.phone",
            "Phone number",
            rf"my (?P<changed_too>new )?(?:phone|mobile|cell)(?: number| phone number)? is {_NOW}(?P<value>.+)",
            _phone,
        ),
        ("contact.email", "E-mail", rf"my (?P<changed_too>new )?e-?mail(?: address)? is {_NOW}(?P<value>.+)", _email),
    )
)
_ALLERGY = re.compile(r"i(?:'m| am)(?: \w+ly)? allergic to (?P<thing>.+)", _FLAGS)
_PREFERS = re.compile(r"i prefer (?P<one>.+?) (?:over|to|rather than) (?P<other>.+)", _FLAGS)
_TASTE = re.compile(
    r"i (?:really )?(?:like|love|enjoy|hate|dislike|do not like|don't like|can't stand) (?P<thing>.+)", _FLAGS
)
_FEW = 3  # words of a thing that one likes or is allergic to


def extract(statement: str) -> Extract | None:
    """What one sentence, without its full stop, surely says; None for anything else."""
    typed = spelled(statement)
    if statement.isupper():
        return None  # no capital says anything here
    for subject, label, pattern, check in _SINGLE:
        found = pattern.fullmatch(typed)
        if found is not None:
            value = statement[found.start("value") : found.end("value")]
            changed = any(found.groupdict().get(key) for key in ("changed", "changed_too"))
            return Extract(subject, label, value, changed) if check(value) else None
    return symbol(statement) or _of_many(statement, typed)


def _of_many(statement: str, typed: str) -> Extract | None:
    """What one can say many times of different things has the thing in its subject, and the sentence as its value."""
    found = _PREFERS.fullmatch(typed)
    if found is not None:
        things = sorted(statement[slice(*found.span(name))] for name in ("one", "other"))
        if not all(_thing(thing) for thing in things):
            return None
        one, other = (slug(thing) for thing in things)
        path = f"preference.{one}-or-{other}" if one and other and one != other else None
        return _kept(path, " or ".join(things), statement)
    for prefix, label, pattern in (("health.allergy", "Allergy to {}", _ALLERGY), ("taste", "{}", _TASTE)):
        found = pattern.fullmatch(typed)
        if found is not None:
            thing = statement[slice(*found.span("thing"))]
            name = slug(thing) if _thing(thing) else None
            return _kept(f"{prefix}.{name}" if name else None, label.format(thing), statement)
    return None


def _thing(text: str) -> bool:
    """A word or three for a thing as such: not this one or that one, and no list."""
    articles = {"a", "an", "the"}
    return plain(text, _FEW) and "," not in text and not any(word.casefold() in articles for word in words_of(text))


def _kept(subject: str | None, label: str, value: str) -> Extract | None:
    if subject is None or len(label) > MOST_LABEL or len(subject) > MOST_LABEL:
        return None
    return Extract(subject, label[0].upper() + label[1:], value)


_NAME = r"[a-z_]\w*(?:(?:\.|::)[a-z_]\w*)*(?:\(\))?"
_OLD, _NEW = rf"(?P<old>`{_NAME}`|{_NAME})", rf"(?P<new>`{_NAME}`|{_NAME})"
_REPLACED = tuple(
    re.compile(pattern, _FLAGS)
    for pattern in (
        rf"{_OLD} is (?:now )?deprecated(?: in favou?r of |[,;:] use ){_NEW}(?: instead)?",
        rf"{_OLD} (?:is|was|has been|got) renamed to {_NEW}",
        rf"{_OLD} (?:is|was|has been) (?:replaced|superseded) (?:by|with) {_NEW}",
        rf"{_OLD} is now {_NEW}",
        rf"{_OLD} (?:->|=>|→) {_NEW}",
        rf"use {_NEW}(?:,? instead of |, not ){_OLD}",
    )
)


def symbol(statement: str) -> Extract | None:
    """`foo.bar_baz()` → `qux`: a name in a program that another takes the place of. Both stand in backticks, or both
    look like code (`_`, `::`, `()`); prose is left alone."""
    for pattern in _REPLACED:
        found = pattern.fullmatch(statement)
        if found is None:
            continue
        names = found["old"], found["new"]
        ticked = [name.startswith("`") for name in names]
        if not all(tick or re.search(r"_|::|\(\)", name) for tick, name in zip(ticked, names, strict=True)):
            return None
        old, new = (name.strip("`") for name in names)
        if old.removesuffix("()") == new.removesuffix("()") or len(old) > MOST_LABEL:
            return None
        return Extract(_symbol_subject(old), old, new, changed=True, old=old)
    return None


def _symbol_subject(name: str) -> str | None:
    """`Foo.barBaz` → `symbol.foo-.bar-baz`: subjects have no capitals, and two names never share one. A hyphen stands
    before an inner capital, and at the end for the first one; no name has hyphens of its own."""
    words = []
    for word in re.split(r"\.|::", name.removesuffix("()")):
        inner = re.sub(r"[A-Z]", lambda found: "-" + found[0].lower(), word[1:])
        words.append(word[0].lower() + inner + ("-" if word[0].isupper() else ""))
    try:
        return check_subject(SYMBOLS + ".".join(words))
    except TextProblem:
        return None
