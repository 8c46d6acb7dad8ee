"""Does a text bring back what was corrected? Recognised by prints alone, so that no value is read for it.

A text that denies what the old value said, or the other way round, is never taken for it in other words: where it is
proposed, a person looks at it by itself. Words are compared as a set: who does what to whom is not seen, and neither
are synonyms, irony or another language's words. What is not surely an echo is none, and meets the rules of conflicts
instead.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from apps.policy.prints import Print

_NONE = Print(b"", frozenset(), 0)
_FEW = 3  # of so few telling words, all have to be there; of more, two thirds


class How(StrEnum):
    """How closely a text restates another: the same tokens, the same words, or its telling words among others; or these
    beside what holds now, or a denial, of which nobody but a person can tell what is meant. Or its label does, however
    closely.
    """

    EXACT = "exact"
    LOOSE = "loose"
    IN_OTHER_WORDS = "in-other-words"
    BESIDE = "beside-what-holds"
    LABEL = "in-its-label"


@dataclass(frozen=True, slots=True)
class Echo:
    """A text restates this retired version."""

    version: int
    how: How


@dataclass(frozen=True, slots=True)
class Confirmed:
    """A text says what holds already."""


@dataclass(frozen=True, slots=True)
class Sieve:
    """What a retired print must have to be an echo at all, so that a store fetches those alone: one of `wholes`; or no
    word that is not among `words`; or one of `new_words` or `new_numbers`, which the current value does not have. Of a
    text that may be read in several ways, what any of them asks for."""

    wholes: frozenset[bytes]
    words: frozenset[int]
    new_words: frozenset[int]
    new_numbers: frozenset[int]

    def passes(self, old: Print) -> bool:
        """May this one be an echo? What does not pass is none."""
        if old.whole in self.wholes or not old.words.isdisjoint(self.new_words):
            return True
        return (bool(old.words) and old.words <= self.words) or not old.numbers.isdisjoint(self.new_numbers)


def sieve(candidate: Print, current: Print | None) -> Sieve:
    """What to look for among the retired values of the current one's subject."""
    now = current if current is not None else _NONE
    words = frozenset[int]().union(*(each.words for each in candidate.read))
    numbers = frozenset[int]().union(*(each.numbers for each in candidate.read))
    return Sieve(frozenset(each.whole for each in candidate.read), words, words - now.words, numbers - now.numbers)


def echo_of(
    candidate: Print, current: Print | None, retired: Mapping[int, Print], *, beside: bool = False
) -> Echo | Confirmed | None:
    """What a candidate is to a subject's current value (None: ended, nothing took its place) and to its retired ones,
    by version. Confirmed only where it is the current value token by token; else the echo of the closest kind, of the
    latest version where several fit; else None: something new. A candidate that may be read in several ways is what any
    of them is.
    """
    if current is not None and any(each.whole == current.whole for each in candidate.read):
        return Confirmed()
    passed = sieve(candidate, current).passes
    latest_first = sorted((version for version, old in retired.items() if passed(old)), reverse=True)
    for how, fits in (RULES | BESIDE if beside else RULES).items():
        for version in latest_first:
            if any(fits(each, current, retired[version]) for each in candidate.read):
                return Echo(version, how)
    return None


def same(one: Print, other: Print) -> bool:
    """Do they say the same, token by token or in the same words?"""
    return any(_exact(each, None, other) or _loose(each, None, other) for each in one.read)


def restates(one: Print, other: Print, current: Print | None) -> bool:
    """Does one of two bring the other back, whichever was said first, where this holds? Not what says what holds."""
    there_and_back = (echo_of(one, current, {1: other}), echo_of(other, current, {1: one}))
    return isinstance(there_and_back[0], Echo) or (there_and_back[0] is None and isinstance(there_and_back[1], Echo))


def _exact(candidate: Print, _: Print | None, old: Print) -> bool:
    return candidate.whole == old.whole


def _loose(candidate: Print, current: Print | None, old: Print) -> bool:
    """The same words, numbers and denial; where the current value has them too, they tell nothing."""
    said = _said(old)
    return bool(old.words) and _said(candidate) == said and (current is None or _said(current) != said)


def _said(of: Print) -> tuple[frozenset[int], frozenset[int], bool]:
    return of.words, of.numbers, of.negated


def _in_other_words(candidate: Print, current: Print | None, old: Print) -> bool:
    if candidate.negated != old.negated:
        return False
    now = current if current is not None else _NONE
    if _says_of(now, old, candidate):
        return False
    telling = old.words - now.words
    if telling:
        return _tells(candidate, old, telling) or _same_long_number(candidate, now, old)
    turned = current is not None and current.negated != old.negated
    tells = turned or (bool(old.numbers - now.numbers) and old.numbers <= candidate.numbers)
    return tells and bool(old.words) and old.words <= candidate.words


def _beside(candidate: Print, current: Print | None, old: Print) -> bool:
    """Does it say what the old value alone said, whatever it says besides of what holds; or where it denies something,
    and what holds denies nothing? *In Leeds, no doubt* is no denial of Leeds."""
    now = current if current is not None else _NONE
    words, numbers = old.words - now.words, old.numbers - now.numbers
    told = bool(words or numbers) and words <= candidate.words and numbers <= candidate.numbers
    denies = candidate.negated and not (old.negated or now.negated)
    return told and (denies or _says_of(now, old, candidate))


def _says_of(now: Print, old: Print, candidate: Print) -> bool:
    """Does it say something that holds now, and that the old value did not say?"""
    words, numbers = now.words - old.words, now.numbers - old.numbers
    return not (candidate.words.isdisjoint(words) and candidate.numbers.isdisjoint(numbers))


def _tells(candidate: Print, old: Print, telling: frozenset[int]) -> bool:
    """Are the words that only the old value had in the candidate? Where some are missing, no number may be another."""
    found = telling & candidate.words
    if found == telling:
        return True
    return len(telling) > _FEW and 3 * len(found) >= 2 * len(telling) and candidate.numbers == old.numbers


def _same_long_number(candidate: Print, now: Print, old: Print) -> bool:
    """A phone number in other groups shares no word with itself, only its number. A short one is a word as well."""
    telling, long = old.numbers - now.numbers, candidate.numbers if candidate.long is None else candidate.long
    return bool(telling) and telling <= long


RULES = {How.EXACT: _exact, How.LOOSE: _loose, How.IN_OTHER_WORDS: _in_other_words}  # the closest first
BESIDE = {How.BESIDE: _beside}  # of what is proposed alone
