"""Shares, as their owner sees them: what they carry by its labels, for whom, and what they were opened by."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from rest_framework import serializers

from apps.api.fields import Day, Instant, Named, Text, TypedId, Whole, Word
from apps.api.outputs.shape import Shape
from apps.policy.arriving import Course
from apps.policy.vocabulary import Claim, Form
from apps.shares.services import Code, Shared, ShareState


class SharedLineOut(Shape, Named):
    """A memory of a share. Of one that was erased only its id is left."""

    memory = TypedId("mem", source="item.memory_id")
    version = Whole(source="item.version", help_text="It is handed over in this version and in no later one.")
    label = Text(allow_null=True)
    handed_over = serializers.BooleanField(source="now", help_text="false: corrected, put away or erased since.")


class ShareLinkOut(Shape):
    """One link of a share. `url` is told once, where the share is made."""

    id = TypedId("lnk", source="link_id")
    name = Text(help_text="Whom it is for; empty: whoever has it.")
    address = Text()
    stopped_at = Instant(allow_null=True)
    mail = Word(Course, allow_null=True, help_text="How far the mail with it is; null: none was sent, or long ago.")
    url = serializers.URLField(allow_null=True)


class ShareOut(Shape):
    id = TypedId("shr", source="share.share_id")
    state = Word(ShareState)
    memories = SharedLineOut(many=True)
    links = ShareLinkOut(many=True)
    note = Text(source="share.note")
    code = Word(Code, source="share.code")
    expires_at = Instant(source="share.expires_at")
    opens_most = Whole(source="share.opens_most")
    opens_left = Whole(source="share.opens_left")
    stopped_at = Instant(source="share.stopped_at", allow_null=True)
    made_at = Instant(source="share.made_at")


class ShareOpeningOut(Shape):
    """One opening: what was seen cannot be unseen."""

    id = TypedId("opn", source="opening_id")
    link = TypedId("lnk", source="link_id")
    opened_at = Instant()
    client = Text(help_text="What the browser said of itself, coarsely.")
    views = Whole(help_text="How often the same browser looked again in the fifteen minutes after it.")
    last_view_at = Instant(allow_null=True)


class ShareLineOut(Shape, Named):
    """A memory as whoever opens the share would get it, without its value."""

    memory = TypedId("mem", source="memory.memory_id")
    label = Text(source="memory.label")
    form = Word(Form)
    claim = Word(Claim, source="memory.claim", allow_null=True)
    as_of = Day(source="memory.as_of", allow_null=True)


class SharePreviewOut(Shape):
    """What a share would carry, and the most that its space allows."""

    memories = ShareLineOut(many=True, source="lines")
    hours_most = Whole(source="bounds.hours_most")
    opens_most = Whole(source="bounds.opens_most")


def share_facts(found: Shared, courses: Mapping[str, Course], urls: Mapping[UUID, str] | None = None) -> dict[str, Any]:
    """A share as ShareOut writes it. `courses` of its letters by `lnk_…`; `urls` by the link's id, where it was just
    made.
    """
    links = [
        {
            "link_id": each.link_id,
            "name": each.name,
            "address": each.address,
            "stopped_at": each.stopped_at,
            "mail": courses.get(each.recipient),
            "url": (urls or {}).get(each.link_id),
        }
        for each in found.share.links
    ]
    lines = [
        {"item": each.item, "label": each.memory.label if each.memory else None, "now": each.now}
        for each in found.lines
    ]
    return {"share": found.share, "state": found.state, "memories": lines, "links": links}
