"""What contradicts a suggestion is noticed on the day of the decision too, and between suggestions that wait."""

from typing import Any

import pytest

from apps.memories import services as memories
from apps.memories.services import linking
from apps.policy.links import EdgeKind
from apps.policy.types import Memory, Proposal, Refused
from apps.policy.vocabulary import Directive, MarkKind, Refusal
from tests.cast import Assistant, Vault
from tests.memories.test_proposals_as_others_see_them import guardian_of
from tests.memories.test_what_comes_from_what_is_kept_apart import add, alone, among_many, correct
from vault.clock import utc_now

SAID, OTHERWISE = "The flat rent is 900 euros", "The flat rent is 950 euros"
LEFT = [("needs-attention", MarkKind.CONFLICT.value)]


def told(vault: Vault, made: Proposal) -> list[tuple[str, str]]:
    return [(each.kind.value, each.how) for each in vault.noticed(made).marks]


# ---------------------------------------------------------------- written since
def test_what_is_written_since_is_left_out_of_many_and_shown_before_the_yes(alice: Vault, cook: Assistant) -> None:
    made = add(cook, SAID)
    assert told(alice, made) == []
    alice.keep("rent", OTHERWISE, subject="home.rent")
    assert among_many(alice, made) == LEFT
    assert told(alice, made) == [("conflict", "near-identical")]
    assert among_many(alice, made) == LEFT, "and the second time"
    assert isinstance(alone(alice, made), Memory), "it was shown"


def test_a_yes_by_itself_shows_it_first(alice: Vault, cook: Assistant) -> None:
    made = add(cook, SAID)
    assert told(alice, made) == []
    alice.keep("rent", OTHERWISE, subject="home.rent")
    assert alone(alice, made, revision=1) == Refused(Refusal.NOTICED_SINCE)
    assert told(alice, made) == [("conflict", "near-identical")]
    found = memories.proposal(alice.holder, made.proposal_id)
    assert found is not None and found.revision == 1, "its client is told by no revision that something is kept"
    assert isinstance(alone(alice, made, revision=1), Memory)


def test_a_correction_meets_what_was_written_since_and_an_edge_that_was_drawn(alice: Vault, cook: Assistant) -> None:
    made = correct(cook, alice.ids["time"], SAID)
    assert told(alice, made) == []
    rent = alice.keep("rent", OTHERWISE, subject="home.rent")
    linking.draw(alice.holder, EdgeKind.CONTRADICTS, alice.ids["time"], alice.ids["dislikes"], utc_now())
    assert among_many(alice, made) == LEFT
    marks = alice.noticed(made).marks
    assert {(each.memory_id, each.how) for each in marks} == {
        (rent, "near-identical"),
        (alice.ids["dislikes"], "declared"),
    }


def test_what_was_put_back_since_is_met_too(alice: Vault, cook: Assistant) -> None:
    rent = alice.keep("rent", OTHERWISE, subject="home.rent")
    memories.put_away(alice.holder, rent, utc_now())
    made = add(cook, SAID)
    assert told(alice, made) == []
    memories.put_back(alice.holder, rent, utc_now())
    assert among_many(alice, made) == LEFT


def test_what_shares_words_and_contradicts_nothing_is_in_no_way(alice: Vault, cook: Assistant) -> None:
    made = add(cook, SAID)
    alice.keep("garden", "The garden behind the flat has pears and a swing", subject="home.garden")
    assert among_many(alice, made) == [("applied", "")]


# ---------------------------------------------------------------- said twice
def test_the_same_fact_under_another_subject_is_confirmed(alice: Vault, cook: Assistant) -> None:
    rent = alice.keep("rent", SAID, subject="home.rent")
    made = add(cook, SAID)
    (mark,) = alice.noticed(made).marks
    assert (mark.kind, mark.memory_id) == (MarkKind.CONFIRMED, rent)
    assert among_many(alice, made) == [("needs-attention", MarkKind.CONFIRMED.value)]


def test_so_it_is_where_it_was_written_since(alice: Vault, cook: Assistant) -> None:
    made = add(cook, SAID)
    alice.keep("rent", SAID, subject="home.rent")
    assert among_many(alice, made) == [("needs-attention", MarkKind.CONFIRMED.value)]
    assert told(alice, made) == [("confirmed", "")]


def test_a_single_word_under_two_subjects_is_no_fact_said_twice(alice: Vault, cook: Assistant) -> None:
    alice.keep("meat", "Never", subject="eating.meat")
    made = add(cook, "Never")
    assert told(alice, made) == [] and among_many(alice, made) == [("applied", "")]


# ---------------------------------------------------------------- two that wait
def pair(one: Assistant, two: Assistant, first: str, second: str, **words: Any) -> tuple[Proposal, Proposal]:
    return add(one, first, **words), add(two, second, **{"subject": "notes.two", **words})


def test_two_that_contradict_each_other_name_each_other_and_neither_is_one_of_many(
    alice: Vault, cook: Assistant, clinic: Assistant
) -> None:
    one, two = pair(cook, clinic, SAID, OTHERWISE)
    assert among_many(alice, one, two) == LEFT * 2
    assert [each.memory_id for each in alice.noticed(one).marks] == [two.memory_id]
    assert [each.memory_id for each in alice.noticed(two).marks] == [one.memory_id]


def test_one_that_was_compared_long_ago_is_marked_too(alice: Vault, cook: Assistant, clinic: Assistant) -> None:
    one = add(cook, SAID)
    assert told(alice, one) == []
    two = add(clinic, OTHERWISE, subject="notes.two")
    assert told(alice, two) == told(alice, one) == [("conflict", "suggested")]
    assert among_many(alice, one) == LEFT


def test_two_for_one_subject_and_two_corrections_of_one_memory_are_such(
    alice: Vault, cook: Assistant, clinic: Assistant
) -> None:
    subject = "home.city"
    assert among_many(alice, *pair(cook, clinic, "Porto", "Faro", subject=subject)) == LEFT * 2
    time = alice.ids["time"]
    assert among_many(alice, correct(cook, time, "Forty minutes"), correct(clinic, time, "An hour")) == LEFT * 2


def test_two_that_say_the_same_and_two_that_say_other_things_are_none(
    alice: Vault, cook: Assistant, clinic: Assistant
) -> None:
    one, two = pair(cook, clinic, SAID, "Pears grow behind the house")
    same = add(clinic, SAID, subject="notes.one")
    assert [told(alice, each) for each in (one, two, same)] == [[], [], []]


def test_what_is_about_something_sealed_is_named_to_no_guardian(
    alice: Vault, cook: Assistant, clinic: Assistant
) -> None:
    guardian, dislikes = guardian_of(alice), alice.ids["dislikes"]
    hidden, there = correct(cook, dislikes, SAID), add(clinic, OTHERWISE)
    assert told(alice, there) == [("conflict", "suggested")]
    memories.seal_from_guardians(alice.holder, dislikes, utc_now())
    theirs = memories.proposal(guardian, there.proposal_id)
    assert theirs is not None and theirs.marks == ()
    assert memories.proposal(guardian, hidden.proposal_id) is None


def test_the_client_sees_nothing_of_it(alice: Vault, cook: Assistant, clinic: Assistant) -> None:
    before = add(cook, SAID)
    add(clinic, OTHERWISE, subject="notes.two")
    assert told(alice, before) == [("conflict", "suggested")]
    mine = memories.own_proposal(cook.caller, before.proposal_id)
    assert mine is not None and (mine.revision, mine.status) == (before.revision, before.status)
    assert mine.directive is Directive.ADD


def test_one_that_goes_leaves_no_mark_on_the_other(alice: Vault, cook: Assistant, clinic: Assistant) -> None:
    for end in ("rejected", "withdrawn", "approved"):
        subject = f"home.{end}"
        one, two = pair(cook, clinic, "Porto", "Faro", subject=subject)
        assert told(alice, two) == told(alice, one) == [("conflict", "suggested")]
        if end == "rejected":
            memories.reject(alice.holder, one.proposal_id, utc_now())
        elif end == "withdrawn":
            memories.withdraw(cook.caller, one.proposal_id, utc_now())
        else:
            assert isinstance(alone(alice, one, subject="some.where"), Memory)
        assert told(alice, two) == [], end
        assert among_many(alice, two) == [("applied", "")], end


def test_of_three_the_mark_on_the_one_that_waits_still_stays(alice: Vault, cook: Assistant, clinic: Assistant) -> None:
    time = alice.ids["time"]
    first, second = correct(cook, time, "Forty minutes"), correct(cook, time, "An hour")
    third = correct(clinic, time, "Ten minutes")
    assert told(alice, third) == [("conflict", "suggested")] * 2
    memories.reject(alice.holder, first.proposal_id, utc_now())
    (mark,) = alice.noticed(third).marks
    assert mark.beside == second.proposal_id


# ---------------------------------------------------------------- a yes that nothing was shown before
@pytest.mark.parametrize("compared_before", [True, False])
def test_a_blind_yes_is_told_first_whenever_it_was_compared(
    alice: Vault, cook: Assistant, compared_before: bool
) -> None:
    alice.keep("rent", OTHERWISE, subject="home.rent")
    made = add(cook, SAID)
    if compared_before:
        memories.catch_up(alice.id)
    for _ in range(2):
        assert alone(alice, made) == Refused(Refusal.NOTICED_SINCE), "however often"
    assert told(alice, made) == [("conflict", "near-identical")]
    assert isinstance(alone(alice, made), Memory), "it was shown"


def test_said_again_by_its_client_it_is_as_told_as_it_was(alice: Vault, cook: Assistant) -> None:
    alice.keep("rent", OTHERWISE, subject="home.rent")
    made = add(cook, SAID)
    assert told(alice, made) == [("conflict", "near-identical")]
    assert add(cook, SAID).proposal_id == made.proposal_id
    assert isinstance(alone(alice, made), Memory)
