"""A log of its own for each test: a database nobody else writes to, a publisher with new keys, witnesses, a copy."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connections

from apps.ledger import services as ledger
from apps.ledger.format.keys import VerifierKey
from ops.bootstrap import create_database
from tests import databases
from tests.cast import Vault, new_vault
from tests.ledger_log.bundles import kept
from tests.logs import ORIGIN
from tests.peers.witness import Real, witness
from tests.properties.conftest import model

__all__ = ["ORIGIN", "kept", "model"]


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


@pytest.fixture
def copied(instance: str) -> Iterator[Callable[[], str]]:
    """Makes a copy of the database as it is now, byte for byte, and gives its name."""
    made: list[str] = []

    def copy() -> str:
        made.append(f"muniment_older_{secrets.token_hex(4)}")
        for alias in connections:
            connections[alias].close()
        create_database(databases.admin_url("postgres"), made[-1], instance)
        return made[-1]

    yield copy
    for name in made:
        databases.drop(name)


@pytest.fixture
def log_key(key_file: Path, publisher: ledger.Publisher) -> VerifierKey:
    """The log's public key: what witnesses are told. The log has begun."""
    return publisher.keys.verifier(ORIGIN)


@pytest.fixture
def up() -> Iterator[ExitStack]:
    """What is served for as long as the test lasts."""
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def three(up: ExitStack, tmp_path: Path, log_key: VerifierKey) -> list[Real]:
    return [up.enter_context(witness(name, tmp_path / name, log_key)) for name in ("w1", "w2", "w3")]


@pytest.fixture(autouse=True)
def _no_connection_is_left(instance: str) -> Iterator[None]:
    yield
    for alias in connections:
        connections[alias].close()
