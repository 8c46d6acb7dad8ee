"""Decisions: the same one again, one that is out of date, undoing, and what a yes does for each directive."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from apps.memories import services as memories
from apps.memories.services import linking
from apps.policy.links import EdgeKind
from apps.policy.types import Proposal, Refused
from apps.policy.vocabulary import Category, Directive, Ended, MarkKind, ProposalStatus, Refusal, State
from tests.cast import Assistant, Vault
from vault.clock import utc_now


def propose(by: Assistant, **words: Any) -> Proposal:
    """A proposal by this client, which was shown every id that it names."""
    named = [words[name] for name in ("target", "other") if name in words]
    made = memories.propose(by.caller, now=utc_now(), known=named, **words)
    assert isinstance(made, Proposal), made
    return made


def add(by: Assistant, value: str = "Porto", subject: str = "home.city", **words: Any) -> Proposal:
    return propose(by, **{"label": "City", "value": value, "subject": subject, **words})


def correct(by: Assistant, target: UUID, value: str = "An induction hob", **words: Any) -> Proposal:
    return propose(by, directive=Directive.CORRECT, target=target, value=value, **words)


def approve(vault: Vault, made: Proposal, **words: Any) -> memories.Approved:
    done = memories.approve(vault.holder, made.proposal_id, now=utc_now(), **words)
    assert isinstance(done, memories.Approved), done
    return done


def says(vault: Vault, memory_id: UUID) -> str | None:
    shown = memories.show(vault.holder, [memory_id]).values
    return shown[0].value if shown else None


def state(vault: Vault, memory_id: UUID) -> State:
    found = memories.memory(vault.holder, memory_id)
    assert found is not None
    return found.state


# ---------------------------------------------------------------- once, and the same again
def test_the_same_yes_again_is_the_same_answer_and_another_one_is_refused(alice: Vault, cook: Assistant) -> None:
    made = add(cook)
    first = approve(alice, made, value="Faro")
    again = approve(alice, made, value="Faro")
    assert first.memory and again.memory and again.memory.memory_id == first.memory.memory_id
    for words in ({}, {"value": "Braga"}, {"label": "Town", "value": "Faro"}):
        other = memories.approve(alice.holder, made.proposal_id, now=utc_now(), **words)
        assert other == Refused(Refusal.ALREADY_DECIDED)
    assert memories.reject(alice.holder, made.proposal_id, utc_now()) == Refused(Refusal.ALREADY_DECIDED)
    assert len(alice.receipts(kind="proposal.approved")) == 1


def test_the_same_no_again_is_the_same_answer(alice: Vault, cook: Assistant) -> None:
    made = add(cook)
    first = memories.reject(alice.holder, made.proposal_id, utc_now(), reason="Not so")
    again = memories.reject(alice.holder, made.proposal_id, utc_now())
    assert isinstance(first, Proposal) and isinstance(again, Proposal)
    assert (again.status, again.reason) == (ProposalStatus.REJECTED, "Not so")
    assert len(alice.receipts(kind="proposal.rejected")) == 1


def test_another_revision_than_was_looked_at_is_stale(alice: Vault, cook: Assistant) -> None:
    made = add(cook)
    stale = memories.approve(alice.holder, made.proposal_id, now=utc_now(), revision=2)
    assert stale == Refused(Refusal.STALE)
    assert memories.reject(alice.holder, made.proposal_id, utc_now(), revision=2) == Refused(Refusal.STALE)
    assert approve(alice, made, revision=1).proposal.revision == 2


def test_a_rejected_one_may_be_proposed_again_once_that_is_lifted(alice: Vault, cook: Assistant) -> None:
    made = add(cook)
    memories.reject(alice.holder, made.proposal_id, utc_now())
    refused = memories.propose(cook.caller, label="City", value="Porto", subject="home.city", now=utc_now())
    assert refused == Refused(Refusal.ALREADY_REJECTED)
    lifted = memories.lift(alice.holder, made.proposal_id, utc_now())
    assert isinstance(lifted, Proposal) and memories.lift(alice.holder, made.proposal_id, utc_now()) == lifted
    assert len(alice.receipts(kind="proposal.lifted")) == 1
    assert add(cook).proposal_id != made.proposal_id


def test_in_one_press_it_is_rejected_and_may_be_proposed_again(alice: Vault, cook: Assistant) -> None:
    made = add(cook)
    assert memories.reject(alice.holder, made.proposal_id, utc_now(), again=True)
    assert [each.kind for each in alice.receipts()][-2:] == ["proposal.rejected", "proposal.lifted"]
    assert add(cook).status is ProposalStatus.PENDING


def test_a_client_takes_back_its_own_and_nobody_else_s(alice: Vault, cook: Assistant, clinic: Assistant) -> None:
    made = add(cook)
    assert memories.withdraw(clinic.caller, made.proposal_id, utc_now()) == Refused(Refusal.NOT_FOUND)
    assert memories.withdraw(cook.caller, uuid4(), utc_now()) == Refused(Refusal.NOT_FOUND)
    for _ in range(2):
        back = memories.withdraw(cook.caller, made.proposal_id, utc_now())
        assert isinstance(back, Proposal) and back.status is ProposalStatus.WITHDRAWN
    assert len(alice.receipts(kind="proposal.withdrawn")) == 1
    assert memories.show_candidates(alice.holder, (made,)).values == ()
    assert memories.approve(alice.holder, made.proposal_id, now=utc_now()) == Refused(Refusal.ALREADY_DECIDED)


def test_undecided_for_thirty_days_it_ends_once(alice: Vault, cook: Assistant) -> None:
    made, now = add(cook), utc_now()
    assert memories.expire(alice.id, [made.proposal_id], now) == 0
    late = now + timedelta(days=30, seconds=1)
    assert memories.approve(alice.holder, made.proposal_id, now=late) == Refused(Refusal.ALREADY_DECIDED)
    assert [memories.expire(alice.id, [made.proposal_id], late) for _ in range(2)] == [1, 0]
    assert len(alice.receipts(kind="proposal.expired")) == 1
    assert add(cook).proposal_id != made.proposal_id, "what nobody decided may be said again"


# ---------------------------------------------------------------- what a yes does
def test_a_correction_takes_the_place_of_what_it_corrects(alice: Vault, cook: Assistant) -> None:
    kitchen = alice.ids["kitchen"]
    made = correct(cook, kitchen, rationale="They said so", changed=True)
    done = approve(alice, made)
    assert done.memory is not None and done.memory.memory_id == kitchen
    assert says(alice, kitchen) == "An induction hob"
    new, old = memories.history(alice.holder, kitchen)
    assert (new.proposal_id, new.why, new.source) == (made.proposal_id, "They said so", cook.actor)
    assert old.ended_as is Ended.CHANGED
    assert {"memory.corrected", "proposal.approved"} <= {each.kind for each in alice.receipts()}


def test_both_texts_are_kept_where_the_holder_s_words_differ(alice: Vault, cook: Assistant) -> None:
    kitchen = alice.ids["kitchen"]
    approve(alice, correct(cook, kitchen, "A gas hob"), value="Two gas hobs")
    lines = memories.history(alice.holder, kitchen)
    theirs = next(each for each in lines if each.ended_as is Ended.PROPOSED)
    shown = memories.show_past(alice.holder, [(kitchen, theirs.version)])
    assert [each.value for each in shown.values] == ["A gas hob"]
    assert says(alice, kitchen) == "Two gas hobs"
    added = approve(alice, add(cook), value="Faro").memory
    assert added is not None
    theirs = next(each for each in memories.history(alice.holder, added.memory_id) if each.ended_as is Ended.PROPOSED)
    shown = memories.show_past(alice.holder, [(added.memory_id, theirs.version)])
    assert [each.value for each in shown.values] == ["Porto"]


@pytest.mark.parametrize("value", [None, "Other pills"])
def test_kept_apart_no_copy_stays_where_it_lay(alice: Vault, cook: Assistant, value: str | None) -> None:
    made = add(cook, "Pills", "pills")
    done = approve(alice, made, category=Category.HEALTH, value=value)
    assert done.memory is not None
    lines = memories.history(alice.holder, done.memory.memory_id)
    assert {each.category for each in lines} == {Category.HEALTH}
    assert len(lines) == (1 if value is None else 2)


def test_a_correction_of_what_changed_meanwhile_is_stale_until_it_is_rebased(alice: Vault, cook: Assistant) -> None:
    kitchen = alice.ids["kitchen"]
    made = correct(cook, kitchen)
    memories.correct(alice.holder, kitchen, value="No kitchen at all", now=utc_now())
    (there,) = memories.beside(alice.holder, memories.proposals(alice.holder))
    assert there.stale
    assert memories.approve(alice.holder, made.proposal_id, now=utc_now()) == Refused(Refusal.STALE)
    assert says(alice, kitchen) == "No kitchen at all"
    rebased = memories.rebase(alice.holder, made.proposal_id, utc_now())
    assert isinstance(rebased, Proposal) and rebased.revision == 2
    assert len(alice.receipts(kind="proposal.rebased")) == 1
    approve(alice, made, revision=2)
    assert says(alice, kitchen) == "An induction hob"


def test_what_was_said_before_holds_again(alice: Vault, cook: Assistant) -> None:
    kitchen = alice.ids["kitchen"]
    memories.correct(alice.holder, kitchen, value="Nothing", now=utc_now())
    approve(alice, propose(cook, directive=Directive.REVERT, target=kitchen))
    assert says(alice, kitchen) == alice.values["kitchen"]


def test_it_is_moved_merged_and_erased(alice: Vault, cook: Assistant) -> None:
    kitchen, time, dislikes = (alice.ids[name] for name in ("kitchen", "time", "dislikes"))
    approve(alice, propose(cook, directive=Directive.RESCOPE, target=kitchen, subject="home.kitchen"))
    moved = memories.memory(alice.holder, kitchen)
    assert moved is not None and moved.subject == "home.kitchen"
    approve(alice, propose(cook, directive=Directive.MERGE, target=time, other=dislikes))
    assert state(alice, dislikes) is State.MERGED
    done = approve(alice, propose(cook, directive=Directive.ERASE, target=kitchen))
    assert done.memory is None and memories.memory(alice.holder, kitchen) is None
    assert done.proposal.status is ProposalStatus.APPROVED
    found = memories.proposal(alice.holder, done.proposal.proposal_id)
    assert found is not None and found.status is ProposalStatus.APPROVED


def test_an_edge_is_replaced_and_ended(alice: Vault, cook: Assistant) -> None:
    kitchen, time, dislikes = (alice.ids[name] for name in ("kitchen", "time", "dislikes"))
    drawn = linking.draw(alice.holder, EdgeKind.RELATES_TO, kitchen, time, utc_now())
    assert not isinstance(drawn, Refused)
    other = {"target": drawn.edge_id, "other": dislikes}
    approve(alice, propose(cook, directive=Directive.SUPERSEDE_EDGE, **other))
    standing = [each.edge for each in linking.edges_of(alice.holder, dislikes) if each.edge.ended_at is None]
    assert len(standing) == 1
    done = approve(alice, propose(cook, directive=Directive.RETRACT_EDGE, target=standing[0].edge_id))
    assert [each for each in linking.edges_of(alice.holder, dislikes) if each.edge.ended_at is None] == []
    assert memories.undo(alice.holder, done.proposal.proposal_id, utc_now())
    assert [each for each in linking.edges_of(alice.holder, dislikes) if each.edge.ended_at is None]


# ---------------------------------------------------------------- what it meets
def test_under_a_subject_that_lives_it_is_a_correction_or_stands_elsewhere(alice: Vault, cook: Assistant) -> None:
    kitchen = alice.ids["kitchen"]
    made = add(cook, "A wood stove", "cooking.kitchen")
    (mark,) = alice.noticed(made).marks
    assert (mark.kind, mark.memory_id, mark.how) == (MarkKind.CONFLICT, kitchen, "same-subject")
    refused = memories.approve(alice.holder, made.proposal_id, now=utc_now())
    assert refused == Refused(Refusal.SUBJECT_TAKEN, "/subject")
    done = approve(alice, made, replaces=kitchen)
    assert done.memory is not None and done.memory.memory_id == kitchen
    living = [each for each in memories.memories(alice.holder) if each.subject == "cooking.kitchen"]
    assert [each.memory_id for each in living] == [kitchen]
    assert says(alice, kitchen) == "A wood stove"
    elsewhere = approve(alice, add(cook, "A camp stove", "cooking.kitchen"), subject="camp.kitchen").memory
    assert elsewhere is not None and elsewhere.subject == "camp.kitchen"


def test_what_restates_a_correction_never_wins_by_itself(alice: Vault, cook: Assistant) -> None:
    kitchen, old = alice.ids["kitchen"], alice.values["kitchen"]
    memories.correct(alice.holder, kitchen, value="An induction hob", now=utc_now())
    for made in (correct(cook, kitchen, old), add(cook, old, "somewhere.else")):
        (echo,) = alice.noticed(made).marked(MarkKind.ECHO)
        assert (echo.memory_id, echo.version) == (kitchen, 1)
        refused = memories.approve(alice.holder, made.proposal_id, now=utc_now())
        assert refused == Refused(Refusal.ECHO, "/value")
        assert says(alice, kitchen) == "An induction hob"
    approve(alice, correct(cook, kitchen, old), on_purpose=True)
    assert says(alice, kitchen) == old
    assert memories.history(alice.holder, kitchen)[0].restored_from == 1


def test_nearly_the_same_with_another_fact_is_shown_beside_it(alice: Vault, cook: Assistant) -> None:
    kept = alice.keep("flight", "The flight to Lisbon leaves at 10:45 from gate B22", subject="trip.flight")
    made = add(cook, "The flight to Lisbon leaves at 11:20 from gate B22", "travel.plan")
    (mark,) = alice.noticed(made).marked(MarkKind.CONFLICT)
    assert (mark.memory_id, mark.how) == (kept, "near-identical")
    (there,) = memories.beside(alice.holder, [alice.noticed(made)])
    looked = memories.show_beside(alice.holder, [there])
    assert {each.value for each in looked.values} == {
        "The flight to Lisbon leaves at 10:45 from gate B22",
        "The flight to Lisbon leaves at 11:20 from gate B22",
    }
    assert len(alice.receipts(kind="value.shown")) == 2


def test_what_was_declared_to_contradict_is_shown_too(alice: Vault, cook: Assistant) -> None:
    linking.draw(alice.holder, EdgeKind.CONTRADICTS, alice.ids["time"], alice.ids["kitchen"], utc_now())
    made = correct(cook, alice.ids["kitchen"])
    assert [(each.memory_id, each.how) for each in alice.noticed(made).marks] == [(alice.ids["time"], "declared")]


def test_what_holds_already_is_marked_and_makes_no_second_one(alice: Vault, cook: Assistant) -> None:
    made = add(cook, alice.values["kitchen"], "cooking.kitchen")
    assert [each.kind for each in alice.noticed(made).marks] == [MarkKind.CONFIRMED]


@pytest.mark.parametrize("unseen", ["\u200b", "\U000e0100\U000e01ef", "\ufe00\ufe0f", "\U000e0041", "\ufff9", "\u3164"])
@pytest.mark.parametrize("field", ["label", "value", "rationale"])
def test_a_hidden_character_is_marked_wherever_it_stands(
    alice: Vault, cook: Assistant, field: str, unseen: str
) -> None:
    assert [each.kind for each in add(cook, **{field: f"Por{unseen}to"}).marks] == [MarkKind.HIDDEN]


# ---------------------------------------------------------------- many at once
def test_exactly_what_was_reviewed_is_approved_and_one_bad_one_keeps_no_other(alice: Vault, cook: Assistant) -> None:
    good = [add(cook, f"City {n}", f"city.number-{n}") for n in range(5)]
    fixed = correct(cook, alice.ids["time"], "Forty minutes")
    taken = add(cook, "Mine", "cooking.kitchen")
    special = add(cook, "Pills", "health.pills")
    hidden = add(cook, "a\u202eb", "odd")
    erase = propose(cook, directive=Directive.ERASE, target=alice.ids["dislikes"])
    gone = add(cook, "Gone", "gone")
    memories.withdraw(cook.caller, gone.proposal_id, utc_now())
    left = add(cook, "Not reviewed", "left")
    moved = (good[4].proposal_id, 7)
    reviewed = [(each.proposal_id, 1) for each in (*good[:4], fixed, taken, special, hidden, erase, gone)]
    done = memories.approve_many(alice.holder, [*reviewed, moved, (uuid4(), 1)], utc_now())
    told = [(each.done.value, each.why) for each in done.items]
    assert told == [
        *[("applied", "")] * 5,
        ("needs-attention", "conflict"),
        ("needs-attention", "needs-a-look-alone"),
        ("needs-attention", "hidden-characters"),
        ("needs-attention", "by-itself"),
        ("skipped", "already-decided"),
        ("needs-attention", "stale"),
        ("skipped", "not-found"),
    ]
    assert says(alice, alice.ids["time"]) == "Forty minutes"
    for each in good[:4]:
        assert says(alice, each.memory_id) == f"City {each.subject[-1]}"
        found = memories.search(alice.id, alice.holder.actor, f"City {each.subject[-1]}", 5)
        assert each.memory_id in [found_id for found_id, _ in found]
    waits = {each.proposal_id for each in memories.proposals(alice.holder)}
    assert {left.proposal_id, good[4].proposal_id, taken.proposal_id} <= waits
    again = memories.approve_many(alice.holder, [(good[0].proposal_id, 1)], utc_now())
    assert [each.done.value for each in again.items] == ["applied"]
    assert len(alice.receipts(kind="proposal.approved")) == 5


def test_two_of_one_subject_in_one_go_are_one(alice: Vault, cook: Assistant, clinic: Assistant) -> None:
    two = [add(by, "Porto", "city.here") for by in (cook, clinic)]
    done = memories.approve_many(alice.holder, [(each.proposal_id, 1) for each in two], utc_now())
    assert [(each.done.value, each.why) for each in done.items] == [
        ("applied", ""),
        ("needs-attention", "subject-taken"),
    ]


def test_one_go_is_undone_for_seven_days(alice: Vault, cook: Assistant) -> None:
    added, fixed = add(cook), correct(cook, alice.ids["time"], "Forty minutes")
    done = memories.approve_many(alice.holder, [(each.proposal_id, 1) for each in (added, fixed)], utc_now())
    late = memories.undo_batch(alice.holder, done.batch_id, utc_now() + timedelta(days=7, seconds=1))
    assert isinstance(late, memories.Batch) and {each.why for each in late.items} == {"undo-over"}
    back = memories.undo_batch(alice.holder, done.batch_id, utc_now())
    assert isinstance(back, memories.Batch) and {each.done.value for each in back.items} == {"applied"}
    assert state(alice, added.memory_id) is State.WITHDRAWN
    assert says(alice, alice.ids["time"]) == alice.values["time"]
    assert [each.restored_from for each in memories.history(alice.holder, alice.ids["time"])] == [1, None, None]
    again = memories.undo_batch(alice.holder, done.batch_id, utc_now())
    assert isinstance(again, memories.Batch)
    assert {(each.done.value, each.why) for each in again.items} == {("skipped", "already-decided")}
    assert len(alice.receipts(kind="proposal.undone")) == 2
    assert memories.undo(alice.holder, added.proposal_id, utc_now()) == Refused(Refusal.ALREADY_DECIDED)


def test_what_was_changed_since_is_not_undone(alice: Vault, cook: Assistant) -> None:
    added, fixed = approve(alice, add(cook)), approve(alice, correct(cook, alice.ids["time"], "Forty minutes"))
    assert added.memory is not None
    memories.correct(alice.holder, added.memory.memory_id, value="Faro", now=utc_now())
    memories.correct(alice.holder, alice.ids["time"], value="An hour", now=utc_now())
    for each in (added, fixed):
        assert memories.undo(alice.holder, each.proposal.proposal_id, utc_now()) == Refused(Refusal.STALE)
    assert says(alice, alice.ids["time"]) == "An hour"


def test_a_move_and_a_merge_are_undone(alice: Vault, cook: Assistant) -> None:
    kitchen, time, dislikes = (alice.ids[name] for name in ("kitchen", "time", "dislikes"))
    moved = approve(alice, propose(cook, directive=Directive.RESCOPE, target=kitchen, subject="home.kitchen"))
    merged = approve(alice, propose(cook, directive=Directive.MERGE, target=time, other=dislikes))
    for each in (moved, merged):
        assert memories.undo(alice.holder, each.proposal.proposal_id, utc_now())
    back = memories.memory(alice.holder, kitchen)
    assert back is not None and back.subject == "cooking.kitchen"
    assert state(alice, dislikes) is State.APPROVED


def test_a_move_is_undone_wherever_it_went_and_the_later_one_first(alice: Vault, cook: Assistant) -> None:
    kitchen = alice.ids["kitchen"]
    wish: dict[str, Any] = {"directive": Directive.RESCOPE, "target": kitchen}
    first = approve(alice, propose(cook, **wish, subject="home.kitchen"), subject="house.kitchen")
    second = approve(alice, propose(cook, **wish, subject="flat.kitchen"))
    early = memories.undo(alice.holder, first.proposal.proposal_id, utc_now())
    assert early == Refused(Refusal.UNDO_LATER_FIRST)
    for each, stands in ((second, "house.kitchen"), (first, "cooking.kitchen")):
        assert memories.undo(alice.holder, each.proposal.proposal_id, utc_now())
        back = memories.memory(alice.holder, kitchen)
        assert back is not None and back.subject == stands
    third = approve(alice, propose(cook, **wish, subject="flat.kitchen"))
    assert memories.rescope(alice.holder, kitchen, "mine.kitchen", utc_now())
    assert memories.undo(alice.holder, third.proposal.proposal_id, utc_now()) == Refused(Refusal.STALE)


def test_many_are_rejected_in_one_go(alice: Vault, cook: Assistant) -> None:
    three = [add(cook, f"City {n}", f"city.number-{n}") for n in range(3)]
    reviewed = [(each.proposal_id, 1) for each in three]
    done = memories.reject_many(alice.holder, reviewed, utc_now(), reason="No cities")
    assert {each.done.value for each in done.items} == {"applied"}
    assert memories.count_pending(alice.holder) == 0
    assert memories.show_candidates(alice.holder, tuple(three)).values == ()
    assert len(alice.receipts(kind="proposal.rejected")) == 3
