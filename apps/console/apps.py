"""Django's entry for this room."""

from django.apps import AppConfig


class ConsoleConfig(AppConfig):
    name = "apps.console"
    label = "console"

    def ready(self) -> None:
        from vault import checks  # noqa: F401  (registers the numbered system checks)
