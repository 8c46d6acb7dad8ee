"""The program as it is handed out, and files for it as a real instance gives them."""

from pathlib import Path
from typing import Any

import pytest

from apps.ledger.services.program import program as built
from tests.client.files import an_instance, hand_out


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file `muniment.pyz`."""
    path = tmp_path_factory.mktemp("program") / "muniment.pyz"
    path.write_bytes(built())
    return path


@pytest.fixture(scope="session")
def files(django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of files that a real instance handed out: see hand_out."""
    folder = tmp_path_factory.mktemp("files")
    with django_db_blocker.unblock(), an_instance():
        hand_out(folder)
    return folder
