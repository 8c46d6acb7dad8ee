"""What a person wishes of mail, as REST takes and gives it: shapes, and the way between them and the rules' own."""

from dataclasses import replace
from typing import Any

from rest_framework import serializers

from apps.api.fields import Text, Whole, Word
from apps.api.outputs.shape import Shape
from apps.policy.wishes import Every, Quiet, Switch, Wishes

SWITCHES = (Switch.REQUESTS, Switch.OPENED, Switch.WAITING)


class Clock(serializers.TimeField):
    """A time of the day, to the minute."""

    default_error_messages = {"invalid": "Send a time such as 22:00."}

    def __init__(self, **options: Any) -> None:
        super().__init__(format="%H:%M", input_formats=["%H:%M"], **options)

    def to_internal_value(self, value: Any) -> Any:
        if not isinstance(value, str):
            self.fail("invalid")
        return super().to_internal_value(value)


class QuietIn(serializers.Serializer[Any]):
    """From when until when, in the person's time zone; it may go over midnight."""

    begins = Clock()
    ends = Clock()


class MailIn(serializers.Serializer[Any]):
    """What is wished. What is not sent stays."""

    requests = serializers.BooleanField(required=False, help_text="That somebody asks to read.")
    opened = serializers.BooleanField(required=False, help_text="That a shared link was opened.")
    waiting = serializers.BooleanField(required=False, help_text="How much waits, once a day.")
    receipts = Word(Every, required=False, help_text="What was handed over, by assistant and number.")
    hour = Whole(required=False, min_value=0, max_value=23, help_text="Of the day at which the last two come.")
    quiet = QuietIn(required=False, allow_null=True, help_text="null: no quiet hours.")
    phrase = Text(required=False, allow_blank=True, help_text="At most 60 characters, in every letter to the person.")

    def validate_quiet(self, sent: dict[str, Any] | None) -> Quiet | None:
        return Quiet(**sent) if sent else None

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise serializers.ValidationError("Send what is wished.")
        return attrs


class QuietOut(Shape):
    """From when until when, in the person's time zone."""

    begins = Clock()
    ends = Clock()


class MailOut(Shape):
    """What a person wishes of mail: which letters they get, when, and the words by which they know them."""

    requests = serializers.BooleanField()
    opened = serializers.BooleanField()
    waiting = serializers.BooleanField()
    receipts = Word(Every)
    hour = Whole()
    quiet = QuietOut(allow_null=True)
    phrase = Text()


def wish_of(held: Wishes, sent: dict[str, Any]) -> Wishes:
    """What was held, and what was sent in its place."""
    off = {each for each in SWITCHES if not sent.get(each.value, not held.lacks(each))}
    named = {name: sent[name] for name in ("receipts", "hour", "quiet", "phrase") if name in sent}
    return replace(held, off=frozenset(off) | (held.off - set(SWITCHES)), **named)


def told(held: Wishes) -> dict[str, Any]:
    """The JSON object of wishes."""
    switches = {each.value: not held.lacks(each) for each in SWITCHES}
    rest = {name: getattr(held, name) for name in ("receipts", "hour", "quiet", "phrase")}
    return MailOut.of(switches | rest)
