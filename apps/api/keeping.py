"""What the REST surface takes of how long things are kept: shapes only. The bounds are the rules' to say."""

from typing import Any

from rest_framework import serializers

from apps.api.fields import Whole, Word
from apps.policy.retention import Keeping, Kept
from apps.policy.vocabulary import Category

MOST_DAYS = 2**31 - 1  # what a number is at all


class KeptIn(serializers.Serializer[Any]):
    """Memories of a category go so many days after they were said, or said to hold, last."""

    category = Word(Category)
    days = Whole(min_value=0, max_value=MOST_DAYS)


class KeepingIn(serializers.Serializer[Any]):
    """For how many days what is kept, whole; null, and a category that is not sent: for good."""

    turns_days = Whole(allow_null=True, min_value=0, max_value=MOST_DAYS, help_text="Conversations.")
    proposals_days = Whole(min_value=0, max_value=MOST_DAYS, help_text="Words of suggestions that were decided.")
    notes_days = Whole(min_value=0, max_value=MOST_DAYS, help_text="Notes of requests that were decided.")
    memories = serializers.ListField(child=KeptIn(), max_length=len(Category))


def keeping_of(sent: dict[str, Any]) -> Keeping:
    """What was sent, as a fact."""
    return Keeping(**sent | {"memories": tuple(Kept(**each) for each in sent["memories"])})
