"""A witness in this process that follows one log."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.witness.running import Asking, serving


@pytest.fixture
def witness(tmp_path: Path) -> Iterator[Asking]:
    with serving(tmp_path / "w") as asking:
        yield asking
