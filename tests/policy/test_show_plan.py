"""The holder looks at their own memories: in clear, even what is attested or put away, and stamped as shown."""

from hypothesis import given
from hypothesis import strategies as st

from apps.policy.plans import show_plan
from apps.policy.types import Authority, Memory, PlanItem
from apps.policy.vocabulary import Form, ReceiptKind, Refusal, State
from tests.policy.facts import memories, memory


def test_it_rests_on_the_holder_and_is_a_showing() -> None:
    plan = show_plan([memory()])
    assert (plan.kind, plan.authority) == (ReceiptKind.VALUE_SHOWN, Authority("hld"))


def test_an_attested_memory_is_open_to_its_holder() -> None:
    assert show_plan([memory(attested=True)]).items[0].form is Form.VALUE


def test_unknown_ids_are_refusals_without_an_id() -> None:
    assert show_plan([], unknown=2).items == (PlanItem(None, Form.REFUSED, reason=Refusal.NOT_FOUND),) * 2


@given(st.lists(memories(), unique_by=lambda each: each.memory_id))
def test_everything_but_what_is_erased_is_shown_once(found: list[Memory]) -> None:
    assert [item.memory_id for item in show_plan(found).items] == [
        each.memory_id for each in found if each.state is not State.ERASED
    ]
