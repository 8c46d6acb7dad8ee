"""One connection per role, closed at the end, and a new vault per test."""

from collections.abc import Iterator

import pytest

from tests import databases
from tests.gate.cast import Connection, Vault, open_vault


@pytest.fixture
def admin(live: None) -> Iterator[Connection]:
    """The superuser, autocommit: writes the scene and looks behind it."""
    with databases.connect("postgres", autocommit=True) as connection:
        yield connection


@pytest.fixture
def gate(live: None) -> Iterator[Connection]:
    """The role of the alias `gate`, autocommit as in life."""
    with databases.connect("gate", autocommit=True) as connection:
        yield connection


@pytest.fixture
def app(live: None) -> Iterator[Connection]:
    """The web role, in transactions."""
    with databases.connect("app") as connection:
        yield connection
        connection.rollback()


@pytest.fixture
def vault(admin: Connection) -> Vault:
    return open_vault(admin)
