"""What contradicts a kept value is named before it is kept; what merely resembles it is left in peace."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.conflicts import Clash, ClashKind, clash, same_fact
from apps.policy.prints import Print
from tests.policy.written import printed

NEAR = Clash(ClashKind.NEAR_IDENTICAL)
WORDS = st.frozensets(st.integers(0, 12), max_size=8)
PRINTS = st.builds(Print, st.binary(min_size=1, max_size=1), WORDS, st.integers(0, 9), WORDS, st.booleans())


@pytest.mark.parametrize(
    ("said", "kept"),
    [("Alice eats steak", "Alice is a vegetarian"), ("Porto", "Leeds"), ("A+", "A-"), ("3.5", "3,5 kg"), ("…", "?")],
)
def test_under_one_subject_another_value_clashes_whatever_its_words(said: str, kept: str) -> None:
    assert clash(printed(said), printed(kept), same_subject=True) == Clash(ClashKind.SAME_SUBJECT)
    assert clash(printed(said), printed(kept), same_subject=False) is None


@pytest.mark.parametrize("same_subject", [True, False])
def test_the_same_text_does_not_contradict_itself(same_subject: bool) -> None:
    assert clash(printed("LIVES in  Porto."), printed("lives in Porto"), same_subject=same_subject) is None


@pytest.mark.parametrize("same_subject", [True, False])
def test_what_an_edge_declares_holds_whatever_the_words_are(same_subject: bool) -> None:
    declared = clash(printed("eats steak"), printed("vegetarian"), same_subject=same_subject, declared=True)
    assert declared == Clash(ClashKind.DECLARED)


@pytest.mark.parametrize(
    ("said", "kept", "clashes"),
    [
        # numbers and dates
        ("takes 10 mg in the morning", "takes 5 mg in the morning", True),
        ("passport expires on 2026-10-02", "passport expires on 2027-10-02", True),
        ("takes 5 mg every morning", "takes 5 mg in the morning", False),
        ("takes 5 mg every morning since 2019", "takes 5 mg every morning", False),  # more, not other
        ("age 5", "age 7", False),  # one shared word says nothing
        # denial
        ("Anna is not allergic to nuts", "Anna is allergic to nuts", True),
        ("Alice isn’t a vegetarian any longer", "Alice is a vegetarian", True),
        ("not vegan", "vegan", False),
        ("Ben is not allergic to cats", "Anna is allergic to nuts", False),
        # one word for another
        ("the cardiologist in Porto is Dr Costa", "the cardiologist in Porto is Dr Silva", True),
        ("my sister lives in Porto", "my brother lives in Porto", False),
        ("likes tea in the morning", "likes tea in the evening at home", False),
        # no clash: the same in other words, or about something else
        ("in Porto she lives", "she lives in Porto", False),
        ("no oven", "one frying pan, one pot", False),
        ("", "", False),
    ],
)
def test_nearly_the_same_words_clash_where_a_fact_differs(said: str, kept: str, clashes: bool) -> None:
    assert clash(printed(said), printed(kept), same_subject=False) == (NEAR if clashes else None)


@pytest.mark.parametrize(
    ("said", "kept", "same"),
    [
        ("she lives in Porto", "She lives in Porto.", True),
        ("she lives in Porto", "she lives in Faro", False),
        ("never", "never", False),
        ("", "", False),
    ],
)
def test_a_fact_is_the_same_where_it_is_said_in_words_enough(said: str, kept: str, same: bool) -> None:
    assert same_fact(printed(said), printed(kept)) is same


@given(PRINTS, PRINTS, st.booleans(), st.booleans())
def test_a_clash_has_no_direction(one: Print, other: Print, same_subject: bool, declared: bool) -> None:
    there = clash(one, other, same_subject=same_subject, declared=declared)
    assert there == clash(other, one, same_subject=same_subject, declared=declared)


@given(PRINTS, PRINTS)
def test_texts_that_share_no_two_words_clash_under_one_subject_only(one: Print, other: Print) -> None:
    if len(one.words & other.words) < 2:
        assert clash(one, other, same_subject=False) is None
    assert (clash(one, other, same_subject=True) is None) == (one.whole == other.whole)
