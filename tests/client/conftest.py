"""The program as it is handed out."""

from pathlib import Path

import pytest

from apps.ledger.services.program import program as built


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file `muniment.pyz`."""
    path = tmp_path_factory.mktemp("program") / "muniment.pyz"
    path.write_bytes(built())
    return path
