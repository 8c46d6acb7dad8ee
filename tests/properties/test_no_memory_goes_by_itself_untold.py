"""No memory goes by itself untold: whoever decides is told thirty days before it, and saying that it holds keeps it.

Protects the holder from what their household or clinic has settled, and from a clock that stood still.
"""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from apps.erasure import services as erasure
from apps.holders import services as holders
from apps.memories import services as memories
from apps.policy.erasing import Order
from apps.policy.retention import Keeping, Kept
from apps.policy.types import Refused
from apps.policy.vocabulary import Category
from tests.cast import Vault
from vault.clock import utc_now

DAY = timedelta(days=1)


def settle(vault: Vault, days: int) -> None:
    """Memories of health are kept for so many days in the vault's household."""
    (place,) = holders.memberships(vault.holder.user_id)
    wish = replace(holders.space_policy(place.space_id), keeping=Keeping(memories=(Kept(Category.HEALTH, days),)))
    assert not isinstance(holders.settle(vault.holder.user_id, place.space_id, wish, utc_now()), Refused)


def there(vault: Vault, name: str) -> bool:
    """Is it in the file?"""
    return memories.memory(vault.holder, vault.ids[name]) is not None


@pytest.fixture
def health(alice: Vault) -> Vault:
    """A vault whose household keeps memories of health for a hundred days."""
    settle(alice, 100)
    return alice


@pytest.fixture
def start() -> datetime:
    return utc_now()


def test_a_memory_nobody_was_told_of_stays_however_late_the_clock_is(health: Vault, start: datetime) -> None:
    assert erasure.retain(health.id, start + 5_000 * DAY) is None
    assert there(health, "pills")
    assert erasure.retain(health.id, start + 5_029 * DAY) is None
    assert isinstance(erasure.retain(health.id, start + 5_031 * DAY), Order)
    assert not there(health, "pills")


def test_saying_that_it_holds_keeps_it(health: Vault, start: datetime) -> None:
    erasure.retain(health.id, start + 75 * DAY)
    memories.reaffirm(health.holder, health.ids["pills"], 1, start + 80 * DAY, if_version=1)
    erasure.retain(health.id, start + 120 * DAY)
    assert there(health, "pills")
    erasure.retain(health.id, start + 151 * DAY)
    assert there(health, "pills"), "it is told anew"
    erasure.retain(health.id, start + 182 * DAY)
    assert not there(health, "pills")


def test_a_longer_time_settled_after_it_was_told_tells_it_anew(health: Vault, start: datetime) -> None:
    erasure.retain(health.id, start + 75 * DAY)
    settle(health, 200)
    assert erasure.going_soon(health.holder, start + 76 * DAY) == ()
    erasure.retain(health.id, start + 199 * DAY)
    erasure.retain(health.id, start + 201 * DAY)
    assert there(health, "pills")
    erasure.retain(health.id, start + 230 * DAY)
    assert not there(health, "pills")
