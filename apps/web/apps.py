"""Django's entry for this room."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "apps.web"
    label = "web"

    def ready(self) -> None:
        """Look at every sign-in."""
        from apps.web import known

        known.listen()
