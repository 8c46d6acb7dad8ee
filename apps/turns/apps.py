"""Django's entry for this room."""

from django.apps import AppConfig


class TurnsConfig(AppConfig):
    name = "apps.turns"
    label = "turns"
