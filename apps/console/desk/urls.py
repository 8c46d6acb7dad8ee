"""`/review/`: the desk's pages."""

from django.urls import path

from apps.console.desk.site import site

urlpatterns = [path("", site.urls)]
