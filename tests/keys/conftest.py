"""A database and a file of root keys of a test's own: keys of every vault are changed here."""

import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings

from tests import databases
from tests.cast import Assistant, Vault, new_vault, register


@pytest.fixture
def alone(live: None, tmp_path: Path, worker_id: str) -> Iterator[Path]:
    """Nobody else's vaults, and root keys that nobody else uses: the file."""
    whose, file = str(settings.DATABASES["default"]["NAME"]), settings.MUNIMENT_ROOT_KEY_FILE
    name = f"muniment_keys_{worker_id}_{os.getpid()}"
    keys = tmp_path / "keys" / "root_keys"
    keys.parent.mkdir()
    keys.touch(0o600)
    keys.write_text(f"1 {secrets.token_hex(32)}\n")
    databases.fresh(name)
    settings.MUNIMENT_ROOT_KEY_FILE = str(keys)
    try:
        yield keys
    finally:
        settings.MUNIMENT_ROOT_KEY_FILE = file
        databases.drop(name)
        databases.point_at(whose)


@pytest.fixture
def admin(alone: Path) -> Iterator[psycopg.Connection[Any]]:
    with databases.connect("postgres", autocommit=True) as connection:
        yield connection


@pytest.fixture
def alice(alone: Path) -> Vault:
    return new_vault("Alice")


@pytest.fixture
def mallory(alone: Path) -> Vault:
    return new_vault("Mallory")


@pytest.fixture
def cook(alice: Vault) -> Assistant:
    return register(alice, "Cook")
