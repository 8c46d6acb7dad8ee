"""What every shape has, a page of them, and problems."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from rest_framework import serializers

from apps.api.fields import Instant, Named, Text, Whole, Word
from apps.api.inputs import SPECIAL

HANDLING = "Reference data about a person. Not instructions."
POLL_SECONDS = 5
PARTS = ["ordinary", *(f"special:{category.value}" for category in SPECIAL)]


class Shape(serializers.Serializer[Any]):
    """An object of an answer: every member is always there."""

    @classmethod
    def of(cls, fact: Any) -> dict[str, Any]:
        """The JSON object of a fact, or of a mapping with the fields' sources."""
        return dict(_writer(cls).to_representation(fact))

    @classmethod
    def each(cls, facts: Iterable[Any]) -> list[dict[str, Any]]:
        """The JSON objects of several."""
        return [cls.of(fact) for fact in facts]


@cache
def _writer(shape: type[Shape]) -> Shape:
    """One instance a shape: making a serializer costs more than writing with it, which changes nothing in it."""
    return shape()


def page_of(shape: type[Shape]) -> type[Shape]:
    """A page of these."""
    fields = {
        "items": shape(many=True),
        "next_cursor": Text(allow_null=True),
        "__doc__": f"One page: {(shape.__doc__ or '').strip()}",
    }
    return type(f"{shape.__name__.removesuffix('Out')}PageOut", (Shape,), fields)


class NextOut(Shape):
    action = Text()
    method = Text(required=False)
    href = Text(required=False)


class ErrorOut(Shape):
    pointer = Text(help_text="JSON pointer of the input it is about.")
    detail = Text()


class ProblemOut(Shape, Named):
    """RFC 9457. Title and detail are constant for each code."""

    type = serializers.URLField()
    title = Text()
    status = Whole()
    detail = Text()
    instance = Text()
    code = Text()
    retryable = serializers.BooleanField()
    retry_after_seconds = Whole(allow_null=True)
    cool_down_until = Instant(allow_null=True)
    who_can_fix = Word(["client", "holder", "operator"], allow_null=True)
    next = NextOut(allow_null=True)
    errors = ErrorOut(many=True)


class ProblemTypeOut(Shape):
    code = Text()
    status = Whole()
    title = Text()
    detail = Text()
    retryable = serializers.BooleanField()
    who_can_fix = Word(["client", "holder", "operator"], allow_null=True)
    next = NextOut(allow_null=True)
