"""A log of its own for each test: a database nobody else writes to, and a publisher with new keys."""

import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import connections

from apps.ledger import services as ledger
from tests import databases
from tests.cast import Vault, new_vault

ORIGIN = "vault.example/log"


@pytest.fixture
def instance(live: None) -> Iterator[str]:
    """The name of a database of this test's own: the log is one for all vaults, so no other test may write leaves."""
    before = str(settings.DATABASES["default"]["NAME"])
    name = f"muniment_log_{os.getpid()}_{secrets.token_hex(3)}"
    databases.fresh(name)
    yield name
    databases.drop(name)
    databases.point_at(before)


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    """Where the log's keys will be."""
    return tmp_path / "log_key"


@pytest.fixture
def publisher(instance: str, key_file: Path) -> ledger.Publisher:
    """The log's process, begun."""
    return ledger.publisher(key_file, origin=ORIGIN)


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
