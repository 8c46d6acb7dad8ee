"""Fields of the JSON that comes in and goes out: each says what it takes, and echoes nothing."""

from datetime import UTC
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.utils.dateparse import parse_datetime
from rest_framework import serializers

from apps.policy.ids import typed, untyped

MOST_AT_ONCE = 50
AS_OF = "On which day it was seen to be so: a note, by which nothing begins. valid_from does that."


class Text(serializers.CharField):
    """A JSON string, kept as it is: nothing is trimmed, no number is taken for a text."""

    default_error_messages = {"invalid": "Send a text.", "blank": "It is empty. Write something."}

    def __init__(self, **options: Any) -> None:
        super().__init__(trim_whitespace=False, **options)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Whole(serializers.IntegerField):
    """A JSON number without a fraction."""

    default_error_messages = {"invalid": "Send a whole number."}

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return super().to_internal_value(data)


class Named(serializers.Serializer[Any]):
    # A last base, for an object with a member called what DRF calls something of a serializer's own: no harm, it takes
    # the fields off the class before. No docstring, which the OpenAPI document would take over.
    label: Any
    source: Any
    errors: Any


class Instant(serializers.DateTimeField):
    """A time in RFC 3339, in UTC. One that does not say its offset is no moment, and is refused."""

    default_error_messages = {
        "invalid": "Send a time such as 2026-11-29T14:02:11Z.",
        "overflow": "Not a time.",
        "offset": "Say of which place it is: end it with Z for UTC, or with an offset such as +05:30.",
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(default_timezone=UTC, **options)

    def to_internal_value(self, value: Any) -> Any:
        if not isinstance(value, str):
            self.fail("invalid")
        try:
            moment = parse_datetime(value)
        except ValueError:
            moment = None
        if moment is not None and moment.tzinfo is None:
            self.fail("offset")
        return super().to_internal_value(value)


class Day(serializers.DateField):
    """A date, such as 2026-11-29."""

    default_error_messages = {"invalid": "Send a date such as 2026-11-29.", "datetime": "Send a date alone."}

    def to_internal_value(self, value: Any) -> Any:
        if not isinstance(value, str):
            self.fail("invalid")
        return super().to_internal_value(value)


class TypedId(serializers.Field[UUID, str, str, Any]):
    """An id with its prefix, such as `mem_` and 32 hex digits."""

    default_error_messages = {"id": "Send an id as {prefix}_ and 32 lower-case hex digits."}

    def __init__(self, prefix: str, **options: Any) -> None:
        self.prefix = prefix
        super().__init__(**options)

    def to_internal_value(self, data: Any) -> UUID:
        found = untyped(self.prefix, data)
        if found is None:
            self.fail("id", prefix=self.prefix)
        return found

    def to_representation(self, value: UUID) -> str:
        return typed(self.prefix, value)


class Word(serializers.ChoiceField):
    """One word of a closed list, which a no lists: it is in the OpenAPI document too."""

    default_error_messages = {"invalid_choice": "Choose one of: {words}."}

    def __init__(self, words: type[StrEnum] | list[Any], **options: Any) -> None:
        self.words = {str(word): word for word in words}
        super().__init__(choices=list(self.words), **options)

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str) or data not in self.words:
            self.fail("invalid_choice", words=", ".join(self.words))
        return self.words[data]

    def to_representation(self, value: Any) -> str:
        return str(value)


def ids(prefix: str, **options: Any) -> serializers.ListField:
    """A list of ids, at most 50."""
    return serializers.ListField(child=TypedId(prefix), max_length=MOST_AT_ONCE, **options)


class ReceiptNumber(serializers.Field[int, str, str, Any]):
    """A receipt's id: `rcp_` and its number in the vault's ledger."""

    def to_representation(self, value: int) -> str:
        return f"rcp_{value}"


class Hex(serializers.Field[bytes, str, str, Any]):
    """Bytes in hex; a digest with its algorithm before it. Null where there is none to be seen (`allow_null`)."""

    def __init__(self, algorithm: str = "", **options: Any) -> None:
        self.prefix = f"{algorithm}:" if algorithm else ""
        super().__init__(**options)

    def to_representation(self, value: bytes) -> str | None:  # type: ignore[override]
        return self.prefix + value.hex() if value else None


def receipt_number(text: str) -> int | None:
    """The number in a receipt's id; None for anything else."""
    digits = text.removeprefix("rcp_")
    if digits == text or not digits.isascii() or not digits.isdigit() or not 0 < len(digits) < 19:
        return None
    return int(digits) if digits[0] != "0" else None
