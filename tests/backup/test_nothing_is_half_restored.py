"""Whatever is wrong with a backup, or goes wrong on the way: the database in use stays as it was, and it says why."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connections

from apps.erasure.management.commands import settle_restored
from apps.memories import services as memories
from ops.backups import age, archive
from ops.backups.age import Identity
from ops.backups.archive import About
from ops.backups.taking import Taken
from ops.trouble import Trouble
from tests import databases
from tests.backup.conftest import IDENTITY, Instance, restore_to
from tests.cast import Vault
from tests.ops.conftest import ROOT, until


def beside(backed: Instance) -> bool:
    """Is a database left that a restore made?"""
    with psycopg.connect(backed.place.server) as admin:
        query = "SELECT count(*) FROM pg_database WHERE datname LIKE %s"
        return admin.execute(query, [f"{backed.place.database}\\_%"]).fetchone() != (0,)


@contextmanager
def untouched(backed: Instance, alice: Vault, match: str) -> Iterator[None]:
    """What is done inside is refused with this sentence, and everything is as it was."""
    before = alice.receipts()
    with pytest.raises(Trouble, match=match) as told:
        yield
    assert str(told.value).endswith("."), told.value
    assert alice.receipts() == before
    shown = memories.show(alice.holder, [alice.ids["time"]]).values
    assert [each.value for each in shown] == [alice.values["time"]]
    assert not beside(backed)


def test_a_damaged_file_anywhere(backed: Instance, alice: Vault) -> None:
    taken = backed.back_up()
    whole = {path: path.read_bytes() for path in (taken.data, taken.keys)}
    for path, data in whole.items():
        header = data.index(b"--- ")
        places = {"the version": 3, "a stanza": header - 20, "the mac": header + 10, "the nonce": header + 60}
        places |= {"the first chunk": header + 200, "the middle": len(data) // 2, "the last chunk": len(data) - 5}
        for at in places.values():
            path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
            with untouched(backed, alice, f"^{re.escape(str(path))} cannot be read"):
                restore_to(backed, taken)
        for size in (0, 10, header, len(data) // 2, len(data) - 1, len(data) - 70_000):
            path.write_bytes(data[: max(0, size)])
            with untouched(backed, alice, f"^{re.escape(str(path))} cannot be read"):
                restore_to(backed, taken)
        path.write_bytes(data)
    assert restore_to(backed, taken, check=True).rows, "the control: whole, they can be restored"


def test_the_wrong_files(backed: Instance, alice: Vault) -> None:
    first = backed.back_up()
    second = backed.back_up(later=timedelta(seconds=2))
    with untouched(backed, alice, "does not open with this identity"):
        restore_to(backed, first, by=Identity.new())
    with untouched(backed, alice, "is a file of data, and here the file of keys"):
        restore_to(backed, first, keys=first.data)
    with untouched(backed, alice, "is older than"):
        restore_to(backed, second, keys=first.keys)
    with untouched(backed, alice, "cannot be read: No such file"):
        restore_to(backed, first, keys=first.keys.with_name("nothing"))
    other = backed.folder / "other.age"
    with other.open("wb") as file:
        writer = age.Writer(file, IDENTITY.recipient)
        writer.write(b"somebody's letters" * 1000)
        writer.close()
    with untouched(backed, alice, "is no backup of Muniment"):
        restore_to(backed, replace(first, data=other))
    with archive.writing(other.with_name("empty.age"), _about("data", "0.1.0"), IDENTITY.recipient) as filling:
        filling.put("elsewhere", b"")
    with untouched(backed, alice, "holds no database"):
        restore_to(backed, replace(first, data=other.with_name("empty.age")), keys=second.keys)


def _about(kind: str, product: str, **migrations: list[str]) -> About:
    return About("0" * 32, kind, "2020-01-01T00:00:00.000000Z", product, 16, migrations)


@pytest.mark.parametrize(
    ("made_by", "ours", "migrations", "match"),
    [
        ("0.4.0", "0.3.9", {}, "is newer than this Muniment .* upgrade first"),
        ("1.0.0", "0.9.0", {}, "is newer than this Muniment"),
        ("0.1.0", "0.1.0", {"memories": ["9999_of_tomorrow"]}, "is newer than this Muniment"),
        ("0.1.0", "0.4.0", {}, "at most 2 minor versions back: restore it with a Muniment of 0.3"),
        ("0.9.0", "1.0.0", {}, "at most 2 minor versions back"),
    ],
)
def test_a_version_that_does_not_fit(
    backed: Instance, alice: Vault, made_by: str, ours: str, migrations: dict[str, list[str]], match: str
) -> None:
    backed.folder.mkdir()
    data, keys = backed.folder / "a.data.age", backed.folder / "a.keys.age"
    for path, kind in ((data, "data"), (keys, "keys")):
        with archive.writing(path, _about(kind, made_by, **migrations), IDENTITY.recipient):
            pass
    taken = Taken(data, keys, 0, 0, 0, 0, ())
    with untouched(backed, alice, match):
        restore_to(backed, taken, product=ours)


def test_a_lost_key_is_named(backed: Instance, alice: Vault, admin: psycopg.Connection[Any]) -> None:
    admin.execute("ALTER TABLE sealed.key DISABLE TRIGGER ALL")
    admin.execute("DELETE FROM sealed.key WHERE memory_id = %s", [alice.ids["kitchen"]])
    taken = backed.back_up()
    with untouched(backed, alice, f"holds no key for {alice.mem('kitchen')} in vlt_{alice.id.hex}"):
        restore_to(backed, taken)


def test_a_lost_root_key_is_named(backed: Instance, alice: Vault) -> None:
    root = backed.place.root_keys
    right = root.read_text()
    root.write_text("1 " + "0" * 64 + "\n")
    taken = backed.back_up()
    with untouched(backed, alice, "The root key of epoch 1 is missing, or another one has its number"):
        restore_to(backed, taken)
    root.write_text(right)
    assert restore_to(backed, taken, check=True).rows, "with the right one beside it, it opens"


def test_a_root_key_file_that_is_gone_comes_out_of_the_backup(backed: Instance, alice: Vault) -> None:
    root = backed.place.root_keys
    right = root.read_text()
    taken = backed.back_up()
    root.write_text("1 " + "0" * 64 + "\n")
    assert restore_to(backed, taken, check=True).said == []
    assert root.read_text() != right, "a check changes nothing"
    said = restore_to(backed, taken).said
    assert root.read_text() == right and root.stat().st_mode & 0o777 == 0o600
    assert "0" * 64 in root.with_name("root_keys.replaced").read_text() and len(said) == 2


def test_whoever_is_served_meanwhile_is_in_the_way(backed: Instance, alice: Vault) -> None:
    taken = backed.back_up()
    with databases.connect("app"), untouched(backed, alice, "Muniment is running"):
        restore_to(backed, taken)


def test_a_database_that_has_gone_on_is_replaced_by_a_word_alone(backed: Instance, alice: Vault) -> None:
    taken = backed.back_up()
    alice.keep("later")
    count = len(alice.receipts())
    with untouched(backed, alice, f"holds {count} receipts, 1 of them from after this backup"):
        restore_to(backed, taken, over=False)


def test_the_step_of_a_restore_is_for_nothing_else(backed: Instance) -> None:
    command = [sys.executable, "manage.py", "settle_restored"]
    done = subprocess.run(command, cwd=ROOT, env=backed.place.environment(), capture_output=True, text=True, input="{}")
    assert done.returncode == 1 and "on the database that it has made beside" in done.stderr
    assert settle_restored.BESIDE == "_restoring"


def test_without_a_word_of_what_opens_it_and_nobody_to_ask_it_says_what_to_name(backed: Instance) -> None:
    taken = backed.back_up()
    command = [sys.executable, "manage.py", "restore", str(taken.data), "--check"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=backed.place.environment(),
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "name its identity with --identity FILE" in done.stderr


@pytest.mark.parametrize("after", [0, 0.3])
def test_a_kill_in_the_middle(backed: Instance, alice: Vault, tmp_path: Path, after: float) -> None:
    taken = backed.back_up()
    before = alice.receipts()
    connections.close_all()
    identity = tmp_path / "identity"
    identity.write_text(f"{IDENTITY}\n")
    command = [sys.executable, "manage.py", "restore", str(taken.data), "--over", "--identity", str(identity)]
    process = subprocess.Popen(command, cwd=ROOT, env=backed.place.environment(), start_new_session=True)
    until(lambda: beside(backed), what="it made no database")
    time.sleep(after)
    assert after or process.poll() is None, "the control: it was not done"
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert alice.receipts() == before
    assert restore_to(backed, taken).rows and not beside(backed)
    assert alice.receipts() == before
