"""Reads a subject and a value off a plain English sentence about oneself, or about a symbol; or reads nothing.

Each pattern takes the whole sentence or nothing of it, and what it takes has to look like what it should be: a place or
a name begins with a capital (or is of a script that has none), a phone number is digits, a date is no riddle such as
6/4/2026. Values are cut from the text as written, byte for byte. An assistant's *the user lives in* is *I live in*.
Irony, other languages and what is meant but not said are out of reach.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from apps.policy.owning import noun
from apps.policy.shapes import (
    FLAGS,
    address,
    day,
    language,
    place,
    plain,
    proper,
    quantity,
    role,
    slug,
    spelled,
    words_of,
    year,
)
from apps.policy.text import MOST_LABEL, TextProblem, check_subject


@dataclass(frozen=True, slots=True)
class Extract:
    """What a sentence says of one subject. `subject` None: a symbol whose name makes none. `changed`: the sentence
    itself says that it was otherwise before; `again`: that it still is so. `old`: the symbol, or the value, that
    `value` takes the place of. `called`: how the sentence calls it, which may be how a known subject is called;
    `before`: `new` or `current`, where that stands before it, and may be a part of its name."""

    subject: str | None
    label: str
    value: str
    changed: bool = False
    old: str | None = None
    again: bool = False
    called: str | None = None
    before: str = ""

    @property
    def symbol(self) -> bool:
        """Is it a name in a program that takes another's place?"""
        return self.subject is None or self.subject.startswith(SYMBOLS)


SYMBOLS = "symbol."  # under which the names of a program stand

_I = r"(?:i|(?:the )?user)"
_AM = r"(?:i'?m|i am|(?:the )?user is)"
_HAVE = r"(?:i|i'?ve|i have|(?:the )?user|(?:the )?user has)"
_NOW = r"(?:(?P<changed>(?:now|actually) )|(?P<again>still )|currently )?"
_SINGLE: tuple[tuple[str, str, re.Pattern[str], Callable[[str], bool]], ...] = tuple(
    (subject, label, re.compile(pattern, FLAGS), check)
    for subject, label, pattern, check in (
        ("home.city", "City", rf"{_I} {_NOW}lives? in (?P<value>.+?)(?P<changed_too>,? now)?", place),
        ("home.city", "City", rf"{_AM} {_NOW}(?:living|based) in (?P<value>.+?)(?P<changed_too>,? now)?", place),
        (
            "home.city",
            "City",
            rf"{_HAVE} (?:just |recently )?(?P<changed>moved|relocated) (?:back )?(?:from (?P<old>.+?) )?"
            r"to (?P<value>.+?)(?:,? now)?",
            place,
        ),
        ("home.address", "Address", rf"{_I} {_NOW}lives? at (?P<value>.+?)(?P<changed_too>,? now)?", address),
        (
            "work.employer",
            "Employer",
            rf"{_I} {_NOW}works? (?:at|for) (?P<value>.+?)(?P<changed_too>,? now)?",
            proper,
        ),
        ("work.role", "Role", rf"{_I} {_NOW}works? as an? (?P<value>.+?)(?P<changed_too>,? now)?", role),
        ("birthday", "Birthday", rf"(?:{_I} was born)(?: on)? (?:the )?(?P<value>.+)", day),
        ("birth.place", "Place of birth", rf"{_I} was born in (?P<value>.+)", place),
        ("birth.year", "Year of birth", rf"{_I} was born in (?P<value>.+)", year),
        ("height", "Height", rf"{_AM} {_NOW}(?P<value>.+?) tall", quantity),
        ("weight", "Weight", rf"{_I} {_NOW}weighs? (?P<value>.+)", quantity),
        (
            "diet",
            "Diet",
            rf"{_AM} {_NOW}(?:an? )?(?P<value>vegetarian|vegan|pescatarian|coeliac|celiac|lactose[- ]intolerant)",
            plain,
        ),
    )
)
_WHOSE = r"(?:(?P<mine>my|(?:the )?user's) (?P<new>(?:new|current) )?(?P<what>.+?)|(?P<whose>\w+'s .+?))(?: is| are|:)"
_OWN = re.compile(rf"{_WHOSE} {_NOW}(?:(?:called|named) )?(?P<value>.+?)(?P<changed_too>,? now)?", FLAGS)
_OWN_DAY = re.compile(rf"{_WHOSE} {_NOW}(?:on )?(?:the )?(?P<value>.+?)(?P<changed_too>,? now)?", FLAGS)
_ALLERGY = re.compile(rf"{_AM} (?P<again>still )?(?:\w+ly )?allergic to (?P<thing>.+)", FLAGS)
_ALLERGY_TO = re.compile(rf"{_I} (?P<again>still )?ha(?:ve|s) an? (?P<thing>.+) allergy", FLAGS)
_PREFERS = re.compile(rf"{_I} (?P<again>still )?prefers? (?P<one>.+?) (?:over|to|rather than) (?P<other>.+)", FLAGS)
_TASTE = re.compile(
    rf"{_I} (?:really )?(?:likes?|loves?|enjoys?|hates?|dislikes?|do(?:es)? not like|do(?:es)?n'?t like|can'?t stand)"
    r" (?P<thing>.+)",
    FLAGS,
)
_SPEAKS = re.compile(rf"{_I} (?P<again>still )?speaks? (?P<thing>.+)", FLAGS)
_NO_THING = frozenset("a an the now today tonight lately".split())
_FEW = 3  # words of a thing that one likes or is allergic to


def extract(statement: str) -> Extract | None:
    """What one sentence, without its full stop, surely says; None for anything else."""
    typed = spelled(statement)
    if statement.isupper():
        return None  # no capital says anything here
    for subject, label, pattern, check in _SINGLE:
        found = pattern.fullmatch(typed)
        if found is not None and (told := _told(statement, found, subject, label, check)) is not None:
            return told
    return _owned(statement, typed) or symbol(statement) or _of_many(statement, typed)


def _told(
    statement: str, found: re.Match[str], subject: str, label: str, check: Callable[[str], bool]
) -> Extract | None:
    """What a match says, where its values look as they should."""
    parts = found.groupdict()
    value = statement[slice(*found.span("value"))]
    old = statement[slice(*found.span("old"))] if parts.get("old") else None
    if not all(check(each) for each in (value, old or value)):
        return None
    changed = any(parts.get(key) for key in ("changed", "changed_too"))
    return Extract(subject, label, value, changed, old, again=bool(parts.get("again")))


def _owned(statement: str, typed: str) -> Extract | None:
    """`My shoe size is 43`, `my wife's name is Anna`, `Anna's birthday is 9 May`."""
    found = _OWN.fullmatch(typed)
    if found is None:
        return None
    about = noun(found["what"] or found["whose"], mine=found["mine"] is not None)
    if about is not None and about.fits is day:
        found = _OWN_DAY.fullmatch(typed) or found
    told = _told(statement, found, about.subject, about.label, about.fits) if about is not None else None
    if about is None or told is None or len(about.label) > MOST_LABEL or len(about.subject) > MOST_LABEL:
        return None
    before = (found["new"] or "").strip().casefold()
    return replace(told, changed=told.changed or before == "new", called=about.called, before=before)


def _of_many(statement: str, typed: str) -> Extract | None:
    """What one can say many times of different things has the thing in its subject, and the sentence as its value."""
    found = _PREFERS.fullmatch(typed)
    if found is not None:
        things = sorted(statement[slice(*found.span(name))] for name in ("one", "other"))
        if not all(_thing(thing) for thing in things):
            return None
        one, other = (slug(thing) for thing in things)
        path = f"preference.{one}-or-{other}" if one and other and one != other else None
        return _kept(path, " or ".join(things), statement, found)
    for prefix, label, pattern, check in _MANY:
        found = pattern.fullmatch(typed)
        if found is not None:
            thing = statement[slice(*found.span("thing"))]
            name = slug(thing) if check(thing) else None
            return _kept(f"{prefix}.{name}" if name else None, label.format(thing), statement, found)
    return None


def _thing(text: str) -> bool:
    """A word or three for a thing as such: not this one or that one, and no list."""
    words = {word.casefold() for word in words_of(text)}
    return plain(text, _FEW) and "," not in text and words.isdisjoint(_NO_THING)


_MANY: tuple[tuple[str, str, re.Pattern[str], Callable[[str], bool]], ...] = (
    ("health.allergy", "Allergy to {}", _ALLERGY, _thing),
    ("health.allergy", "Allergy to {}", _ALLERGY_TO, _thing),
    ("taste", "{}", _TASTE, _thing),
    ("language", "{}", _SPEAKS, language),
)


def _kept(subject: str | None, label: str, value: str, found: re.Match[str]) -> Extract | None:
    if subject is None or len(label) > MOST_LABEL or len(subject) > MOST_LABEL:
        return None
    again = bool(found.groupdict().get("again"))
    return Extract(subject, label[0].upper() + label[1:], value, again=again)


_NAME = r"[a-z_]\w*(?:(?:\.|::)[a-z_]\w*)*(?:\(\))?"
_OLD, _NEW = rf"(?P<old>`{_NAME}`|{_NAME})", rf"(?P<new>`{_NAME}`|{_NAME})"
_REPLACED = tuple(
    re.compile(pattern, FLAGS)
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
