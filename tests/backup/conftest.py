"""An instance of each test's own that is backed up, and whoever holds what opens its backups."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connections
from django.db.migrations.loader import MigrationLoader

from apps.memories import services as memories
from apps.turns import services as turns
from ops.backups import tombstones
from ops.backups.age import Identity
from ops.backups.archive import reading
from ops.backups.place import Place, from_environment
from ops.backups.restoring import Restored, Wanted, restore
from ops.backups.taking import Taken, take
from ops.bootstrap import drop_database
from tests import databases
from tests.cast import QUESTION, Assistant, Vault, cook, new_vault  # noqa: F401  (cook: a fixture)
from vault.clock import utc_now
from vault.version import VERSION

IDENTITY = Identity.parse("AGE-SECRET-KEY-1KZT58HNKJ5XJHDDXNGED50EYRPD4WQ25KMVX0ZD6G3Q2H2MSZAASXZDE8E")


@dataclass(frozen=True)
class Instance:
    """An instance and the folder its backups go to."""

    place: Place
    folder: Path

    def back_up(self, *, later: timedelta = timedelta(0), keep: int = 7) -> Taken:
        """A backup; with `later` as if so much time had gone by."""
        now = utc_now() + later
        return take(self.place, self.folder, self.folder, IDENTITY.recipient, product=VERSION, now=now, keep=keep)


@pytest.fixture
def backed(instance: str, tmp_path: Path) -> Instance:
    """This test's instance. Its root keys are a copy: a test may lose them."""
    found = from_environment(instance)
    root_keys = tmp_path / "root_keys"
    shutil.copyfile(found.root_keys, root_keys)
    root_keys.chmod(0o600)
    return Instance(Place(found.database, found.urls, root_keys, None), tmp_path / "backups")


@pytest.fixture
def alice(instance: str) -> Vault:
    return new_vault("Alice")


@pytest.fixture
def admin(instance: str) -> Iterator[psycopg.Connection[Any]]:
    """The superuser at this test's database, autocommit."""
    with databases.connect("postgres", autocommit=True) as connection:
        yield connection


def members(path: Path) -> dict[str, bytes]:
    """All that an archive holds, by member."""
    with reading(path, IDENTITY) as opened:
        return {name: b"".join(parts) for name, parts in opened.members()}


def restore_to(backed: Instance, taken: Taken, **more: Any) -> Restored:
    """Restore a backup in place of this test's database, as the command does."""
    keys = more.pop("keys", taken.keys)
    known = frozenset(MigrationLoader(None).disk_migrations)
    given = {"over": True, "by": IDENTITY, "product": VERSION, "known": known} | more
    connections.close_all()
    return restore(backed.place, Wanted(data=taken.data, keys=keys, **given), lambda line: None)


def lose_the_database(backed: Instance) -> None:
    """Nothing is left of it but its backups."""
    connections.close_all()
    drop_database(backed.place.server, backed.place.database)


def lose_all_but_the_list(backed: Instance) -> Path:
    """Beside the backups, nothing is left but the file of tombstones, as the command writes it; it is returned."""
    file = backed.folder / "tombstones"
    tombstones.write(backed.place, file)
    lose_the_database(backed)
    return file


def shown(vault: Vault, name: str) -> list[str | None]:
    return [each.value for each in memories.show(vault.holder, [vault.ids[name]]).values]


def rows(query: str, *values: Any) -> list[tuple[Any, ...]]:
    with databases.connect("postgres") as admin:
        return admin.execute(query, values).fetchall()


def asked(vault: Vault, name: str) -> Any:
    """A question that was answered with a memory."""
    turn = turns.ask(vault.holder, QUESTION, utc_now())
    turns.decide(vault.holder, turn.turn_id, ordinary=frozenset({vault.ids[name]}), now=utc_now())
    list(turns.answer(vault.holder, turn.turn_id, utc_now()))
    found = turns.turn(vault.holder, turn.turn_id)
    assert found is not None and found.answer
    return found
