"""Django's entry for this room."""

from django.apps import AppConfig


class MailConfig(AppConfig):
    name = "apps.mail"
    label = "mail"

    def ready(self) -> None:
        """Hear what a provider tells of the letters that it took."""
        from apps.mail import hearing

        hearing.listen()
