"""The holder looks at what clients propose: pending candidates only, stamped as shown."""

import pytest

from apps.policy.plans import candidate_plan
from apps.policy.types import Authority, PlanItem
from apps.policy.vocabulary import Category, Form, ProposalStatus, ReceiptKind
from tests.policy.facts import proposal


def test_a_pending_candidate_is_shown_to_the_holder() -> None:
    waiting = proposal()
    plan = candidate_plan([waiting])
    assert (plan.kind, plan.authority) == (ReceiptKind.VALUE_SHOWN, Authority("hld"))
    assert plan.items == (PlanItem(waiting.memory_id, Form.VALUE, 1, Category.ORDINARY, "proposed"),)


@pytest.mark.parametrize("status", [status for status in ProposalStatus if status is not ProposalStatus.PENDING])
def test_a_decided_one_is_not(status: ProposalStatus) -> None:
    assert candidate_plan([proposal(status=status)]).items == ()
