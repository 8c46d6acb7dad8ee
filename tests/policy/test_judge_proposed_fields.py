"""What only the approver may set is refused by name when a proposer sends it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.rules import APPROVER_ONLY, judge_proposed_fields
from apps.policy.types import Refused
from apps.policy.vocabulary import Refusal

OWN = ("label", "value", "subject", "rationale", "as_of")


def test_a_proposer_s_own_fields_pass() -> None:
    assert judge_proposed_fields(OWN) is None
    assert judge_proposed_fields(()) is None


@pytest.mark.parametrize("name", APPROVER_ONLY)
def test_an_approver_s_field_is_refused_with_its_pointer(name: str) -> None:
    assert judge_proposed_fields((*OWN, name)) == Refused(Refusal.FIELD_NOT_ALLOWED, f"/{name}")


def test_the_marks_that_decide_who_may_read_are_all_the_approver_s() -> None:
    assert {"category", "neutral_label", "attested", "claim", "sealed", "local_only", "state"} == set(APPROVER_ONLY)


@given(st.lists(st.sampled_from(OWN + APPROVER_ONLY)))
def test_one_is_enough_wherever_it_stands(names: list[str]) -> None:
    assert (judge_proposed_fields(names) is None) == (not set(names) & set(APPROVER_ONLY))
