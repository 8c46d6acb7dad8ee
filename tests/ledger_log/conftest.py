"""A log of its own for each test: a database nobody else writes to, and a publisher with new keys."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.db import connections

from tests import databases
from tests.cast import Vault, new_vault
from tests.ledger_log.bundles import kept
from tests.logs import ORIGIN

__all__ = ["ORIGIN", "kept"]


@pytest.fixture
def alice(instance: str) -> Vault:
    return new_vault("Alice")


@pytest.fixture
def admin(instance: str) -> Iterator[psycopg.Connection[Any]]:
    """The superuser at this test's database, autocommit."""
    with databases.connect("postgres", autocommit=True) as connection:
        yield connection


@pytest.fixture
def log_role(instance: str) -> Iterator[psycopg.Connection[Any]]:
    """The log's role, autocommit."""
    with databases.connect("log", autocommit=True) as connection:
        yield connection


@pytest.fixture(autouse=True)
def _no_connection_is_left(instance: str) -> Iterator[None]:
    yield
    for alias in connections:
        connections[alias].close()
