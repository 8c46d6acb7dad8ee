"""Django's entry for this room."""

from django.apps import AppConfig


class TurnsConfig(AppConfig):
    name = "apps.turns"
    label = "turns"

    def ready(self) -> None:
        """What the chat holds joins every erasure and every change of keys, in whatever process that happens."""
        from apps.turns.services import forgetting, rewrapping  # noqa: F401
