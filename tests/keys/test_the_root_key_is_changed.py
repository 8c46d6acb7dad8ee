"""The root key is changed: every vault's key is wrapped under the next one, and the old one is destroyed, whatever is
killed in between.
"""

import secrets
import signal
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings

from apps.memories import roots
from apps.memories import services as memories
from apps.memories.tasks import turn_keys
from ops.backups.place import from_environment
from ops.state import CHECKOUT
from tests.cast import Vault, new_vault
from tests.keys.looks import erase, plain, shown, talk
from tests.threads import at_once
from vault.clock import utc_now

DAY = timedelta(days=1)


def root_epochs(admin: Any) -> set[int]:
    return {epoch for (epoch,) in admin.execute("SELECT DISTINCT root_epoch FROM vault_key").fetchall()}


def test_everything_opens_as_before_under_the_new_one(alice: Vault, mallory: Vault, admin: Any, alone: Path) -> None:
    talk(alice)
    done = memories.turn(utc_now(), anew=True)
    assert (done.made, done.wrapped, done.stuck, done.says) == (2, 2, (), ())
    assert root_epochs(admin) == {2}
    assert (shown(alice), shown(mallory)) == (plain(alice), plain(mallory))
    assert new_vault("Nils").ids, "and whoever comes now"
    assert root_epochs(admin) == {2}


def test_the_old_one_stays_for_as_long_as_a_read_that_is_under_way_may_need_it(alice: Vault, alone: Path) -> None:
    now = utc_now()
    memories.turn(now, anew=True)
    assert list(roots.root_keys()) == [1, 2]
    assert memories.turn(now + timedelta(minutes=14)).destroyed == ()
    assert memories.turn(now + timedelta(minutes=16)).destroyed == (1,)
    assert list(roots.root_keys()) == [2]
    assert shown(alice) == plain(alice)


def test_it_is_changed_when_its_days_are_over_and_not_before(alice: Vault, alone: Path, settings: Any) -> None:
    settings.KEY_EPOCH_DAYS = 3
    now = utc_now()
    erase(alice, "diary")
    assert memories.turn(now + 2 * DAY).made is None
    assert memories.standing(now + 2 * DAY).waiting.vaults == 1
    done = memories.turn(now + 3 * DAY - timedelta(hours=5))
    assert (done.vaults, done.made) == (1, 2)
    assert memories.turn(now + 3 * DAY).made is None
    assert memories.standing(now + 3 * DAY).waiting.vaults == 0


def test_with_the_job_running_nothing_is_late_and_without_it_that_shows(
    alice: Vault, alone: Path, settings: Any
) -> None:
    """What a certificate promises: hour by hour over three epochs, with an erasure at the worst moment."""
    settings.KEY_EPOCH_DAYS = 2
    start = utc_now()
    for hour in range(0, 24 * 7, 1):
        now = start + timedelta(hours=hour)
        memories.turn(now)
        assert not memories.standing(now).late(now)
    erase(alice, "diary")
    quiet = now + 3 * DAY
    assert memories.standing(quiet).late(quiet)


def test_two_beats_at_once_make_one_new_key(alice: Vault, alone: Path) -> None:
    erase(alice, "diary")
    now = utc_now() + timedelta(days=django_settings.KEY_EPOCH_DAYS)
    done = at_once([lambda: memories.turn(now)] * 4)
    assert not [each for each in done if isinstance(each, Exception)]
    assert list(roots.root_keys()) == [1, 2]
    assert shown(alice) == plain(alice)


def test_a_vault_that_is_opened_meanwhile_keeps_the_root_key_that_it_needs(
    alice: Vault, alone: Path, admin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It read which root key to use before there was a newer one, and commits after everything was wrapped."""
    from apps.memories import epochs

    monkeypatch.setattr(epochs, "root_to_use", lambda now: 1)
    late: list[Vault] = []
    honest = epochs.forget_root

    def forget(epoch: int) -> bool:
        if not late:
            late.append(new_vault("Nils"))
        return honest(epoch)

    monkeypatch.setattr(epochs, "forget_root", forget)
    assert memories.turn(utc_now(), anew=True, grace=timedelta(0)).destroyed == ()
    assert list(roots.root_keys()) == [1, 2]
    assert shown(late[0]) == plain(late[0])
    monkeypatch.undo()
    assert memories.turn(utc_now(), grace=timedelta(0)).destroyed == (1,)
    assert shown(late[0]) == plain(late[0])


def test_a_key_that_does_not_open_keeps_no_other_waiting_and_its_root_key(
    alice: Vault, mallory: Vault, alone: Path, admin: Any
) -> None:
    admin.execute("UPDATE vault_key SET wrapped = '\\x00' WHERE vault_id = %s", [mallory.id])
    done = memories.turn(utc_now(), anew=True, grace=timedelta(0))
    assert done.stuck == (mallory.id,)
    assert done.destroyed == ()
    assert shown(alice) == plain(alice)


def test_where_the_file_cannot_be_changed_vaults_go_on_and_it_says_what_to_do(
    alice: Vault, alone: Path, monkeypatch: pytest.MonkeyPatch, admin: Any
) -> None:
    monkeypatch.setattr(roots, "_mounted", lambda path: True)
    erase(alice, "diary")
    done = memories.turn(utc_now(), anew=True)
    assert (done.vaults, done.made) == (1, None)
    assert "2 <64 hex>" in done.says[0]
    alone.write_text(alone.read_text() + f"2 {secrets.token_hex(32)}\n")  # as its operator does
    done = memories.turn(utc_now(), grace=timedelta(0))
    assert root_epochs(admin) == {2}
    assert "remove its line" in done.says[0]
    alone.write_text(alone.read_text().splitlines()[1] + "\n")
    assert memories.turn(utc_now(), grace=timedelta(0)).says == ()
    assert shown(alice) == plain(alice)


def test_the_beat_says_nothing_while_the_instance_is_on_hold(
    alice: Vault, alone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from apps.ledger import services as ledger

    monkeypatch.setattr(ledger, "on_hold", lambda: True)
    erase(alice, "diary")
    assert turn_keys() == 0
    assert memories.standing(utc_now()).waiting.vaults == 1


@pytest.mark.parametrize(
    ("place", "time"),
    [
        ("key_epochs.rotate", 2),
        ("key_epochs.roots._replace", 1),
        ("key_epochs.epochs.know_root", 1),
        ("key_epochs.epochs.rewrap_under_root", 2),
        ("key_epochs.epochs.note_idle", 1),
        ("key_epochs.epochs.forget_root", 1),
        ("key_epochs.roots._replace", 2),
    ],
)
def test_killed_at_any_point_it_is_gone_on_with_and_nothing_is_lost(
    alone: Path, admin: Any, place: str, time: int
) -> None:
    """SIGKILL to the command, just after it has done this for the first or second time."""
    vaults = [new_vault(f"Nils{n}") for n in range(3)]
    for vault in vaults:
        erase(vault, "diary")
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, place, str(time), "rotate_keys", "--root", "--at-once"],
        cwd=CHECKOUT,
        env=environment(alone),
        capture_output=True,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    for vault in vaults:
        assert shown(vault) == plain(vault)
    memories.turn(utc_now(), anew=True, grace=timedelta(0))
    assert len(roots.root_keys()) == 1
    assert root_epochs(admin) == set(roots.root_keys())
    assert memories.standing(utc_now()).waiting.vaults == 0
    for vault in vaults:
        assert shown(vault) == plain(vault)


def environment(keys: Path) -> dict[str, str]:
    """A process of this test's database and root keys."""
    place = from_environment(str(django_settings.DATABASES["default"]["NAME"]))
    return replace(place, root_keys=keys).environment()


KILLED = """
import os, signal, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "vault.settings"
import django
django.setup()
from django.core.management import call_command
from apps.memories.services import key_epochs
place, times = sys.argv[1].split("."), [int(sys.argv[2])]
owner = globals()[place[0]]
for name in place[1:-1]:
    owner = getattr(owner, name)
honest = getattr(owner, place[-1])
def then_killed(*given, **more):
    done = honest(*given, **more)
    times[0] -= 1
    if not times[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    return done
setattr(owner, place[-1], then_killed)
call_command(*sys.argv[3:], skip_checks=True)
"""
