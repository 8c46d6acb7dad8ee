"""A backup is one instant of a running instance in two encrypted files, of which the first opens no value."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest

from ops.backups import contents
from ops.backups.age import Passphrase
from ops.backups.archive import reading
from ops.backups.opening import identity_of, lock, new_identity
from ops.trouble import Trouble
from tests.backup.conftest import IDENTITY, Instance, members
from tests.cast import Assistant, Vault, give
from tests.erasing import erase_within_an_act as erase
from tests.ops.conftest import ROOT


def test_neither_file_says_anything_without_its_key(backed: Instance, alice: Vault) -> None:
    taken = backed.back_up()
    for path in (taken.data, taken.keys):
        file = path.read_bytes()
        assert file.startswith(b"age-encryption.org/v1\n")
        assert not [each for each in (*alice.secrets, *alice.labels.values(), "kitchen") if each.encode() in file]
        assert path.stat().st_mode & 0o077 == 0


def test_the_file_of_data_holds_no_value_and_nothing_that_opens_one(
    backed: Instance, alice: Vault, cook: Assistant, admin: psycopg.Connection[Any]
) -> None:
    give(cook, "kitchen")
    assert cook.read("kitchen").released
    held = members(backed.back_up().data)
    assert set(held) == {contents.DATABASE}
    dump = subprocess.run(["pg_restore", "--file=-"], input=held[contents.DATABASE], capture_output=True, check=True)
    assert alice.labels["kitchen"].encode() in dump.stdout, "the control: this is the whole of it"
    assert not [each for each in alice.values.values() if each.encode() in dump.stdout]
    for table in ("sealed.key", "public.vault_key", "public.value_print"):
        rows = admin.execute(f"SELECT encode(to_jsonb(t)::text::bytea, 'escape') FROM {table} t").fetchall()
        assert rows, "the control: there is something"
    for (wrapped,) in admin.execute("SELECT wrapped FROM sealed.key UNION ALL SELECT wrapped FROM vault_key"):
        assert bytes(wrapped).hex().encode() not in dump.stdout


def test_its_manifest_agrees_with_the_database(backed: Instance, alice: Vault, admin: psycopg.Connection[Any]) -> None:
    taken = backed.back_up()
    with reading(taken.data, IDENTITY) as opened:
        for _ in opened.members():
            pass
        manifest, about = opened.manifest, opened.about
    assert manifest is not None
    assert manifest.tables["public.receipt"] == len(alice.receipts()) == manifest.ledger["receipts"]
    assert manifest.tables["sealed.value"] == len(alice.ids)
    assert "memories" in about.migrations and about.postgres == admin.info.server_version // 10000
    assert json.dumps(manifest.left_out) != "{}"
    with reading(taken.keys, IDENTITY) as opened:
        assert opened.about.id == about.id
        names = [name for name, _ in opened.members()]
    assert {"sealed.key", "public.vault_key", contents.ROOT_KEYS, contents.TOMBSTONES} <= set(names)


def test_what_was_erased_is_a_line_in_the_file_of_keys(backed: Instance, alice: Vault) -> None:
    assert backed.back_up().tombstones == 0
    gone = erase(alice, "time")
    taken = backed.back_up(later=timedelta(seconds=2))
    assert taken.tombstones == 1
    assert f"{alice.id} {gone} ".encode() in members(taken.keys)[contents.TOMBSTONES]


def test_every_table_has_its_place(backed: Instance, admin: psycopg.Connection[Any]) -> None:
    """A new table with a wrapped key, or one that is derived, is put into the list or this fails."""
    there = {row[0] for row in admin.execute(contents.KEPT, [contents.SCHEMAS, []])}
    assert set(contents.apart()) <= there, "a place for a table that is not there"
    wrapping = admin.execute(
        "SELECT DISTINCT table_schema || '.' || table_name FROM information_schema.columns"
        " WHERE table_schema = ANY (%s) AND column_name ~ 'wrapped'",
        [contents.SCHEMAS],
    )
    known = {each.name for each in contents.KEY_TABLES} | {"public.turn"}
    assert {row[0] for row in wrapping} <= known, "a wrapped key that nobody keeps apart"


def test_old_files_of_keys_go_and_the_newest_stays(backed: Instance, alice: Vault) -> None:
    first = backed.back_up(keep=7)
    second = backed.back_up(later=timedelta(days=3), keep=7)
    third = backed.back_up(later=timedelta(days=8), keep=7)
    assert third.removed == (first.keys,)
    assert not first.keys.exists() and second.keys.exists() and third.keys.exists()
    assert first.data.exists(), "a file of data is nobody's to remove"
    assert backed.back_up(later=timedelta(days=400), keep=1).removed == (second.keys, third.keys)


def test_a_disk_that_is_full_leaves_no_half_of_a_backup(backed: Instance, alice: Vault, tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("a small disk takes root to mount")
    small = tmp_path / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32k", "tmpfs", str(small)], check=False).returncode:
        pytest.skip("this machine mounts nothing")
    try:
        with pytest.raises(Trouble, match="The disk is full"):
            Instance(backed.place, small).back_up()
        assert list(small.iterdir()) == []
    finally:
        subprocess.run(["umount", str(small)], check=True)


def test_nothing_is_written_over_and_no_part_is_left_behind(backed: Instance, alice: Vault) -> None:
    backed.folder.mkdir()
    lost = Instance(replace(backed.place, root_keys=Path("/nowhere")), backed.folder)
    with pytest.raises(Trouble, match="without it no backup is whole"):
        lost.back_up()
    assert list(backed.folder.iterdir()) == []


def test_the_command_says_what_it_made(backed: Instance, alice: Vault, tmp_path: Path) -> None:
    identity = tmp_path / "identity"
    words = [sys.executable, "manage.py", "backup"]
    env = backed.place.environment()
    made = subprocess.run([*words, "--new-identity", str(identity)], cwd=ROOT, env=env, capture_output=True, text=True)
    name, _, recipient = made.stdout.strip().partition("=")
    assert name == "MUNIMENT_BACKUP_RECIPIENT" and str(identity_of(identity).recipient) == recipient
    no = subprocess.run([*words, str(tmp_path / "to")], cwd=ROOT, env=env, capture_output=True, text=True)
    assert no.returncode == 1 and "No backup is made that everybody can read" in no.stderr
    done = subprocess.run(
        [*words, str(tmp_path / "to")], cwd=ROOT, env={**env, name: recipient}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "to").iterdir())) == 2
    assert "Both lie in one folder" in done.stdout
    with reading(next((tmp_path / "to").glob("*.data.age")), identity_of(identity)) as opened:
        assert opened.about.kind == "data"


def test_a_lock_is_one_and_a_good_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("MUNIMENT_BACKUP_RECIPIENT", "MUNIMENT_BACKUP_PASSPHRASE"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(Trouble, match="set MUNIMENT_BACKUP_RECIPIENT"):
        lock()
    monkeypatch.setenv("MUNIMENT_BACKUP_PASSPHRASE", "short")
    with pytest.raises(Trouble, match="fewer than 12"):
        lock()
    monkeypatch.setenv("MUNIMENT_BACKUP_PASSPHRASE", "long enough, this one")
    assert lock() == Passphrase("long enough, this one")
    monkeypatch.setenv("MUNIMENT_BACKUP_RECIPIENT", str(new_identity(tmp_path / "id")))
    with pytest.raises(Trouble, match="one lock"):
        lock()
    with pytest.raises(Trouble, match="is there already"):
        new_identity(tmp_path / "id")
