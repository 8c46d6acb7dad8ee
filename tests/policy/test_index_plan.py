"""The indexer reads only what may be found by its value: approved, ordinary, not attested."""

from hypothesis import given
from hypothesis import strategies as st

from apps.policy.plans import index_plan
from apps.policy.types import Authority, Memory
from apps.policy.vocabulary import Category, Form, ReceiptKind, State
from tests.policy.facts import memories, memory


def test_it_rests_on_the_vault_itself_and_is_stamped_as_indexed() -> None:
    plan = index_plan([memory()])
    assert (plan.kind, plan.authority) == (ReceiptKind.VALUE_INDEXED, Authority("sys"))


@given(st.lists(memories(), unique_by=lambda each: each.memory_id))
def test_nothing_special_attested_or_put_away_is_read(found: list[Memory]) -> None:
    plan = index_plan(found)
    assert [item.memory_id for item in plan.items] == [
        each.memory_id
        for each in found
        if each.category is Category.ORDINARY and each.state is State.APPROVED and not each.attested
    ]
    assert {item.form for item in plan.items} <= {Form.VALUE}
