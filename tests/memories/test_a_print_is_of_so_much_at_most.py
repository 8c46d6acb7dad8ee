"""A print of the longest text is no larger than that of a page: so many words and numbers are in it, and no more."""

import itertools

import pytest

from apps.memories import prints
from apps.memories.keys import VaultKey
from apps.policy.text import MOST_VALUE_BYTES

KEY = VaultKey(1, bytes(32), bytes(range(32)))
TEXTS = {
    "words": " ".join(map("".join, itertools.product("abdfgk", repeat=4))),
    "numbers": " or ".join(map(str, range(2000))),
    "long": "; ".join(f"+351 21 {each:07}" for each in range(3000)),
}


@pytest.mark.parametrize("what", TEXTS)
def test_so_many_are_in_it(what: str) -> None:
    assert len(TEXTS[what]) <= MOST_VALUE_BYTES
    kept = getattr(prints.of(KEY, TEXTS[what]), what)
    assert len(kept) == prints.MOST_WORDS
