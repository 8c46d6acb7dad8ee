"""Django's entry for this room."""

from django.apps import AppConfig


class MailConfig(AppConfig):
    name = "apps.mail"
    label = "mail"
