"""A suggestion that no yes could carry out is refused at once where its client knows why, and else waits for nobody."""

from typing import Any
from uuid import UUID

import pytest

from apps.memories import services as memories
from apps.memories.services import linking, naming
from apps.policy.links import EdgeKind, EntityKind
from apps.policy.text import TextProblem
from apps.policy.types import Proposal, Refused
from apps.policy.vocabulary import Directive, MarkKind, ProposalStatus, Refusal
from tests.cast import Assistant, Vault
from vault.clock import utc_now


def propose(by: Assistant, directive: Directive, target: UUID, **words: Any) -> Proposal | Refused:
    named = [target, *([words["other"]] if "other" in words else [])]
    return memories.propose(by.caller, now=utc_now(), known=named, directive=directive, target=target, **words)


def made(by: Assistant, directive: Directive, target: UUID, **words: Any) -> Proposal:
    done = propose(by, directive, target, **words)
    assert isinstance(done, Proposal), done
    return done


def void(vault: Vault, by: Assistant, proposal: Proposal) -> str:
    """Why nobody is asked about it; to its client it waits, and to the holder it was withdrawn."""
    assert memories.proposals(vault.holder) == () and memories.count_pending(vault.holder) == 0
    found = vault.noticed(proposal)
    assert found.status is ProposalStatus.WITHDRAWN
    assert memories.decided(vault.holder) == memories.proposals(vault.holder, ProposalStatus.WITHDRAWN) == (found,)
    yes = memories.approve(vault.holder, proposal.proposal_id, now=utc_now())
    assert yes == Refused(Refusal.ALREADY_DECIDED)
    assert memories.reject(vault.holder, proposal.proposal_id, utc_now()) == Refused(Refusal.ALREADY_DECIDED)
    theirs = memories.own_proposal(by.caller, proposal.proposal_id)
    assert theirs is not None and theirs.status is ProposalStatus.PENDING and theirs.revision == 1
    (mark,) = found.marked(MarkKind.VOID)
    return mark.how


def refused_by_name(by: Assistant, directive: Directive, target: UUID, **words: Any) -> str:
    with pytest.raises(TextProblem) as told:
        propose(by, directive, target, **words)
    return told.value.field


def test_nothing_is_merged_with_itself(alice: Vault, cook: Assistant) -> None:
    kitchen = alice.ids["kitchen"]
    assert refused_by_name(cook, Directive.MERGE, kitchen, other=kitchen) == "other"
    assert memories.proposals(alice.holder) == ()


def test_a_memory_is_not_merged_with_whom_it_is_about(alice: Vault, cook: Assistant) -> None:
    ana = naming.name(alice.holder, EntityKind.PERSON, "Ana", utc_now())
    assert refused_by_name(cook, Directive.MERGE, alice.ids["kitchen"], other=ana.entity_id) == "other"


@pytest.mark.parametrize("directive", [Directive.REVERT, Directive.ERASE])
def test_what_is_no_memory_is_none_to_correct_or_erase(alice: Vault, cook: Assistant, directive: Directive) -> None:
    ana = naming.name(alice.holder, EntityKind.PERSON, "Ana", utc_now())
    assert propose(cook, directive, ana.entity_id) == Refused(Refusal.NOT_FOUND, "/target")


def test_it_is_not_moved_to_where_its_client_sees_it_stand(alice: Vault, cook: Assistant) -> None:
    target = alice.ids["kitchen"]
    assert refused_by_name(cook, Directive.RESCOPE, target, subject="cooking.kitchen") == "subject"


def test_a_subject_that_is_not_shown_is_not_found_by_guessing_it(alice: Vault, cook: Assistant) -> None:
    pills = memories.memory(alice.holder, alice.ids["pills"])
    assert pills is not None
    right = made(cook, Directive.RESCOPE, pills.memory_id, subject=pills.subject)
    assert void(alice, cook, right) == "no-change"


def test_nothing_stands_before_what_is_to_be_taken_back(alice: Vault, cook: Assistant) -> None:
    assert void(alice, cook, made(cook, Directive.REVERT, alice.ids["kitchen"])) == "nothing-before"


def test_it_waits_for_the_holder_once_it_is_said_again_and_would_change_something(
    alice: Vault, cook: Assistant
) -> None:
    kitchen = alice.ids["kitchen"]
    first = made(cook, Directive.REVERT, kitchen)
    assert void(alice, cook, first) == "nothing-before"
    memories.correct(alice.holder, kitchen, value="An induction hob", now=utc_now())
    again = made(cook, Directive.REVERT, kitchen)
    assert again.again and again.proposal_id == first.proposal_id
    assert [each.proposal_id for each in memories.proposals(alice.holder)] == [first.proposal_id]
    done = memories.approve(alice.holder, first.proposal_id, now=utc_now())
    assert isinstance(done, memories.Approved) and done.memory is not None and done.memory.memory_id == kitchen


def test_an_edge_that_is_so_already_is_not_replaced_by_itself(alice: Vault, cook: Assistant) -> None:
    edge = linking.draw(alice.holder, EdgeKind.RELATES_TO, alice.ids["kitchen"], alice.ids["time"], utc_now())
    assert not isinstance(edge, Refused)
    assert refused_by_name(cook, Directive.SUPERSEDE_EDGE, edge.edge_id, other=edge.to_id) == "other"
    assert void(alice, cook, made(cook, Directive.SUPERSEDE_EDGE, edge.edge_id, other=edge.from_id)) == "impossible"


def test_its_client_takes_it_back_as_any_other(alice: Vault, cook: Assistant) -> None:
    waits = made(cook, Directive.REVERT, alice.ids["kitchen"])
    assert void(alice, cook, waits) == "nothing-before"
    done = memories.withdraw(cook.caller, waits.proposal_id, utc_now())
    assert isinstance(done, Proposal) and done.status is ProposalStatus.WITHDRAWN


def test_a_move_to_a_subject_that_is_taken_waits_for_the_holder_whatever_stands_there(
    alice: Vault, cook: Assistant
) -> None:
    """Its client is told no more of what is special there than of what is ordinary."""
    told = []
    for name in ("time", "pills"):
        there = memories.memory(alice.holder, alice.ids[name])
        assert there is not None
        moved = made(cook, Directive.RESCOPE, alice.ids["kitchen"], subject=there.subject)
        marks = [(each.kind, each.memory_id) for each in alice.noticed(moved).marks if each.memory_id is not None]
        assert marks == [(MarkKind.CONFLICT, there.memory_id)]
        assert moved.proposal_id in [each.proposal_id for each in memories.proposals(alice.holder)]
        told.append(moved.status)
    assert told == [ProposalStatus.PENDING] * 2
