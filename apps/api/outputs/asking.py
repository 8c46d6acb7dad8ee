"""Who calls, what may be asked for, requests and grants."""

from typing import Any

from rest_framework import serializers

from apps.api.fields import Instant, Named, Text, TypedId, Whole, Word
from apps.api.outputs.file import MemoryOut
from apps.api.outputs.shape import PARTS, NextOut, Shape
from apps.policy.vocabulary import Category, GrantState, PartStatus, Purpose

TO_CLIENTS = [each for each in PartStatus if each is not PartStatus.IN_REVIEW]  # who else decides, they are not told


class LimitsOut(Shape):
    reads_per_minute = Whole()
    most_at_once = Whole()


class MeOut(Shape):
    """Whom the credential stands for."""

    kind = Word(["client", "holder"])
    vault = TypedId("vlt")
    name = Text(help_text="The client's or the holder's own name.")
    client = TypedId("cli", allow_null=True)
    paused = serializers.BooleanField()
    mcp = serializers.URLField(help_text="Where this vault is reached by MCP.")
    server_time = Instant()
    limits = LimitsOut()


class SubjectOut(Shape, Named):
    """What may be asked for; never a value. A special category appears once it was granted, by its neutral side."""

    memory = TypedId("mem", source="memory_id")
    subject = Text()
    label = Text()
    category = Word(Category)
    attested = serializers.BooleanField()


class GrantOut(Shape):
    id = TypedId("gra", source="grant.grant_id")
    client = TypedId("cli", source="grant.client_id")
    state = Word(GrantState)
    purpose = Word(Purpose, source="grant.purpose")
    category = Word(Category, source="grant.category")
    memories = serializers.ListField(child=TypedId("mem"), source="grant.memory_ids")
    expires_at = Instant(source="grant.expires_at")
    reads_left = Whole(source="grant.reads_left", allow_null=True, help_text="null: any number until it ends.")
    reads_done = Whole(source="grant.reads_done", help_text="What was handed over is not pulled back by ending it.")
    last_used_at = Instant(source="grant.last_used_at", allow_null=True)
    lapses_at = Instant(source="grant.lapses_at", help_text="When it lapses if it is not used until then.")
    paused = serializers.BooleanField(source="grant.paused")
    revoked_at = Instant(source="grant.revoked_at", allow_null=True)
    lapsed_at = Instant(source="grant.lapsed_at", allow_null=True)
    request = TypedId("req", source="grant.request_id", allow_null=True)
    made_at = Instant(source="grant.made_at")


class RequestPartOut(Shape):
    part = Word(PARTS, source="part.name")
    status = Word(TO_CLIENTS)
    items = serializers.SerializerMethodField(help_text="How many memories are asked for; null for a whole category.")
    grant = TypedId("gra", source="grant_id", allow_null=True)

    def get_items(self, part: Any) -> int | None:
        return None if part.part.whole_category else len(part.part.memory_ids)


class RequestOut(Shape):
    """A client's request as the client sees it. It is never told which person decided."""

    id = TypedId("req", source="request_id")
    status = Word(TO_CLIENTS)
    purpose = Word(Purpose)
    parts = RequestPartOut(many=True)
    grants = GrantOut(many=True)
    made_at = Instant()
    expires_at = Instant()
    interval_seconds = Whole()
    holder_url = serializers.URLField(help_text="Where the holder decides, signed in. It opens nothing by itself.")
    next = NextOut(allow_null=True)


class ChoiceOut(Shape):
    """One part as the holder decides it: what may be chosen from."""

    part = Word(PARTS, source="part.part.name")
    status = Word(PartStatus, source="part.status")
    decided_at = Instant(source="part.decided_at", allow_null=True)
    grant = TypedId("gra", source="part.grant_id", allow_null=True)
    memories = MemoryOut(many=True)
    sent_back = Text(help_text="What a reviewer wrote to the holder about it last; empty for nothing.")


class BelowOut(Shape):
    """A space's own notice: whose, in which version of its policy."""

    space = TypedId("spc", source="space_id")
    version = Whole()


class NoticeOut(Shape):
    """What is to be read before one decides: the text at `href`. A decision names it by the other two."""

    notice = Whole(source="number")
    notice_below = BelowOut(source="below", allow_null=True)
    href = Text(source="address")


class PendingOut(Shape):
    """A client's request as the holder sees it. `purpose_note` and the client's name are a stranger's words."""

    id = TypedId("req", source="request_id")
    client = TypedId("cli", source="client_id")
    client_name = Text()
    status = Word(PartStatus)
    purpose = Word(Purpose)
    purpose_note = Text()
    ttl_seconds = Whole()
    max_reads = Whole(allow_null=True)
    made_at = Instant()
    expires_at = Instant()
    parts = ChoiceOut(many=True)
    notice = NoticeOut()
