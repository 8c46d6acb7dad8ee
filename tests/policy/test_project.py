"""In which form a memory may leave. The one road from a memory to a disclosure."""

from hypothesis import given

from apps.policy.rules import project
from apps.policy.types import Memory
from apps.policy.vocabulary import Form
from tests.policy.facts import memories, memory


def test_a_plain_one_as_its_value_and_an_attested_one_as_proof() -> None:
    assert project(memory()) is Form.VALUE
    assert project(memory(attested=True)) is Form.ATTESTED


@given(memories())
def test_attested_is_decided_by_nothing_else(drawn: Memory) -> None:
    assert (project(drawn) is Form.ATTESTED) == drawn.attested
    assert project(drawn) is not Form.REFUSED
