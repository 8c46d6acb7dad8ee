"""What a proposal's own words tell, whatever is kept: marked when it is made, at the same cost for each. And what it
takes over from where it comes from.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from apps.policy.looks import mixed
from apps.policy.proposals import Mark
from apps.policy.special import suggests_special
from apps.policy.text import hides
from apps.policy.types import Memory
from apps.policy.vocabulary import Category, MarkKind, State


def of_itself(subject: str, label: str, value: str, around: Sequence[str]) -> tuple[Mark, ...]:
    """The marks of what is said under this subject and label; `around`: what its client says for it, which may tell as
    much. Of which category the words tell is not written down: marks are in clear.
    """
    texts = (label, value, *around)
    found = {
        MarkKind.HIDDEN: any(map(hides, texts)),
        MarkKind.LOOKALIKE: any(map(mixed, texts)),
        MarkKind.ALONE: suggests_special(subject, *texts),
    }
    return tuple(Mark(kind) for kind, noticed in found.items() if noticed)


class Source(StrEnum):
    """How a proposal comes from what is kept apart: it was made from it, however far back; or it says the same."""

    MADE_FROM = "made-from"
    SAYS_THE_SAME = "says-the-same"


def apart(memory: Memory) -> bool:
    """Is it kept apart from what is ordinary? Whoever approves what comes from it says what that is to be."""
    return memory.category.special or memory.attested or memory.state is State.SEALED


def kept_close(memory: Memory) -> bool:
    """Does what comes from it take something over: that it is apart, or that it stays at home?"""
    return apart(memory) or memory.local_only


def inherited(sources: Iterable[Memory]) -> Category:
    """The category that what comes from these would be of, unless its approver says otherwise."""
    return next((each.category for each in sources if each.category.special), Category.ORDINARY)
