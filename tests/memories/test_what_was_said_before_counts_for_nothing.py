"""A suggestion that was made before is known again, and is none of those that are too many in an hour."""

from datetime import UTC, datetime
from typing import Any

from apps.memories import services as memories
from apps.policy.types import Proposal, Refused
from apps.policy.vocabulary import Refusal
from tests.cast import Assistant

NOON = datetime(2030, 1, 1, 12, 5, tzinfo=UTC)


def say(cook: Assistant, value: str) -> Proposal | Refused:
    return memories.propose(cook.caller, label="Home town", subject=f"town.{value.lower()}", value=value, now=NOON)


def test_only_what_is_new_is_counted(cook: Assistant, settings: Any) -> None:
    settings.WISHES_PER_HOUR = 2
    first = say(cook, "Porto")
    assert isinstance(first, Proposal)
    for _ in range(4):
        again = say(cook, "Porto")
        assert isinstance(again, Proposal) and again.again and again.proposal_id == first.proposal_id
    assert isinstance(say(cook, "Braga"), Proposal)
    over = say(cook, "Faro")
    assert isinstance(over, Refused) and over.reason is Refusal.RATE_LIMITED
    again = say(cook, "Porto")
    assert isinstance(again, Proposal) and again.again, "what waits is told of whatever is too many"
