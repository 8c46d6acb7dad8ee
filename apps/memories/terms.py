"""Words for search, in any script: folded, stemmed, and keyed before they leave the process.

The index holds HMACs under the vault's index key, never words: equal words match, nothing can be read back.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

import Stemmer

from apps.ledger.tickets import Keyed
from apps.policy.looks import UNSPACED

_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_UNSPACED = re.compile(rf"[{UNSPACED}]+")  # matched by pairs of characters
T = TypeVar("T")
_READ: ContextVar[dict[tuple[object, str], Any] | None] = ContextVar("read", default=None)
STOP = frozenset(
    "a about after all also am an and any are as at be because been but by can could did do does for from get got had"
    " has have he her here him his how i if in into is it its just like me more my no not now of on or our out over she"
    " should so some such than that the their them then there these they this to too up us very was we were what when"
    " where which while who why will with would you your".split()
)


@contextmanager
def reading_once() -> Iterator[None]:
    """Within it nothing is read `once` more than that. It is forgotten at its end: by the time that it takes, nobody
    learns what others said before.
    """
    read = _READ.set({})
    try:
        yield
    finally:
        _READ.reset(read)


def once(make: Callable[[str], T], text: str) -> T:
    """What is made of a text, within `reading_once` made but once."""
    read = _READ.get()
    if read is None:
        return make(text)
    if (make, text) not in read:
        read[make, text] = make(text)
    made: T = read[make, text]
    return made


def words(text: str) -> Sequence[str]:
    """The text's words as they are compared: case and accents folded, stemmed, stop words dropped."""
    return once(_words, text)


def _words(text: str) -> list[str]:
    stemmer = Stemmer.Stemmer("english", 0)  # it keeps no words, but that which it is at: no two threads may share one
    folded = unicodedata.normalize("NFKD", text.casefold().replace("ß", "ss"))
    folded = "".join(c for c in folded if not unicodedata.combining(c))
    folded = unicodedata.normalize("NFKC", folded)
    found: list[str] = []
    for run in _UNSPACED.findall(folded):
        found += [run[i : i + 2] for i in range(len(run) - 1)] or [run]
    for word in _WORD.findall(_UNSPACED.sub(" ", folded)):
        if word not in STOP:
            found.append(stemmer.stemWord(word))
    found += [c for c in folded if unicodedata.category(c) == "So"]
    return found


def keyed(index_key: bytes, terms: Iterable[str]) -> list[int]:
    """Each word as a signed 64-bit number under the vault's index key."""
    under = Keyed(index_key)
    return [int.from_bytes(under.digest(term.encode())[:8], "big", signed=True) for term in terms]


def document(index_key: bytes, *texts: str) -> tuple[list[int], list[int]]:
    """A memory's keyed words and how often each stands in it (at most 32,767)."""
    counts = Counter(keyed(index_key, [word for text in texts for word in words(text)]))
    return list(counts), [min(count, 32767) for count in counts.values()]
