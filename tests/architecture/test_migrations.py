"""Migrations: none is missing, each room's stand in one line, and none can take the ledger's walls away unseen."""

from collections import Counter
from io import StringIO
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import connections
from django.db.migrations.loader import MigrationLoader

from tests import databases
from tests.cast import Vault, admin, alice  # noqa: F401  (fixtures)

OURS = ("ledger", "mail", "holders", "memories", "access", "shares", "turns", "erasure")


@pytest.fixture
def loader(live: None) -> MigrationLoader:
    return MigrationLoader(connections["owner"])


def test_none_is_missing(live: None) -> None:
    said = StringIO()
    call_command("makemigrations", check=True, dry_run=True, stdout=said, verbosity=1)
    assert "No changes detected" in said.getvalue()


@pytest.mark.parametrize("room", OURS)
def test_they_stand_in_one_line(loader: MigrationLoader, room: str) -> None:
    mine = [migration for key, migration in loader.disk_migrations.items() if key[0] == room]
    assert mine
    parents = Counter(parent for each in mine for parent in each.dependencies if parent[0] == room)
    assert all(count == 1 for count in parents.values()), "two migrations follow the same one"
    assert len(loader.graph.leaf_nodes(room)) == 1
    numbers = sorted(each.name[:4] for each in mine)
    assert numbers == [f"{number:04}" for number in range(1, len(mine) + 1)]


@pytest.mark.parametrize("room", OURS)
def test_none_imports_live_code(room: str) -> None:
    """A migration of today must run in ten years: SQL files and the migration framework, nothing else of ours."""
    from pathlib import Path

    for path in Path(databases.ROOT, "apps", room, "migrations").glob("0*.py"):
        for line in path.read_text().splitlines():
            if line.startswith(("import apps", "from apps")):
                assert ".sql import" in line or line.startswith("import apps.holders.models"), f"{path.name}: {line}"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE public.receipt SET reason = 'x' WHERE vault_id = %(vault)s",
        "DELETE FROM public.receipt WHERE vault_id = %(vault)s",
        "TRUNCATE public.receipt",
    ],
)
@pytest.mark.parametrize("role", ["owner", "postgres"])
def test_receipts_refuse_to_change_even_for_their_owner(alice: Vault, role: str, statement: str) -> None:  # noqa: F811
    with databases.connect(role) as connection:
        if role == "postgres":
            connection.execute("SET ROLE muniment_owner" if statement.startswith("TRUNCATE") else "SELECT 1")
        else:
            connection.execute("SELECT 1")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(statement, {"vault": alice.id})
        connection.rollback()
    assert alice.receipts()


def test_a_sealed_value_is_never_overwritten(admin: Any, alice: Vault) -> None:  # noqa: F811
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        admin.execute("UPDATE sealed.value SET category = 'ordinary' WHERE vault_id = %s", [alice.id])
