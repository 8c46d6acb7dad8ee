"""A restored database that its log does not continue is on hold from its first moment, and what was erased is gone all
the same; into another time zone and by the operator's own command, every instant is the same.
"""

import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connections

from apps.ledger import services as ledger
from apps.memories import services as memories
from tests.backup.conftest import IDENTITY, Instance, restore_to, rows
from tests.cast import Vault
from tests.erasing import erase_within_an_act as erase
from tests.logs import file_of
from tests.ops.conftest import ROOT


@pytest.fixture
def signed(backed: Instance, publisher: ledger.Publisher, key_file: Path) -> Instance:
    """The instance with its log begun, and the log's keys in the backup."""
    return Instance(replace(backed.place, log_keys=key_file), backed.folder)


def test_it_is_held_and_what_was_erased_is_gone(
    signed: Instance, publisher: ledger.Publisher, alice: Vault, key_file: Path
) -> None:
    publisher.step(everything=True)
    taken = signed.back_up()
    gone = erase(alice, "time")
    publisher.step(everything=True)
    done = restore_to(signed, taken)
    assert (done.erased, done.ended) == (1, 0)
    assert "does not continue" in done.guard and "On hold" in done.guard
    assert ledger.on_hold() is not None
    with pytest.raises(ledger.OnHold):
        alice.keep("more")
    assert memories.memory(alice.holder, gone) is None

    # A backup that was taken on hold: what is erased goes all the same, and the hold stays.
    held = signed.back_up(later=timedelta(seconds=2))
    lately = alice.ids["kitchen"]
    tombstones = signed.folder / "tombstones"
    tombstones.write_text(f"muniment-tombstones/1\n{alice.id} {lately} {gone} 2026-01-01T00:00:00.000000Z\n")
    assert restore_to(signed, held, tombstones=(tombstones,)).erased == 1
    assert memories.memory(alice.holder, lately) is None and ledger.on_hold() is not None

    begun = ledger.begin_anew(key_file, origin="vault.example/log/2")
    assert begun.origin == "vault.example/log/2" and ledger.on_hold() is None
    alice.keep("more")
    assert ledger.check_ledger()


def test_the_command_in_another_time_zone(
    signed: Instance, publisher: ledger.Publisher, alice: Vault, key_file: Path, tmp_path: Path
) -> None:
    publisher.step(everything=True)
    before, receipt = alice.receipts(), file_of(alice, 1)
    taken = signed.back_up()
    keys, last = key_file.read_bytes(), key_file.with_name("log_key.signed").read_bytes()
    for path in (key_file, key_file.with_name("log_key.signed")):
        path.unlink()
    identity = tmp_path / "identity"
    identity.write_text(f"# mine\n{IDENTITY}\n")
    connections.close_all()
    env = signed.place.environment() | {"TZ": "Pacific/Kiritimati", "PGTZ": "America/St_Johns", "LC_ALL": "C.UTF-8"}
    env["MUNIMENT_LOG_KEY_FILE"] = str(key_file)
    command = [sys.executable, "manage.py", "restore", str(taken.data), "--identity", str(identity), "--over"]
    checked = subprocess.run([*command, "--check"], cwd=ROOT, env=env, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    assert "It can be restored. Nothing was changed." in checked.stdout
    done = subprocess.run([*command, "--log-keys"], cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "0 tombstones" in done.stdout and "everything agrees" in done.stdout
    assert "is put back" in done.stdout and "A grant that was narrowed" in done.stdout
    assert key_file.read_bytes() == keys and key_file.with_name("log_key.signed").read_bytes() == last
    assert alice.receipts() == before and file_of(alice, 1) == receipt
    assert rows("SELECT count(*) FROM sealed.ticket_key WHERE NOT held") == [(1,)]
