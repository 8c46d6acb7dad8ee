"""Who runs the instance is told by mail, at once and by no outbox, that a backup or the list of what is erased could
not be made, and why.
"""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.mail.conftest import Postman, read

OPERATOR = "operator@home.example"


def failed(folder: Path) -> str:
    with pytest.raises(CommandError) as refused:
        call_command("backup", str(folder))
    return str(refused.value)


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
