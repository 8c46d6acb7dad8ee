"""Words are what they are however many threads stem at once: what is indexed and what is recognised hang on them."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from apps.memories.terms import reading_once, words

TEXTS = (
    "running quickly, generously hopping, relational",
    "cats meeting nationalities, flying happily",
    "conditional operators adjusting formalities",
)
THREADS, TIMES = 6, 100


@pytest.fixture
def in_turns() -> Iterator[None]:
    """Threads take turns as often as they can."""
    was = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(was)


def test_each_thread_has_its_own(in_turns: None) -> None:
    alone = [words(each) for each in TEXTS]
    with ThreadPoolExecutor(THREADS) as threads:
        told = list(threads.map(lambda at: words(TEXTS[at % len(TEXTS)]), range(THREADS * TIMES)))
    assert all(found == alone[at % len(TEXTS)] for at, found in enumerate(told))


def test_words_are_the_same_where_a_text_is_read_once() -> None:
    text = " ".join(TEXTS)
    alone = words(text)
    with reading_once():
        assert [words(text), words(text)] == [alone, alone]
