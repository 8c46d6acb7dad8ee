"""Django's entry for this room."""

from django.apps import AppConfig


class HoldersConfig(AppConfig):
    name = "apps.holders"
    label = "holders"
