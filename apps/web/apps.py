"""Django's entry for this room."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "apps.web"
    label = "web"
