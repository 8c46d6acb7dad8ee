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


@sabotage(
    "an_older_copy_opens_nothing_that_was_erased",
    how="the root key is changed over vaults' keys that were not, and that open what an older copy holds",
    red="test_with_whatever_vault_key_came_later_it_opens_no_more",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.memories.services import key_epochs

    patch.setattr(key_epochs, "_turn_vaults", lambda *_, **__: (0, []))
