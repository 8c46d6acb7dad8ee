"""Of what people say, most is taken for what it is; and chat is never taken for an erasure or for a way back."""

from collections import Counter

import pytest

from apps.policy.routing import Intent, route
from tests.policy.said import FIRST, KNOWN, Said
from tests.policy.said_later import AFTERWARDS, HELD_OUT

EVERYTHING = [*FIRST, *HELD_OUT, *AFTERWARDS]
# At least so many of a hundred sentences are taken for what they are; and of those that name a subject, so many are
# read whole: subject, value and what it takes the place of.
FLOORS = {
    Intent.ASSERT: (98, 98),
    Intent.CORRECT: (90, 89),
    Intent.REVERT: (98, 98),
    Intent.ECHO: (98, 98),
    Intent.ERASE: (93, 93),
}
# Chat that the rules take for a statement of this subject: what a word means, they do not know.
MISTAKEN = {
    "I'm allergic to Mondays": "health.allergy.mondays",
    "I moved to Marketing": "home.city",
    "I have moved to Python": "home.city",
    "My son is Mr. Popular": "son",
    "My dog is Bavarian": "dog",
}


def whole(said: Said) -> bool:
    """Is everything read off it as it was meant?"""
    found = route(said.text, KNOWN)
    meant = (said.intent or Intent.ASSERT, said.subject, said.value, said.old)
    return (found.intent, found.subject, found.value, found.old) == meant


@pytest.mark.parametrize("intent", FLOORS)
def test_most_of_what_is_meant_is_found(intent: Intent) -> None:
    meant = [each for each in EVERYTHING if each.intent is intent and (intent is not Intent.ASSERT or each.subject)]
    taken = [each for each in meant if route(each.text, KNOWN).intent is intent]
    keyed = [each for each in meant if each.subject is not None]
    read = [each for each in keyed if whole(each)]
    taken_floor, read_floor = FLOORS[intent]
    assert 100 * len(taken) >= taken_floor * len(meant)
    assert 100 * len(read) >= read_floor * len(keyed)


def test_what_is_found_was_meant_but_for_what_is_known_to_be_mistaken() -> None:
    wrong = {}
    for said in EVERYTHING:
        found = route(said.text, KNOWN)
        if found.subject is not None and not whole(said):
            wrong[said.text] = found.subject
    assert wrong == MISTAKEN


def test_nothing_is_erased_or_taken_back_that_was_not_meant_to_be() -> None:
    for said in EVERYTHING:
        found = route(said.text, KNOWN)
        if found.intent in (Intent.ERASE, Intent.REVERT):
            assert (found.intent, found.subject) == (said.intent, said.subject), said.text


def test_where_no_subject_is_found_it_says_so() -> None:
    for said in EVERYTHING:
        found = route(said.text, KNOWN)
        assert found.why.startswith("Not keyed: ") is (found.subject is None), said.text


def test_the_sentences_are_many_and_none_stands_there_twice() -> None:
    counted = Counter(each.text for each in EVERYTHING)
    assert max(counted.values()) == 1
    assert len(counted) > 600
