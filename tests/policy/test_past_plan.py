"""The holder looks at what a memory said: each version under the category it had then, and stamped as shown."""

from datetime import timedelta
from uuid import uuid4

import pytest

from apps.policy.plans import RETIRED, past_plan
from apps.policy.types import Authority, Memory, MemoryVersion
from apps.policy.vocabulary import Category, Form, ReceiptKind, State
from tests.policy.facts import NOW, memory


def line(of: Memory, version: int, category: Category = Category.ORDINARY) -> MemoryVersion:
    """A line of its history."""
    return MemoryVersion(
        of.memory_id, version, NOW, "hld_" + "a" * 32, NOW + timedelta(1), None, "holder", "", category
    )


def test_it_rests_on_the_holder_and_is_a_showing() -> None:
    plan = past_plan([])
    assert (plan.kind, plan.authority, plan.items) == (ReceiptKind.VALUE_SHOWN, Authority("hld"), ())


def test_a_version_that_does_not_hold_is_asked_for_as_retired_and_the_one_that_does_as_it_stands() -> None:
    mine = memory(version=2, state=State.WITHDRAWN)
    plan = past_plan([(mine, line(mine, 1)), (mine, line(mine, 2))])
    assert [(item.version, item.state) for item in plan.items] == [(1, RETIRED), (2, State.WITHDRAWN.value)]


def test_each_is_shown_under_the_category_it_had() -> None:
    mine = memory(version=2)
    (item,) = past_plan([(mine, line(mine, 1, Category.HEALTH))]).items
    assert (item.category, item.form) == (Category.HEALTH, Form.VALUE)


@pytest.mark.parametrize(("attested_too", "form"), [(True, Form.VALUE), (False, Form.ATTESTED)])
def test_an_attested_one_is_open_to_its_holder_alone(attested_too: bool, form: Form) -> None:
    mine = memory(version=2, attested=True)
    assert past_plan([(mine, line(mine, 1))], attested_too=attested_too).items[0].form is form


def test_of_what_is_erased_nothing_is_asked_for() -> None:
    gone = memory(memory_id=uuid4(), version=2, state=State.ERASED)
    assert past_plan([(gone, line(gone, 1))]).items == ()
