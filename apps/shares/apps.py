"""Django's entry for this room."""

from django.apps import AppConfig


class SharesConfig(AppConfig):
    name = "apps.shares"
    label = "shares"
