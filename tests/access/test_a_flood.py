"""Over the limit of reads a minute a client is told to wait, and the minute has one receipt however many came."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.access.services import ReadResult
from apps.policy.types import Refused
from apps.policy.vocabulary import Refusal
from tests.cast import Assistant, Vault, give
from tests.threads import at_once

MINUTE = datetime(2026, 11, 30, 12, 0, 10, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _three_a_minute(settings: Any) -> None:
    settings.READS_PER_MINUTE = 3


def test_the_fourth_waits_for_the_next_minute(alice: Vault, cook: Assistant) -> None:
    give(cook, "kitchen", now=MINUTE)
    for _ in range(3):
        assert isinstance(cook.read("kitchen", now=MINUTE), ReadResult)
    assert cook.read("kitchen", now=MINUTE) == Refused(Refusal.RATE_LIMITED, until=MINUTE.replace(minute=1, second=0))
    assert isinstance(cook.read("kitchen", now=MINUTE + timedelta(minutes=1)), ReadResult)


def test_a_minute_has_one_receipt_of_it_that_names_nothing(alice: Vault, cook: Assistant) -> None:
    for _ in range(10):
        cook.read("pills", now=MINUTE)
    floods = [each for each in alice.receipts(kind="value.refused") if each.reason == "rate-limited"]
    assert len(floods) == 1
    assert (floods[0].actor, floods[0].memory_id, floods[0].purpose) == (cook.actor, None, "-")
    for _ in range(10):
        cook.read("pills", now=MINUTE + timedelta(minutes=1))
    assert alice.refusals().count("rate-limited") == 2
    assert alice.refusals().count("not-found") == 6, "three a minute were judged"


def test_a_flood_at_once_has_one_receipt_too(alice: Vault, cook: Assistant) -> None:
    caller = cook.caller
    assert caller
    at_once([lambda: cook.read("kitchen", now=MINUTE)] * 10)
    assert alice.refusals().count("rate-limited") == 1
    assert alice.refusals().count("grant-required") == 3


def test_another_client_is_not_held_up(alice: Vault, cook: Assistant, clinic: Assistant) -> None:
    for _ in range(5):
        cook.read("kitchen", now=MINUTE)
    assert isinstance(clinic.read("kitchen", now=MINUTE), ReadResult)


def test_a_repeated_send_counts_too(alice: Vault, cook: Assistant) -> None:
    """Or one key would be a way around the limit."""
    for _ in range(3):
        cook.read("kitchen", key="one-key-only", now=MINUTE)
    assert not cook.read("kitchen", key="one-key-only", now=MINUTE)
