"""The chat's turns."""

from rest_framework import serializers

from apps.api.fields import Instant, ReceiptNumber, Text, TypedId, Word
from apps.api.outputs.asking import NoticeOut
from apps.api.outputs.file import MemoryOut
from apps.api.outputs.shape import PARTS, Shape
from apps.policy.vocabulary import Category, ItemState, PartStatus, TurnStatus


class TurnItemOut(Shape):
    memory = TypedId("mem", source="memory_id")
    category = Word(Category)
    state = Word(ItemState)
    receipt = ReceiptNumber(source="seq", allow_null=True)


class CardPartOut(Shape):
    part = Word(PARTS)
    status = Word(PartStatus)
    memories = MemoryOut(many=True)


class SentenceOut(Shape):
    text = Text()
    changed = serializers.BooleanField()


class TurnOut(Shape):
    """A question and what became of it. `card` is what may be decided; `compared` is set where a turn answers again."""

    id = TypedId("trn", source="turn_id")
    status = Word(TurnStatus)
    question = Text()
    answer = Text()
    model = Text()
    stand_in = serializers.BooleanField(help_text="True: no model answered, the built-in stand-in did.")
    without_of = TypedId("trn", allow_null=True)
    items = TurnItemOut(many=True)
    asked_at = Instant()
    answered_at = Instant(allow_null=True)
    receipt = ReceiptNumber(source="receipt_seq", allow_null=True)
    card = CardPartOut(many=True)
    notice = NoticeOut(allow_null=True)
    compared = SentenceOut(many=True, allow_null=True)
