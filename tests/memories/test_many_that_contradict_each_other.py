"""Of many suggestions that say otherwise a few are named, and how many more there are is said: wherever the holder
looks, and whichever of them go.
"""

from typing import Any

import pytest

from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.proposals import Proposal
from apps.policy.rivals import MOST
from apps.policy.types import Memory, Refused
from apps.policy.vocabulary import Refusal
from tests.cast import Assistant, Vault
from tests.drivers import Http
from tests.memories.test_proposals_as_others_see_them import guardian_of
from tests.memories.test_what_comes_from_what_is_kept_apart import add, alone, among_many, correct
from tests.surfaces.web import browser, text_of
from vault.clock import utc_now

LEFT = [("needs-attention", "conflict")]
TOWNS = "Porto Faro Braga Lisboa Evora Aveiro Sines Tomar Silves Lagos Beja Viseu".split()


@pytest.fixture
def towns(alice: Vault, cook: Assistant) -> list[Proposal]:
    """Twelve suggestions of the town, each another one."""
    return [add(cook, each, subject="home.town") for each in TOWNS]


def told(vault: Vault, made: Proposal) -> tuple[int, int]:
    """How many others its marks name, and how many more there are."""
    found = vault.noticed(made)
    return len([each for each in found.marks if each.beside]), found.more_rivals


def test_eight_are_named_and_the_others_counted(alice: Vault, towns: list[Proposal]) -> None:
    assert {told(alice, each) for each in towns} == {(MOST, len(TOWNS) - 1 - MOST)}
    assert {each.rivals for each in memories.proposals(alice.holder)} == {len(TOWNS) - 1}
    assert among_many(alice, *towns) == LEFT * len(TOWNS)


def test_over_rest_and_on_the_page(alice: Vault, towns: list[Proposal]) -> None:
    http, path = Http(holder=alice.holder), f"proposals/{typed('prp', towns[0].proposal_id)}"
    for found in (http.call("GET", path), http.call("GET", "proposals")["items"][0]):
        assert (len(found["marks"]), found["more_rivals"]) == (MOST, 3)
    shown = http.call("POST", "proposals/show", {"proposals": [typed("prp", towns[0].proposal_id)]})
    assert shown["proposals"][0]["proposal"]["more_rivals"] == 3
    page = text_of(browser(alice.holder).get("/inbox"))
    assert page.count("11 other suggestions say otherwise. Look at all of them, then decide.") == len(TOWNS)


def test_when_those_that_were_named_go_others_are(alice: Vault, towns: list[Proposal]) -> None:
    first = towns[0]
    while (found := alice.noticed(first)).rivals:
        for each in found.marks:
            assert each.beside is not None
            memories.reject(alice.holder, each.beside, utc_now())
        left = len(memories.proposals(alice.holder)) - 1
        assert alice.noticed(first).rivals == left
        assert among_many(alice, first) == (LEFT if left else [("applied", "")])


def test_two_that_are_left_say_that_there_is_another(alice: Vault, towns: list[Proposal]) -> None:
    for each in towns[2:]:
        memories.reject(alice.holder, each.proposal_id, utc_now())
    assert [told(alice, each) for each in towns[:2]] == [(1, 0), (1, 0)]
    page = text_of(browser(alice.holder).get("/inbox"))
    assert page.count("Another suggestion says otherwise. Look at both, then decide.") == 2


@pytest.mark.parametrize("looked", [True, False])
def test_a_blind_yes_is_told_of_those_that_were_named_later_too(
    alice: Vault, cook: Assistant, towns: list[Proposal], looked: bool
) -> None:
    first = towns[0]
    memories.catch_up(alice.id)
    for each in towns[2:]:
        memories.withdraw(cook.caller, each.proposal_id, utc_now())
    if not looked:
        assert alone(alice, first) == Refused(Refusal.NOTICED_SINCE)
    else:
        memories.tell(alice.holder, [alice.noticed(first)])
    alice.noticed(first)
    assert isinstance(alone(alice, first), Memory)


def test_corrections_of_one_memory_are_counted_and_those_that_say_the_same_are_not(
    alice: Vault, cook: Assistant, clinic: Assistant
) -> None:
    time = alice.ids["time"]
    made = [correct(cook, time, each) for each in TOWNS]
    same = correct(clinic, time, TOWNS[0])
    assert told(alice, made[0]) == told(alice, same) == (MOST, len(TOWNS) - 1 - MOST)


def test_what_is_about_something_sealed_is_in_no_guardian_s_number(alice: Vault, cook: Assistant) -> None:
    guardian, rent = guardian_of(alice), "The flat rent is {} euros"
    there = add(cook, rent.format(900), subject="home.rent")
    others = [add(cook, rent.format(901 + each), subject=f"rent.number{each}") for each in range(9)]
    hidden = [correct(cook, alice.ids[name], rent.format(n)) for n, name in ((950, "dislikes"), (960, "time"))]
    assert told(alice, there) == (MOST, 3)
    for name in ("dislikes", "time"):
        memories.seal_from_guardians(alice.holder, alice.ids[name], utc_now())
    theirs: Any = memories.proposal(guardian, there.proposal_id)
    assert theirs.rivals == len(others)
    assert not {each.beside for each in theirs.marks} & {each.proposal_id for each in hidden}
    assert alice.noticed(there).rivals == len(others) + len(hidden)


def test_what_says_otherwise_stands_beside_it_with_its_words_and_whose_they_are(
    alice: Vault, cook: Assistant, clinic: Assistant
) -> None:
    one = add(cook, "The flat rent is 900 euros", subject="home.rent", label="Rent")
    two = add(clinic, "The flat rent is 950 euros", subject="notes.flat", label="Flat")
    mine, first, second = browser(alice.holder), *(typed("prp", each.proposal_id) for each in (one, two))
    page = text_of(mine.get("/inbox"))
    assert f"Otherwise says: Flat, by {clinic.caller.client.name}</p>" in page
    assert f"Otherwise says: Rent, by {cook.caller.client.name}</p>" in page
    page = text_of(mine.post("/inbox/show", {"proposal": [first]}))
    assert "What another suggestion says" in page and "The flat rent is 950 euros" in page
    both = text_of(mine.post("/inbox/show", {"proposal": [first, second]}))
    assert "What another suggestion says" not in both and "The flat rent is 950 euros" in both, "it has a card there"
    shown = Http(holder=alice.holder).call("POST", "proposals/show", {"proposals": [first]})
    assert shown["candidates"] == {first: "The flat rent is 900 euros", second: "The flat rent is 950 euros"}
    assert shown["values"] == []
    assert len(alice.receipts(kind="value.shown")) == 6, "each look at each is stamped"
    memories.reject(alice.holder, two.proposal_id, utc_now())
    assert "Otherwise says" not in text_of(mine.get("/inbox"))


def test_what_is_about_something_sealed_stands_beside_nothing_for_a_guardian(alice: Vault, cook: Assistant) -> None:
    guardian = guardian_of(alice)
    there = add(cook, "The flat rent is 900 euros", subject="home.rent")
    correct(cook, alice.ids["dislikes"], "The flat rent is 950 euros")
    memories.seal_from_guardians(alice.holder, alice.ids["dislikes"], utc_now())
    found = memories.proposal(guardian, there.proposal_id)
    assert found is not None
    (beside,) = memories.beside(guardian, [found])
    assert beside.rivals == () and len(memories.show_beside(guardian, [beside]).values) == 1
    (own,) = memories.beside(alice.holder, [alice.noticed(there)])
    assert len(own.rivals) == 1 and len(memories.show_beside(alice.holder, [own]).values) >= 2
