"""What a tool is called with: ids, words of closed lists, the client's own names for its answers."""

from typing import Any
from uuid import UUID, uuid5

from apps.policy.ids import typed, untyped
from apps.policy.text import TextProblem
from apps.policy.types import Caller


def id_of(prefix: str, text: str, field: str) -> UUID:
    """The id. Raises TextProblem for what is none."""
    found = untyped(prefix, text)
    if found is None:
        raise TextProblem(field, f"Send ids as {prefix}_ and 32 lower-case hex digits.")
    return found


def word_of(words_: Any, text: str, field: str) -> Any:
    """The word of a closed list. Raises TextProblem for what is none."""
    try:
        return words_(text)
    except ValueError:
        raise TextProblem(field, "Use one of the words that the schema or list_subjects names.") from None


def turn_of(who: Caller, turn_id: str) -> str:
    """The client's own name for an answer as it stands in receipts: an id made from it, never the words."""
    return typed("trn", untyped("trn", turn_id) or uuid5(who.client.client_id, turn_id))
