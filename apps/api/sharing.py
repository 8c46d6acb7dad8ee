"""What the REST surface takes of shares: shapes only. What may be shared, and how far, is the rules' to say."""

from datetime import timedelta
from typing import Any

from rest_framework import serializers

from apps.api.fields import Text, Whole, Word, ids
from apps.api.inputs import MOST_NUMBER
from apps.policy.shares import LASTS, MOST_NOTE, OPENS
from apps.shares.services import Code, Recipient

MOST_SECONDS = int(timedelta(days=366).total_seconds())


class RecipientIn(serializers.Serializer[Any]):
    """Whom a link of their own is for. With an address it is mailed to them."""

    name = Text()
    address = Text(default="", allow_blank=True)


class SharePreviewIn(serializers.Serializer[Any]):
    memories = ids("mem", allow_empty=False)


class ShareIn(SharePreviewIn):
    """A share. Without recipients it has one link, for whoever has it."""

    lasts_seconds = Whole(default=int(LASTS.total_seconds()), min_value=1, max_value=MOST_SECONDS)
    opens = Whole(default=OPENS, min_value=1, max_value=MOST_NUMBER, help_text="By all of its links together.")
    note = Text(default="", allow_blank=True, help_text=f"The sender's words, at most {MOST_NOTE} characters.")
    recipients = serializers.ListField(child=RecipientIn(), default=list, max_length=20)
    code = Word(
        Code,
        default=None,
        allow_null=True,
        help_text="null: by mail where every recipient has an address, else none.",
    )
    pin = Text(default="", allow_blank=True, help_text="With code `pin`: 6 to 12 digits. It is kept as a hash.")


def terms_of(sent: dict[str, Any]) -> dict[str, Any]:
    """As the services take them."""
    return {
        "lasts": timedelta(seconds=sent["lasts_seconds"]),
        "opens": sent["opens"],
        "note": sent["note"],
        "recipients": [Recipient(**each) for each in sent["recipients"]],
        "code": sent["code"],
        "pin": sent["pin"],
    }


def places(sent: dict[str, Any]) -> dict[str, str]:
    """Where each of those it is for stood in what was sent (RFC 6901), by the place that the services know them by."""
    return {str(index): f"/recipients/{index}" for index in range(len(sent["recipients"]))}
