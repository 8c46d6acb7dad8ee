"""What a text wants of the file, and which known subject it wants it of."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from apps.policy.owning import CALLED, PEOPLE


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
    of, where the text names it) are cut from the text as written; `label` is for a subject that is not known yet.

    A subject to correct, revert or erase is a known one. A symbol's is made from its name, known or not: that it is
    deprecated is recorded as a correction from `old` to `value`.
    """

    intent: Intent
    subject: str | None
    value: str | None
    label: str | None
    why: str
    old: str | None = None


def named(phrase: str, known: Collection[str]) -> str | None:
    """The one known subject that a phrase names: by another name for it, all its words, or its last ones. What belongs
    to somebody else (`wife.dentist`) is not named by `dentist`, and what has a subject of its own (`number`, a phone
    number) is not the end of any other.
    """
    lower = phrase.casefold()
    called = CALLED.get(lower)
    if called is not None and called[0] in known:
        return called[0]
    allergy = _ALLERGY.fullmatch(lower)
    if allergy is not None:
        path = "health.allergy." + (allergy["to"] or allergy["thing"]).replace(" ", "-")
        return next((each for each in (path, path + "s", path + "es") if each in known), None)
    wanted = re.split(r"'s\s+|[\s_-]+", lower)
    found = [each for each in known if _words(each) == wanted]
    if not found and called is None:
        found = [each for each in known if _ends_with(each, wanted)]
    return found[0] if len(found) == 1 else None


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
