"""Without a mail server letters are files: those go too, by their time, since no erasure looks into them."""

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.mail import send_mail

from apps.mail import folder
from apps.mail.tasks import forget
from vault.clock import utc_now

ADDRESS = "somebody@example.org"


@pytest.fixture
def letters(tmp_path: Path, settings: Any) -> Path:
    """The folder, with a letter in it that was written just now."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    settings.EMAIL_FILE_PATH = tmp_path / "mail"
    send_mail("An invitation", "You are invited.", None, [ADDRESS])
    return tmp_path / "mail"


def test_a_letter_leaves_the_folder_after_thirty_days(live: None, letters: Path) -> None:
    """The one that is thirty days old and a minute goes, and the one that is a minute younger than that stays."""
    (first,) = letters.iterdir()
    old = first.rename(letters / "older.log")  # two that are written within a second may share a file
    assert ADDRESS in old.read_text()
    send_mail("Another", "Young.", None, [ADDRESS])
    (young,) = set(letters.iterdir()) - {old}
    for path, age in ((old, timedelta(minutes=1)), (young, -timedelta(minutes=1))):
        written = (utc_now() - timedelta(days=30) - age).timestamp()
        os.utime(path, (written, written))
    assert forget() == 1
    assert set(letters.iterdir()) == {young}


def test_where_there_is_no_folder_nothing_is_to_be_emptied(settings: Any) -> None:
    settings.EMAIL_FILE_PATH = None
    assert folder.empty(utc_now()) == 0
