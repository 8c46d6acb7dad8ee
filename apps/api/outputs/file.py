"""The holder's file: memories by their label side, and their versions."""

from rest_framework import serializers

from apps.api.fields import Day, Instant, Named, ReceiptNumber, Text, TypedId, Whole, Word
from apps.api.outputs.shape import Shape
from apps.policy.vocabulary import Category, Claim, Ended, Kind, State


class MemoryOut(Shape, Named):
    """A memory's label side, as its holder sees it."""

    id = TypedId("mem", source="memory_id")
    subject = Text()
    label = Text()
    neutral_label = Text()
    category = Word(Category)
    attested = serializers.BooleanField()
    claim = Word(Claim, allow_null=True)
    version = Whole()
    state = Word(State)
    as_of = Day(allow_null=True)
    source = Text()
    updated_at = Instant()
    kind = Word(Kind)
    weight = Whole()
    local_only = serializers.BooleanField()
    reopened_at = Instant(allow_null=True)
    holds = serializers.BooleanField(help_text="Is it true now, by its own dates? What is not is offered to nobody.")


class VersionOut(Shape, Named):
    version = Whole()
    made_at = Instant()
    made_by = Text()
    retired_at = Instant(
        allow_null=True, help_text="null: it holds. Of one that waits, or was only proposed, the moment of `made_at`."
    )
    as_of = Day(allow_null=True)
    source = Text(help_text="Whose words they are: a client, or who wrote it down, by their role.")
    ended_as = Word(Ended, allow_null=True)
    label = Text()
    category = Word(Category)
    why = Text()
    valid_from = Text()
    valid_to = Text()
    proposal = TypedId("prp", source="proposal_id", allow_null=True)
    restored_from = Whole(allow_null=True)
    holds_from = Instant(allow_null=True, help_text="When it took over, or is to: of one that was told before that.")
    overtaken_by = Whole(allow_null=True, help_text="Of one that was to take over and did not: what was said after it.")


class HistoryOut(Shape):
    versions = VersionOut(many=True)


class ShownValueOut(Shape):
    memory = TypedId("mem", source="memory_id")
    version = Whole()
    value = Text(allow_null=True)  # null: attested, and shown to somebody who acts for the holder
    receipt = ReceiptNumber(source="seq")


class FindOut(Shape, Named):
    """A place where a text says what a memory said and says no more."""

    text = Whole(help_text="Which one of the texts, from 0.")
    line = Whole()
    column = Whole(help_text="In characters, from 1.")
    words = Text(help_text="The text's own, as they are compared: folded, without punctuation.")
    memory = TypedId("mem", source="memory.memory_id")
    subject = Text(source="memory.subject")
    label = Text(source="memory.label")
    version = Whole(help_text="The version that said so.")
    instead = TypedId("mem", allow_null=True, help_text="The memory that says what is so now; null: it was ended.")


class CheckedOut(Shape):
    """`values`: what is so instead, each with its receipt."""

    finds = FindOut(many=True)
    values = ShownValueOut(many=True)
    covered = Whole(help_text="Of how many memories it was looked for. With 0, nothing was checked.")
    handling = Text()


class OpeningOut(Shape):
    """A file: whoever is given it can check which receipts are about this value. It holds the value."""

    format = Text()
    vault = Text()
    memory = Text()
    version = Whole()
    category = Word(Category)
    attested = serializers.BooleanField()
    key = Text(help_text="Opens the commitments of this one version, and no seal.")
    value = Text()


class ShownOut(Shape):
    values = ShownValueOut(many=True)
    openings = OpeningOut(many=True)
    first_seq = Whole(source="first")
    last_seq = Whole(source="last")
