"""Two answers side by side: which sentences of the later one are new."""

import re
from dataclasses import dataclass

_END = re.compile(r"(?<=[.!?…。！？])\s+|\n+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the later answer; `changed` when the earlier one does not have it."""

    text: str
    changed: bool


def sentences(text: str) -> list[str]:
    """The text's sentences, in order, without blanks around them."""
    return [each.strip() for each in _END.split(text) if each.strip()]


def compare(earlier: str, later: str) -> tuple[Sentence, ...]:
    """The later answer's sentences, each marked changed or not."""
    before = set(sentences(earlier))
    return tuple(Sentence(each, each not in before) for each in sentences(later))
