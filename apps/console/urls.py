"""`/console/`: one page to look at, for operators."""

from django.urls import path

from apps.console.site import site

urlpatterns = [path("", site.urls)]
