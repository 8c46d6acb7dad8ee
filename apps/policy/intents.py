"""What a text wants of the file, and which known subject it wants it of."""

import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from apps.policy.extracting import Extract
from apps.policy.owning import CALLED, PEOPLE
from apps.policy.shapes import FLAGS, spelled


class Intent(StrEnum):
    """What a text wants of the file: keep it, put it right, take the former value back, say it again, or erase."""

    ASSERT = "assert"
    CORRECT = "correct"
    REVERT = "revert"
    ECHO = "echo"
    ERASE = "erase"


@dataclass(frozen=True, slots=True)
class Routed:
    """A text as a proposal. `subject` None: not keyed, and `why` says so. `value` and `old` (what it takes the place
    of, where the text names it) are cut from the text as written; `label` is for a subject that is not known yet, or as
    a known one is called. `more`: what else of the text is a value.

    A subject to correct, revert or erase is a known one. A symbol's is made from its name, known or not: that it is
    deprecated is recorded as a correction from `old` to `value`.
    """

    intent: Intent
    subject: str | None
    value: str | None
    label: str | None
    why: str
    old: str | None = None
    more: tuple[str, ...] = field(default=(), compare=False)


def named(phrase: str, known: Collection[str], before: str = "") -> str | None:
    """The one known subject that a phrase names; None where it names none, or where two could be meant."""
    found = meant(phrase, known, before)
    return found[0] if len(found) == 1 else None


def as_known(found: Extract | None, known: Collection[str]) -> Extract | None:
    """Under the known subject that it calls by its name, if there is one; None where two could be meant."""
    if found is None or found.called is None:
        return found
    subjects = meant(found.called, known, found.before)
    if not subjects:
        return found
    label = known[subjects[0]] if isinstance(known, Mapping) else found.label
    return replace(found, subject=subjects[0], label=label) if len(subjects) == 1 else None


def meant(phrase: str, known: Collection[str], before: str = "") -> list[str]:
    """Every known subject that a phrase may mean: those that are called so word for word, or, where none is, by another
    name for it, or its last words. What belongs to somebody else (`wife.dentist`) is not named by `dentist`, and what
    has a subject of its own (`number`, a phone number) is not the end of any other. `before`: the word that stands
    before the phrase, and may be a part of the name (`my new address`).
    """
    exact = exactly(phrase, known)
    if before:
        exact += [each for each in exactly(f"{before} {phrase}", known) if each not in exact]
    if exact:
        return exact
    lower = phrase.casefold()
    called = CALLED.get(lower)
    if called is not None and called[0] in known:
        return [each for each in known if each == called[0] or _goes_by(called[0], each, known)]
    allergy = _ALLERGY.fullmatch(lower)
    if allergy is not None:
        path = "health.allergy." + (allergy["to"] or allergy["thing"]).replace(" ", "-")
        return [each for each in (path, path + "s", path + "es") if each in known][:1]
    return [each for each in known if _ends_with(each, _said(phrase))] if called is None else []


def exactly(phrase: str, known: Collection[str]) -> list[str]:
    """Those that are called so, word for word: by the label that was shown, where `known` has labels, or by subject."""
    wanted = _said(phrase)
    return [each for each in known if wanted in _names(each, known)]


def _names(subject: str, known: Collection[str]) -> list[list[str]]:
    """A subject and its label, as words that may be said."""
    label = [_said(known[subject])] if isinstance(known, Mapping) else []
    return [_said(subject.replace(".", " ")), *label]


def _said(name: str) -> list[str]:
    """The words of a name, in whatever letters and with whatever between them; whose it is (*my*) says nothing."""
    lower = unicodedata.normalize("NFC", spelled(name).strip()).casefold()
    return _BETWEEN.split(re.sub(r"\Amy[\s_-]+", "", lower))


def _goes_by(called: str, subject: str, known: Collection[str]) -> bool:
    """Is it called by another name of what stands under `called`?"""
    return any(_GROUPS.get(tuple(each)) == called for each in _names(subject, known))


_BETWEEN = re.compile(r"'s\s+|[\s_-]+", FLAGS)
_GROUPS = {tuple(_said(name)): subject for name, (subject, _) in CALLED.items()}
_ALLERGY = re.compile(r"allergy to (?P<to>.+)|(?P<thing>.+) allergy")


def _words(subject: str) -> list[str]:
    return re.split(r"[._-]+", subject)


def _ends_with(subject: str, wanted: list[str]) -> bool:
    """Are they the last parts of its path, and is the rest no person?"""
    parts = subject.split(".")
    return any(
        _words(".".join(parts[at:])) == wanted and PEOPLE.isdisjoint(_words(".".join(parts[:at])))
        for at in range(1, len(parts))
    )
