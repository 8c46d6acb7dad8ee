"""Who runs the instance is told by mail, at once and by no outbox, that a backup or the list of what is erased could
not be made, and why: when that begins, once a day while it does, and when it is over.
"""

import os
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings as ours
from django.core.management import CommandError, call_command

from apps.console.management.commands import backup
from tests.mail.conftest import Postman, read
from vault.clock import utc_now

OPERATOR = "operator@home.example"


def failed(folder: Path) -> str:
    with pytest.raises(CommandError) as refused:
        call_command("backup", str(folder))
    return str(refused.value)


def listed(folder: Path, name: str = "tombstones") -> bool:
    """The list that is made each hour: whether it could be."""
    try:
        call_command("backup", tombstones=folder / name)
    except CommandError:
        return False
    return True


@pytest.fixture(autouse=True)
def _a_state_folder_of_its_own(tmp_path: Path, settings: Any) -> None:
    settings.STATE_DIR = tmp_path / "state"
    settings.STATE_DIR.mkdir()


@pytest.fixture
def database(live: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The settings lead to the test's database, so that what is erased can be listed."""
    url = urlsplit(os.environ["MUNIMENT_DB_APP_URL"])._replace(path=f"/{ours.DATABASES['default']['NAME']}")
    monkeypatch.setenv("MUNIMENT_DB_APP_URL", url.geturl())


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Make it later than it is, for the command."""
    begun, gone = utc_now(), [timedelta(0)]
    monkeypatch.setattr(backup, "utc_now", lambda: begun + gone[0])

    def go(**time: float) -> None:
        gone[0] += timedelta(**time)

    return go


@pytest.fixture(autouse=True)
def _nobody_to_encrypt_for(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MUNIMENT_BACKUP_RECIPIENT", "MUNIMENT_BACKUP_PASSPHRASE"):
        monkeypatch.delenv(name, raising=False)


def test_with_the_sentence_that_the_command_ends_with(tmp_path: Path, postman: Postman, settings: Any) -> None:
    settings.MAIL_OPERATOR = OPERATOR
    why = failed(tmp_path)
    letter = read(postman.one_to(OPERATOR))
    assert letter.subject == "A backup failed" and " ".join(why.split()) in letter.text
    assert "by whoever runs it" in letter.text and letter.link == ""


def test_of_the_list_of_what_is_erased_as_well(tmp_path: Path, postman: Postman, settings: Any) -> None:
    """It is made every hour, and a restore brings back what it does not name."""
    settings.MAIL_OPERATOR = OPERATOR
    with pytest.raises(CommandError) as refused:
        call_command("backup", tombstones=tmp_path / "no such folder" / "tombstones")
    letter = read(postman.one_to(OPERATOR))
    assert letter.subject == "What is erased could not be listed"
    assert " ".join(str(refused.value).split()) in letter.text
    assert "the list of before is still there" in letter.text and "A backup failed" not in letter.text


def test_nobody_is_told_where_nobody_is_named(tmp_path: Path, postman: Postman, settings: Any) -> None:
    settings.MAIL_OPERATOR = ""
    failed(tmp_path)
    assert postman.kept == []


def test_where_that_mail_fails_too_the_command_says_both(
    tmp_path: Path, postman: Postman, settings: Any, capsys: Any
) -> None:
    settings.MAIL_OPERATOR, settings.EMAIL_PORT = OPERATOR, 1
    why = failed(tmp_path)
    assert "MUNIMENT_BACKUP_RECIPIENT" in why
    assert "Nor could it be told by mail: Nothing listens at 127.0.0.1:1" in capsys.readouterr().err


def test_what_fails_each_hour_is_told_once_a_day(
    tmp_path: Path, postman: Postman, settings: Any, later: Callable[..., None]
) -> None:
    settings.MAIL_OPERATOR = OPERATOR
    told = []
    for _ in range(49):
        before = len(postman.kept)
        assert not listed(tmp_path / "no such folder")
        told.append(len(postman.kept) - before)
        later(hours=1, seconds=-1)
    assert [hour for hour, letters in enumerate(told) if letters] == [0, 24, 48] and sum(told) == 3
    first, *others = [read(each) for each in postman.to(OPERATOR)]
    assert first.subject == "What is erased could not be listed" and "has failed since" not in first.text
    assert {each.subject for each in others} == {"What is erased still cannot be listed"}
    assert all("has failed since" in each.text for each in others)


def test_that_it_works_again_is_told_once(
    database: None, tmp_path: Path, postman: Postman, settings: Any, later: Callable[..., None]
) -> None:
    settings.MAIL_OPERATOR = OPERATOR
    assert listed(tmp_path) and postman.kept == [], "what never failed does not work again"
    assert not listed(tmp_path / "no such folder")
    later(hours=1)
    assert listed(tmp_path) and listed(tmp_path)
    subjects = [read(each).subject for each in postman.to(OPERATOR)]
    assert subjects == ["What is erased could not be listed", "What is erased is listed again"]
    later(hours=1)
    assert not listed(tmp_path / "no such folder")
    assert len(postman.kept) == 3, "that it fails anew is told at once"


def test_that_a_backup_is_made_again_as_well(
    database: None, tmp_path: Path, postman: Postman, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MAIL_OPERATOR = OPERATOR
    failed(tmp_path)
    monkeypatch.setenv("MUNIMENT_BACKUP_PASSPHRASE", "correct horse battery staple")
    call_command("backup", str(tmp_path / "backups"))
    subjects = [read(each).subject for each in postman.to(OPERATOR)]
    assert subjects == ["A backup failed", "Backups work again"]


def test_a_backup_and_the_list_are_told_of_each_by_itself(
    tmp_path: Path, postman: Postman, settings: Any, later: Callable[..., None]
) -> None:
    settings.MAIL_OPERATOR = OPERATOR
    assert not listed(tmp_path / "no such folder")
    failed(tmp_path)
    later(days=1)
    failed(tmp_path)
    subjects = [read(each).subject for each in postman.to(OPERATOR)]
    assert subjects == ["What is erased could not be listed", "A backup failed", "Backups still fail"]


def test_what_could_not_be_told_is_told_the_next_time(
    database: None, tmp_path: Path, postman: Postman, settings: Any, later: Callable[..., None]
) -> None:
    settings.MAIL_OPERATOR, postman.answer = OPERATOR, "451 later"
    assert not listed(tmp_path / "no such folder")
    postman.answer = "250 kept"
    assert not listed(tmp_path / "no such folder")
    assert len(postman.kept) == 1
    postman.answer = "451 later"
    assert listed(tmp_path)
    postman.answer = "250 kept"
    assert listed(tmp_path)
    assert [read(each).subject for each in postman.to(OPERATOR)][1:] == ["What is erased is listed again"]


def test_where_it_cannot_be_kept_each_failure_is_told(tmp_path: Path, postman: Postman, settings: Any) -> None:
    settings.MAIL_OPERATOR, settings.STATE_DIR = OPERATOR, tmp_path / "gone"
    failed(tmp_path)
    failed(tmp_path)
    assert len(postman.kept) == 2
