"""Breaks of erasing: see tests/breaks.py, which knows of them by importing this."""

from typing import Any

import pytest

from tests.breaks import edit, sabotage

SHRED = "gate.shred_many(uuid, text, uuid[])"


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


@sabotage(
    "erasure_leaves_no_value_anywhere_we_look",
    how="the words of what was suggested about a memory stay when it is erased",
    red="test_no_row_says_a_word_of_it",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.memories import erased

    patch.setattr(erased, "_FORGET", erased._FORGET.replace("SET subject = '', label = '', rationale = '',", "SET"))


@sabotage(
    "erasure_leaves_no_value_anywhere_we_look",
    how="search keeps what it held of an erased memory",
    red="test_no_surface_says_a_word_of_it",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    index = "DELETE FROM sealed.search_term s WHERE s.vault_id = p_vault AND s.memory_id = ANY (p_memories);"
    edit(admin, SHRED, (index, ""))


@sabotage(
    "erasure_leaves_a_tombstone_and_the_ledger_still_verifies",
    how="the key of an erased value is kept",
    red="test_nobody_can_try_a_guess_against_it",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    edit(admin, SHRED, ("DELETE FROM sealed.key y WHERE y.vault_id = p_vault AND y.memory_id = ANY (p_memories);", ""))


@sabotage(
    "erasing_one_vault_leaves_every_other_byte_identical",
    how="what is under a subject is erased in every vault",
    red="test_everything_of_a_kind",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    edit(admin, SHRED, ("WHERE p.vault_id = p_vault AND p.memory_id = ANY (p_memories)", "WHERE true"))


@sabotage(
    "no_memory_goes_by_itself_untold",
    how="a memory counts as one whose end was told of, once it is over",
    red="test_a_memory_nobody_was_told_of_stays_however_late_the_clock_is",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.policy import retention

    patch.setattr(retention, "_told", lambda said_at, told_at, ends: said_at)
