"""Clients and their keys."""

from rest_framework import serializers

from apps.api.fields import Instant, Text, TypedId
from apps.api.outputs.shape import Shape


class KeyOut(Shape):
    """An API key as it can be told apart: its beginning, never the key."""

    id = TypedId("key", source="key_id")
    prefix = Text()
    made_at = Instant()
    last_used_at = Instant(allow_null=True)
    revoked_at = Instant(allow_null=True)


class ClientOut(Shape):
    id = TypedId("cli", source="client_id")
    name = Text()
    domain = Text()
    paused = serializers.BooleanField()
    local = serializers.BooleanField(help_text="It runs at home, the holder says: what is local only may go to it.")
    revoked_at = Instant(allow_null=True)
    registered_at = Instant()
    keys = KeyOut(many=True)


class RegisteredOut(Shape):
    """A new client and its API key, which is never shown again."""

    client = ClientOut()
    api_key = Text()


class NewKeyOut(Shape):
    key = KeyOut()
    api_key = Text(help_text="Never shown again.")
