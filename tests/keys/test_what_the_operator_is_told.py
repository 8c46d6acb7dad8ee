"""The command and the doctor say how the keys stand, what waits, and what somebody has to do."""

import secrets
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apps.console.management import keys
from apps.memories import roots
from apps.memories import services as memories
from apps.policy.ids import typed
from tests.cast import Vault
from tests.keys.looks import erase, plain, shown
from tests.keys.test_a_key_is_changed_in_slices import begins
from vault.clock import utc_now


def command(capsys: pytest.CaptureFixture[str], *given: str) -> str:
    capsys.readouterr()
    call_command("rotate_keys", *given)
    return capsys.readouterr().out


def test_a_dry_run_says_what_waits_and_changes_nothing(
    alice: Vault, alone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    erase(alice, "diary")
    before = alone.read_text()
    said = command(capsys, "--root", "--dry-run")
    assert "1 vaults in which something was erased" in said
    assert alone.read_text() == before
    assert memories.standing(utc_now()).waiting.vaults == 1


def test_the_command_changes_what_it_is_told_to(
    alice: Vault, mallory: Vault, alone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "epoch 2" in command(capsys, "--vault", typed("vlt", mallory.id))
    erase(alice, "diary")
    assert "0 vaults have a new key" in command(capsys), "nothing is due yet"
    assert "1 vaults have a new key" in command(capsys, "--root")
    assert list(roots.root_keys()) == [1, 2]
    assert "epoch 2 is destroyed" in command(capsys, "--root", "--at-once")
    assert list(roots.root_keys()) == [3]
    assert (shown(alice), shown(mallory)) == (plain(alice), plain(mallory))


@pytest.mark.parametrize("given", [["--at-once"], ["--vault", "alice"], ["--vault", "vlt_1"]])
def test_what_it_cannot_mean_it_says_so(alone: Path, given: list[str]) -> None:
    with pytest.raises(CommandError):
        call_command("rotate_keys", *given)


def test_a_vault_whose_key_does_not_open_is_named(alice: Vault, alone: Path, admin: Any) -> None:
    erase(alice, "diary")
    admin.execute("UPDATE vault_key SET wrapped = '\\x00' WHERE vault_id = %s", [alice.id])
    with pytest.raises(CommandError, match=typed("vlt", alice.id)):
        call_command("rotate_keys", "--root")


def levels(found: Any) -> list[tuple[str, str]]:
    return [(each.level, each.name) for each in found]


def test_the_doctor_warns_of_what_is_late(
    alice: Vault, alone: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert levels(keys.epochs()) == [("ok", "key epochs")]
    erase(alice, "diary")
    now = utc_now() + timedelta(days=settings.KEY_EPOCH_DAYS + 1)
    monkeypatch.setattr(keys, "utc_now", lambda: now)
    (found,) = keys.epochs()
    assert found.level == "warn" and "rotate_keys" in found.fix
    memories.turn(now)
    assert levels(keys.epochs()) == [("ok", "key epochs")]


def test_the_doctor_warns_of_an_old_key_that_stays_in_the_file(
    alice: Vault, alone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memories.turn(utc_now(), anew=True)
    now = utc_now() + timedelta(days=2)
    monkeypatch.setattr(keys, "utc_now", lambda: now)
    (found,) = keys.epochs()
    assert found.level == "warn" and "longer than a day" in found.says


def test_a_change_that_is_not_over_is_told_and_warned_of_after_a_day(
    alice: Vault, admin: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "not over" not in command(capsys, "--dry-run")
    assert any(begins(alice, admin, after) for after in range(1, 100)), "somebody fell when both keys were there"
    assert "not over yet" in command(capsys, "--dry-run")
    assert levels(keys.epochs()) == [("ok", "key epochs")]
    now = utc_now() + timedelta(days=2)
    monkeypatch.setattr(keys, "utc_now", lambda: now)
    (found,) = keys.epochs()
    assert found.level == "warn" and "is not over" in found.says and "rotate_keys" in found.fix
    memories.turn(now)
    assert levels(keys.epochs()) == [("ok", "key epochs")]


def test_the_doctor_says_where_the_file_cannot_be_changed(
    alice: Vault, alone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roots, "_mounted", lambda path: True)
    assert levels(keys.epochs()) == [("ok", "key epochs"), ("warn", "key epochs")]


def test_a_newer_key_that_somebody_put_into_the_file_is_taken(alice: Vault, alone: Path) -> None:
    alone.write_text(alone.read_text() + f"7 {secrets.token_hex(32)}\n")
    done = memories.turn(utc_now())
    assert (done.made, done.wrapped) == (None, 1)
    assert memories.standing(utc_now()).root.epoch == 7
    assert shown(alice) == plain(alice)


def test_the_doctor_asks_when_tables_were_written_anew(
    alice: Vault, alone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from apps.erasure import services as erasure

    assert [each.says for each in keys.reclaiming()] == ["due tonight"]
    list(erasure.reclaim(utc_now(), everything=True))
    assert levels(keys.reclaiming()) == [("ok", "reclaim")]
    now = utc_now() + timedelta(days=3)
    monkeypatch.setattr(keys, "utc_now", lambda: now)
    assert levels(keys.reclaiming()) == [("warn", "reclaim")]
    monkeypatch.setattr(erasure, "who_may", lambda: None)
    (found,) = keys.reclaiming()
    assert found.level == "warn" and "MUNIMENT_DB_RECLAIM_URL" in found.fix
