"""What the receipts will say: exactly what is handed over, one plan a grant, and every refusal."""

from uuid import UUID, uuid4

from hypothesis import given
from hypothesis import strategies as st

from apps.policy.rules import project, stamps
from apps.policy.types import Allowed, Authority, Memory, Plan, PlanItem, Refused, Verdict
from apps.policy.vocabulary import Category, Form, ReceiptKind, Refusal, State
from tests.policy.facts import grant, memories, memory

KITCHEN, TIME, GONE = memory(version=3), memory(), uuid4()


def plans_of(*verdicts: tuple[UUID, Verdict]) -> tuple[Plan, ...]:
    return stamps(verdicts, kind=ReceiptKind.VALUE_READ, purpose="answer", request="req_1", turn="trn_1")


def test_one_grant_is_one_plan_with_its_terms() -> None:
    held = grant(KITCHEN, TIME, terms_version=4)
    (plan,) = plans_of(
        (KITCHEN.memory_id, Allowed(KITCHEN, Form.VALUE, held)), (TIME.memory_id, Allowed(TIME, Form.VALUE, held))
    )
    assert plan.authority == Authority("gra", held.grant_id, 4)
    assert (plan.kind, plan.purpose, plan.request, plan.turn) == (ReceiptKind.VALUE_READ, "answer", "req_1", "trn_1")
    assert [item.memory_id for item in plan.items] == [KITCHEN.memory_id, TIME.memory_id]
    assert plan.items[0] == PlanItem(KITCHEN.memory_id, Form.VALUE, 3, Category.ORDINARY, "approved", False)


def test_two_grants_are_two_plans_for_a_stamp_has_one_authority() -> None:
    first, second = grant(KITCHEN), grant(TIME)
    plans = plans_of(
        (KITCHEN.memory_id, Allowed(KITCHEN, Form.VALUE, first)), (TIME.memory_id, Allowed(TIME, Form.VALUE, second))
    )
    assert [plan.authority.object_id for plan in plans] == [first.grant_id, second.grant_id]


def test_refusals_go_with_the_first_plan() -> None:
    held = grant(KITCHEN)
    (plan,) = plans_of(
        (TIME.memory_id, Refused(Refusal.GRANT_SPENT)), (KITCHEN.memory_id, Allowed(KITCHEN, Form.VALUE, held))
    )
    assert [(item.memory_id, item.form, item.reason) for item in plan.items] == [
        (KITCHEN.memory_id, Form.VALUE, None),
        (TIME.memory_id, Form.REFUSED, Refusal.GRANT_SPENT),
    ]


def test_only_refusals_are_a_plan_that_rests_on_no_grant() -> None:
    (plan,) = plans_of((KITCHEN.memory_id, Refused(Refusal.PAUSED)))
    assert plan.authority == Authority("gra")
    assert plan.items == (PlanItem(KITCHEN.memory_id, Form.REFUSED, reason=Refusal.PAUSED),)


def test_a_not_found_is_stamped_without_an_id_whatever_exists() -> None:
    (plan,) = plans_of((GONE, Refused(Refusal.NOT_FOUND)), (KITCHEN.memory_id, Refused(Refusal.NOT_FOUND)))
    assert [item.memory_id for item in plan.items] == [None, None]


def test_nothing_asked_is_nothing_stamped() -> None:
    assert plans_of() == ()


REASONS = st.sampled_from(Refusal)


@given(st.data(), st.lists(memories(state=State.APPROVED), unique_by=lambda each: each.memory_id, max_size=8))
def test_every_verdict_is_stamped_once_and_in_the_form_it_was_allowed(data: st.DataObject, found: list[Memory]) -> None:
    held = [grant() for _ in range(3)]
    verdicts: list[tuple[UUID, Verdict]] = [
        (
            each.memory_id,
            Allowed(each, project(each), data.draw(st.sampled_from(held)))
            if data.draw(st.booleans())
            else Refused(data.draw(REASONS)),
        )
        for each in found
    ]
    items = [(plan.authority.object_id, item) for plan in plans_of(*verdicts) for item in plan.items]
    assert len(items) == len(verdicts)
    for memory_id, verdict in verdicts:
        if isinstance(verdict, Allowed):
            assert verdict.grant is not None
            stamped = [(on, item) for on, item in items if item.memory_id == memory_id]
            assert [(on, item.form) for on, item in stamped] == [(verdict.grant.grant_id, verdict.form)]
    refused = [item.reason for _, item in items if item.form is Form.REFUSED]
    assert sorted(refused) == sorted(v.reason for _, v in verdicts if isinstance(v, Refused))
