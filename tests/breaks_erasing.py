"""Breaks of erasing: see tests/breaks.py, which knows of them by importing this."""

from typing import Any

import pytest

from tests.breaks import sabotage


@sabotage(
    "a_restore_brings_nothing_back",
    how="nobody asks the database that is replaced what was erased in it",
    red="test_back_up_erase_restore",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from ops.backups import tombstones

    patch.setattr(tombstones, "of_database", lambda connection: iter(()))
