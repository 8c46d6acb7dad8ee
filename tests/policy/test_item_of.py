"""A plan's line says the memory as its row stands, so that the gate can compare."""

from hypothesis import given
from hypothesis import strategies as st

from apps.policy.rules import item_of
from apps.policy.types import Memory, PlanItem
from apps.policy.vocabulary import Form
from tests.policy.facts import memories


@given(memories(), st.sampled_from(Form))
def test_every_field_is_the_row_s(drawn: Memory, form: Form) -> None:
    assert item_of(drawn, form) == PlanItem(
        drawn.memory_id, form, drawn.version, drawn.category, drawn.state.value, drawn.attested
    )
