"""Would this contradict what is kept? Said before anything commits, shown side by side, never resolved by itself.

Two texts about different subjects clash where they say nearly the same words and differ in a fact: a number or date, a
denial, or one word that stands for another. Names are not known to be names: whether `Silva` for `Costa` is another
doctor or another patient cannot be told from words, so it takes a longer text around them. Meaning is not seen at all:
*eats steak* and *is a vegetarian* clash only under one subject, or where an edge says so.
"""

from dataclasses import dataclass
from enum import StrEnum

from apps.policy.prints import Print

_SHARED = 2  # so many words are in both, and half of all words that either says
_AROUND = 3  # so many, where neither a number nor a denial differs
_MORE = 3  # `isn't` and `any longer` are words too


class ClashKind(StrEnum):
    """Why two values are shown side by side."""

    SAME_SUBJECT = "same-subject"
    DECLARED = "declared"  # a `contradicts` edge joins them
    NEAR_IDENTICAL = "near-identical"
    SUGGESTED = "suggested"  # another suggestion that waits says otherwise


@dataclass(frozen=True, slots=True)
class Clash:
    """A candidate and a kept value do not go together."""

    kind: ClashKind


def clash(candidate: Print, other: Print, *, same_subject: bool, declared: bool = False) -> Clash | None:
    """Do the two contradict each other? `other` is an approved memory's current value; `same_subject`: the candidate is
    meant for its subject; `declared`: somebody drew a `contradicts` edge. The same text twice is no contradiction.
    """
    if declared:
        return Clash(ClashKind.DECLARED)
    if candidate.whole == other.whole:
        return None
    if same_subject:
        return Clash(ClashKind.SAME_SUBJECT)
    near = (
        _denies(candidate, other)
        or _denies(other, candidate)
        or (_alike(candidate, other) and _differ(candidate, other))
    )
    return Clash(ClashKind.NEAR_IDENTICAL) if near else None


def same_fact(candidate: Print, other: Print) -> bool:
    """Do the two say one and the same, in so many words that it is no chance? A *yes* under two subjects is none."""
    return len(other.words) >= _SHARED and any(each.whole == other.whole for each in candidate.read)


def _alike(one: Print, other: Print) -> bool:
    shared, either = len(one.words & other.words), len(one.words | other.words)
    return shared >= _SHARED and 2 * shared >= either


def _denies(one: Print, other: Print) -> bool:
    """Does the first deny what the second says, in its words and few more?"""
    more = len(one.words) - len(other.words)
    return (
        one.negated and not other.negated and len(other.words) >= _SHARED and one.words >= other.words and more <= _MORE
    )


def _differ(one: Print, other: Print) -> bool:
    """Each says a number that the other does not; or one denies; or one word of each stands for one of the other's."""
    if one.numbers - other.numbers and other.numbers - one.numbers:
        return True
    if one.negated != other.negated:
        return True
    swapped = len(one.words - other.words) == len(other.words - one.words) == 1 and one.numbers == other.numbers
    return swapped and len(one.words & other.words) >= _AROUND and abs(one.length - other.length) <= 1
