"""Django's entry for this room."""

from django.apps import AppConfig


class SharesConfig(AppConfig):
    name = "apps.shares"
    label = "shares"

    def ready(self) -> None:
        """What links carry joins every erasure, in whatever process that happens."""
        from apps.shares.services import closing  # noqa: F401
