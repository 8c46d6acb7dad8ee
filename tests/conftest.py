"""Fixtures every test may use."""

import os
from collections.abc import Iterator

import hypothesis
import pytest
from pytest_django import DjangoDbBlocker

from tests import databases

pytest_plugins = ["tests.fixtures", "tests.fences", "tests.logs"]

# The same examples at every run, and no limit that a busy machine could miss, whoever runs it. With
# `--hypothesis-profile default` others are looked for.
hypothesis.settings.load_profile("ci")


@pytest.fixture(scope="session")
def django_db_setup(django_db_blocker: DjangoDbBlocker, worker_id: str) -> Iterator[None]:
    """Replaces pytest-django's: a copy of our template, as the roles of the product."""
    name = f"muniment_test_{worker_id}_{os.getpid()}"  # two runs at once must not meet
    with django_db_blocker.unblock():
        databases.fresh(name)
    yield
    with django_db_blocker.unblock():
        databases.drop(name)


@pytest.fixture
def live(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The database as in life: every alias commits, nothing is rolled back or flushed; each test opens new vaults."""
    with django_db_blocker.unblock():
        yield


@pytest.fixture(autouse=True)
def _plain_static(settings: object) -> None:
    """Pages render without a collectstatic before them."""
    settings.STORAGES = {  # type: ignore[attr-defined]
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
