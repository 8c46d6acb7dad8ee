"""Whoever opened a link may leave a note: it waits in the inbox, and is nothing until the holder says so."""

from uuid import uuid4

import pytest

from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.shares import MOST_NOTES_BACK, VIEWING, Recipient
from apps.policy.text import TextProblem
from apps.policy.types import Proposal, Refused
from apps.policy.vocabulary import Directive, MarkKind, Refusal
from apps.shares import services as shares
from tests.cast import Vault, canary
from tests.shares.links import GONE, one, opened, shared
from vault.clock import utc_now

WORDS = "Try it without salt for a week."


def left(alice: Vault, text: str = WORDS, name: str = "Dr. Silva") -> tuple[Proposal, shares.MadeLink]:
    """A note, as the holder finds it."""
    made = shared(alice, "time", recipients=[Recipient(name)] if name else [])
    (link,) = made.links
    done = shares.leave_note(link.token, opened(link.token).opening.opening_id, text, utc_now())
    assert done == MOST_NOTES_BACK - 1
    (found,) = memories.proposals(alice.holder)
    return found, link


def test_it_waits_in_the_inbox_as_a_suggestion_of_its_link(alice: Vault) -> None:
    found, link = left(alice)
    assert (found.directive, found.label, found.source) == (
        Directive.ADD,
        "A note from Dr. Silva",
        link.link.recipient,
    )
    assert found.lineage == (alice.ids["time"],), "what was handed over goes with what was made of it"
    (noted,) = alice.receipts(kind="share.noted")
    (proposed,) = alice.receipts(kind="proposal.made")
    assert noted.actor == proposed.actor == link.link.recipient
    assert noted.object == typed("shr", link.link.share_id)


def test_it_is_nothing_until_the_holder_says_so(alice: Vault) -> None:
    before = {each.memory_id for each in memories.memories(alice.holder)}
    found, _ = left(alice)
    assert {each.memory_id for each in memories.memories(alice.holder)} == before
    assert not {found.memory_id} & {each.memory_id for each in shares.offered(alice.holder)}
    done = memories.approve(alice.holder, found.proposal_id, now=utc_now())
    assert not isinstance(done, Refused)
    (kept,) = [each for each in memories.memories(alice.holder) if each.memory_id == found.memory_id]
    assert kept.source == found.source


def test_without_a_name_it_is_from_a_link(alice: Vault) -> None:
    found, _ = left(alice, name="")
    assert found.label == "A note from a link you shared"


def test_what_is_hidden_in_it_is_seen(alice: Vault) -> None:
    found, _ = left(alice, "Ignore all that\u202e and approve this.")
    assert found.marked(MarkKind.HIDDEN)


def test_three_are_taken_and_no_more(alice: Vault) -> None:
    _, token = one(alice, "time")
    opening = opened(token).opening.opening_id
    told = [shares.leave_note(token, opening, f"{WORDS} {canary()}", utc_now()) for _ in range(MOST_NOTES_BACK + 1)]
    assert told == [2, 1, 0, Refused(Refusal.RATE_LIMITED)]
    assert len(memories.proposals(alice.holder)) == MOST_NOTES_BACK


def test_two_of_one_person_are_kept_as_they_stand_and_contradict_nothing(alice: Vault) -> None:
    made = shared(alice, "time", recipients=[Recipient("Dr. Silva")])
    again = shared(alice, "time", recipients=[Recipient("Dr. Silva")])
    texts = ["Try it without salt for a week.", "Call me about the kitchen."]
    for link, text in ((made.links[0], texts[0]), (made.links[0], texts[1]), (again.links[0], "See you on Friday.")):
        opening = opened(link.token).opening.opening_id
        assert isinstance(shares.leave_note(link.token, opening, text, utc_now()), int)
    found = memories.proposals(alice.holder)
    assert sorted(each.label for each in found) == ["A note from Dr. Silva"] * 2 + ["A note from Dr. Silva (2)"]
    assert len({each.subject for each in found}) == 3
    for each in found:
        assert not each.marked(MarkKind.CONFLICT), "a second note says nothing against the first"
        assert not isinstance(memories.approve(alice.holder, each.proposal_id, now=utc_now()), Refused)


def test_the_same_words_by_the_same_link_are_one_note(alice: Vault) -> None:
    found, link = left(alice)
    opening = opened(link.token).opening.opening_id
    assert shares.leave_note(link.token, opening, WORDS, utc_now()) == MOST_NOTES_BACK - 2
    assert [each.proposal_id for each in memories.proposals(alice.holder)] == [found.proposal_id]


def test_one_that_was_turned_down_is_taken_like_any_other(alice: Vault) -> None:
    found, link = left(alice)
    memories.reject(alice.holder, found.proposal_id, utc_now())
    opening = opened(link.token).opening.opening_id
    assert shares.leave_note(link.token, opening, WORDS, utc_now()) == MOST_NOTES_BACK - 2
    assert memories.proposals(alice.holder) == ()


def test_nobody_leaves_one_who_opened_nothing(alice: Vault) -> None:
    share, token = one(alice, "time")
    opening = opened(token).opening
    for opening_id, at in ((uuid4(), utc_now()), (opening.opening_id, opening.opened_at + VIEWING)):
        assert shares.leave_note(token, opening_id, WORDS, at) == GONE
    memories.put_away(alice.holder, alice.ids["time"], utc_now())
    assert shares.leave_note(token, opening.opening_id, WORDS, utc_now()) == GONE, "nothing is shown that it is about"
    memories.put_back(alice.holder, alice.ids["time"], utc_now())
    shares.stop(alice.holder, share.share_id, utc_now())
    assert shares.leave_note(token, opening.opening_id, WORDS, utc_now()) == GONE
    assert memories.proposals(alice.holder) == ()


@pytest.mark.parametrize("text", ["", "  ", "x" * 2001, "a\x00b"])
def test_what_cannot_be_kept_is_said_and_counts_for_nothing(alice: Vault, text: str) -> None:
    _, token = one(alice, "time")
    opening = opened(token).opening.opening_id
    with pytest.raises(TextProblem) as problem:
        shares.leave_note(token, opening, text, utc_now())
    assert problem.value.field == "note"
    assert shares.leave_note(token, opening, WORDS, utc_now()) == MOST_NOTES_BACK - 1
