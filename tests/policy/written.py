"""Prints for the rules' tests, made of texts as the vault makes them of values, under a key of the tests' own."""

from dataclasses import replace

from apps.memories.terms import keyed, words
from apps.policy import prints
from apps.policy.forms import forms, usual, ways

_KEY = bytes(32)


def printed(text: str) -> prints.Print:
    """A text's print, and those of all else that it may be read as."""
    plain, *others = map(as_written, ways(text, usual(text)))
    more = forms(text)
    told = (keyed(_KEY, each) for each in (words(more), prints.numbers_of_each(more)))
    return replace(plain, also=tuple(others)).with_forms(*map(frozenset, told))


def as_written(text: str) -> prints.Print:
    """The print of its letters, whatever they look like."""
    return prints.Print(
        whole=keyed(_KEY, [prints.whole(text)])[0].to_bytes(8, "big", signed=True),
        words=frozenset(keyed(_KEY, words(text))),
        length=len(prints.tokens(text)),
        numbers=frozenset(keyed(_KEY, prints.numbers(text))),
        negated=prints.negated(text),
        long=frozenset(keyed(_KEY, [each for each in prints.numbers(text) if prints.is_long(each)])),
    )
