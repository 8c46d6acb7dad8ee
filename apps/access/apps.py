"""Django's entry for this room."""

from django.apps import AppConfig


class AccessConfig(AppConfig):
    name = "apps.access"
    label = "access"
