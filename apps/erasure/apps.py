"""Django's entry for this room."""

from django.apps import AppConfig


class ErasureConfig(AppConfig):
    name = "apps.erasure"
    label = "erasure"

    def ready(self) -> None:
        """Every erasure has an order, in whatever process it happens."""
        from apps.erasure.services import accounting  # noqa: F401
