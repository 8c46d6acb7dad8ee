"""`manage.py residue`: the same search, where this instance keeps files; what it keeps elsewhere is never clean."""

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management import load_command_class
from django.core.management.base import OutputWrapper

from tests.client.looks import VALUE
from vault.places import places

ELSEWHERE = "run `muniment residue` where they are"


@pytest.fixture
def embedded(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An instance with servers of its own, as `make run` makes one: its folders, each with a log."""
    for name in ("app/mail", "pg/data", "valkey", "log", "sock"):
        (tmp_path / name).mkdir(parents=True)
    settings.STATE_DIR, settings.BASE_DIR = tmp_path / "app", tmp_path / "checkout"
    monkeypatch.setitem(settings.DATABASES["default"], "HOST", str(tmp_path / "sock"))
    return tmp_path


def residue(monkeypatch: pytest.MonkeyPatch, *words: str, value: str = VALUE) -> tuple[int, str, str]:
    """How the command ends when it is called from a shell, and what it prints."""
    command = load_command_class("apps.console", "residue")
    out, err = io.StringIO(), io.StringIO()
    command.stdout, command.stderr = OutputWrapper(out), OutputWrapper(err)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(value.encode())))
    with pytest.raises(SystemExit) as ended:
        command.run_from_argv(["manage.py", "residue", *words])
    return int(str(ended.value.code)), out.getvalue(), err.getvalue()


@pytest.mark.parametrize("place", ["app/mail/letter.log", "pg/data/x", "valkey/appendonly.aof", "log/postgres.log"])
def test_what_is_in_any_of_its_folders_is_found(embedded: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    assert residue(monkeypatch, "--value", "-")[0] == 0
    (embedded / place).write_text(VALUE)
    code, out, err = residue(monkeypatch, "--value", "-")
    assert (code, place in out, err) == (1, True, "")
    assert VALUE not in out


def test_servers_that_are_not_its_own_are_said(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.STATE_DIR = settings.BASE_DIR = tmp_path
    monkeypatch.setitem(settings.DATABASES["default"], "HOST", "db.example")
    code, out, _ = residue(monkeypatch, "--value", "-")
    assert (code, out.count(ELSEWHERE)) == (2, 2)
    code, out, _ = residue(monkeypatch, "--value", "-", "--root", str(tmp_path))
    assert (code, ELSEWHERE in out) == (0, False), "a root that was given is all that was asked for"


def test_uploads_and_written_mail_outside_the_state_are_places_too(embedded: Path, settings: Any) -> None:
    outside = embedded.parent / f"{embedded.name}-outside"
    outside.mkdir()
    settings.MEDIA_ROOT = str(outside)
    assert places().roots == (embedded, outside)


def test_a_wrong_command_repeats_nothing(embedded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for words in (["--value", VALUE], ["--value", "-", VALUE], [f"--{VALUE}"]):
        code, out, err = residue(monkeypatch, *words)
        assert (code, out) == (2, "")
        assert err and VALUE not in err and "Haus" not in err


def test_help_names_the_folders_it_would_look_through(embedded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        load_command_class("apps.console", "residue").print_help("manage.py", "residue")
    assert ended.value.code == 0
    assert str(embedded) in "".join(capsys.readouterr().out.split())
