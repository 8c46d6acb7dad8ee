"""When the cool-down that a denial starts is over."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.rules import cool_down_after
from apps.policy.vocabulary import PartStatus
from tests.policy.facts import HOUR, NOW


def test_a_denial_cools_down_for_so_many_hours() -> None:
    assert cool_down_after(PartStatus.DENIED, NOW, 24) == NOW + 24 * HOUR
    assert cool_down_after(PartStatus.DENIED, NOW, 0) == NOW


@pytest.mark.parametrize("status", [status for status in PartStatus if status is not PartStatus.DENIED])
def test_nothing_else_does(status: PartStatus) -> None:
    assert cool_down_after(status, NOW, 24) is None


def test_what_was_not_decided_does_not() -> None:
    assert cool_down_after(PartStatus.DENIED, None, 24) is None


@given(st.sampled_from(PartStatus), st.integers(0, 10_000))
def test_only_a_denial_cools_down_and_for_exactly_these_hours(status: PartStatus, hours: int) -> None:
    ends = NOW + hours * HOUR if status is PartStatus.DENIED else None
    assert cool_down_after(status, NOW, hours) == ends
