"""What is taken over by what comes from a memory: that it is kept apart, or at home."""

from dataclasses import replace

import pytest

from apps.policy.marking import apart, inherited, kept_close
from apps.policy.types import Memory
from apps.policy.vocabulary import Category, Claim, State
from tests.policy.facts import memory

PLAIN = memory()
APART = (
    *(replace(PLAIN, category=each) for each in Category if each.special),
    replace(PLAIN, attested=True, claim=Claim.BUDGET),
    replace(PLAIN, state=State.SEALED),
)


@pytest.mark.parametrize("kept", APART)
def test_what_is_special_attested_or_sealed_is_kept_apart(kept: Memory) -> None:
    assert apart(kept) and kept_close(kept)


def test_what_stays_at_home_is_kept_close_and_not_apart() -> None:
    home = replace(PLAIN, local_only=True)
    assert kept_close(home) and not apart(home)
    assert not kept_close(PLAIN)


def test_the_category_is_that_of_the_special_one_among_its_sources() -> None:
    assert inherited([]) is inherited([PLAIN]) is Category.ORDINARY
    assert inherited([PLAIN, replace(PLAIN, category=Category.HEALTH)]) is Category.HEALTH
