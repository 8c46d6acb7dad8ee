"""What does a question need? Decided from labels alone; a special category only by its name."""

import json
import re
from collections.abc import Sequence
from uuid import UUID

from apps.policy.types import Label
from apps.policy.vocabulary import Category

MOST_OFFERED = 8

# Words by which a question bears on a special category. They name the category, never a memory.
_HINTS: dict[Category, str] = {
    Category.HEALTH: "allerg cook diet dinner doctor drug eat food health hospital ill lunch meal medic pain pregnan"
    " recipe sick symptom therap",
    Category.BELIEF: "church faith fast mosque pray prayer religio ritual synagogue temple",
    Category.POLITICAL_OPINION: "ballot election party politic vote",
    Category.TRADE_UNION: "strike union",
    Category.SEX_LIFE: "contracepti dating intimac sexual",
    Category.GENETIC: "ancestry dna gene genetic hereditary",
    Category.BIOMETRIC: "biometric face fingerprint iris",
    Category.ETHNIC_ORIGIN: "ethnic nationality origin",
    Category.CRIMINAL_RECORD: "convict court criminal offence sentence",
}


def hinted(question: str) -> frozenset[Category]:
    """The special categories that a question's words bear on."""
    words = re.findall(r"[^\W\d_]+", question.lower())
    return frozenset(
        category
        for category, stems in _HINTS.items()
        if any(word.startswith(stem) for stem in stems.split() for word in words)
    )


def chosen_by_model(text: str, labels: Sequence[Label]) -> tuple[UUID, ...] | None:
    """The memories a model's reply names, at most eight, in its order; None when it is no such reply.

    Whatever else it says is nothing: only numbers of labels it was shown count, and nothing is read before the holder
    decides.
    """
    found = re.search(r"\[[\d\s,]*\]", text)
    if not found:
        return None
    try:
        numbers = json.loads(found[0])
    except ValueError:
        return None
    ids = [labels[number - 1].memory_id for number in numbers if 1 <= number <= len(labels)]
    return tuple(dict.fromkeys(ids))[:MOST_OFFERED]
