"""Who may decide on a proposal, and when: the holder, signed in, while it is pending. Nobody and nothing else."""

from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.rules import judge_proposal
from apps.policy.types import Caller, Client, Holder, Proposal, Refused
from apps.policy.vocabulary import ProposalStatus, Refusal
from tests.policy.facts import NOW, proposal

ALICE = Holder(uuid4(), uuid4(), "Alice", "UTC")
COOK = Caller(ALICE.vault_id, Client(uuid4(), "Cook", "", False, False, None, NOW), uuid4())


def test_the_holder_may_while_it_is_pending() -> None:
    assert judge_proposal(proposal(), ALICE) is None


@pytest.mark.parametrize("status", [status for status in ProposalStatus if status is not ProposalStatus.PENDING])
def test_what_was_decided_is_decided(status: ProposalStatus) -> None:
    assert judge_proposal(proposal(status=status), ALICE) == Refused(Refusal.ALREADY_DECIDED)


@pytest.mark.parametrize("status", ProposalStatus)
def test_a_client_never_may_not_even_its_own(status: ProposalStatus) -> None:
    own = proposal(status=status, client_id=COOK.client.client_id)
    assert judge_proposal(own, COOK) == Refused(Refusal.NOT_YOURS)


def test_what_is_not_there_is_not_found_and_a_client_does_not_even_learn_that() -> None:
    assert judge_proposal(None, ALICE) == Refused(Refusal.NOT_FOUND)
    assert judge_proposal(None, COOK) == Refused(Refusal.NOT_YOURS)


@pytest.mark.parametrize("by", [None, "hld_1", object()])
def test_nothing_else_counts_as_a_holder(by: Any) -> None:
    assert judge_proposal(proposal(), by) == Refused(Refusal.NOT_YOURS)


@given(
    st.one_of(st.none(), st.sampled_from(ProposalStatus).map(lambda status: proposal(status=status))),
    st.sampled_from([ALICE, COOK]),
)
def test_yes_is_for_a_holder_and_a_pending_proposal_alone(found: Proposal | None, by: Holder | Caller) -> None:
    pending = found is not None and found.status is ProposalStatus.PENDING
    assert (judge_proposal(found, by) is None) == (by is ALICE and pending)
