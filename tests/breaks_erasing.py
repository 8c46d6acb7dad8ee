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
    "a_restore_brings_nothing_back",
    how="of what was blanked beside memories no list is made",
    red="test_the_words_of_what_was_suggested_from_it_stay_gone",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from ops.backups import tombstones

    patch.setattr(tombstones, "_QUERIES", tombstones._QUERIES[:3])


@sabotage(
    "a_restore_brings_nothing_back",
    how="of who and what was stopped no list is made",
    red="test_who_and_what_was_stopped_since_is_stopped_again",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from ops.backups import tombstones

    kept = tuple(each for each in tombstones._QUERIES if each[1] not in ("revoked_at", "paused"))
    patch.setattr(tombstones, "_QUERIES", kept)


@sabotage(
    "an_older_copy_opens_nothing_that_was_erased",
    how="the root key is changed over vaults' keys that were not, and that open what an older copy holds",
    red="test_with_whatever_vault_key_came_later_it_opens_no_more",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.memories.services import key_epochs

    patch.setattr(key_epochs, "_each", lambda *_: ([], []))


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
    "an_erasure_is_proved_when_what_it_is_about_is_gone",
    how="a certificate is bound to its receipt by its order alone",
    red="test_whatever_it_says_cannot_be_made_to_say_something_else",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.ledger.format import certificate

    class Anything(str):
        def __ne__(self, other: object) -> bool:
            return False

        __hash__ = str.__hash__

    patch.setattr(certificate, "commitment", lambda of: Anything())


@sabotage(
    "an_erasure_is_proved_when_what_it_is_about_is_gone",
    how="a certificate says what came with its order",
    red="test_it_names_no_word_of_what_was_erased_nor_why_it_was_asked",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.erasure.services import certifying

    said = certifying._said
    patch.setattr(certifying, "_said", lambda *given: {**said(*given), "request": "Case 12/7 of Ines"})


@sabotage(
    "an_audit_calls_nothing_clean_that_it_could_not_see",
    how="what a client was handed and named nothing of counts as not used",
    red="test_what_may_have_been_made_from_it_and_does_not_say_is_never_a_pass",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.erasure import audited

    patch.setattr(audited, "_DOUBTFUL", "SELECT 0, 0")


@sabotage(
    "an_audit_calls_nothing_clean_that_it_could_not_see",
    how="nobody asks whether a key of something erased is left",
    red="test_whatever_is_left_of_it_is_found",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    edit(admin, "gate.left_of_erased(uuid, text)", ("held JOIN", "held JOIN (SELECT 1 WHERE false) never ON true JOIN"))


@sabotage(
    "a_killed_erasure_ends_complete_or_never_began",
    how="whoever goes on with an order begins with its first memory again",
    red="test_carried_out_by_many_at_once_nothing_is_told_twice",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.memories import erased

    told_next = erased.told_next
    patch.setattr(erased, "told_next", lambda vault, order, told, limit: told_next(vault, order, 0, limit))


@sabotage(
    "no_memory_goes_by_itself_untold",
    how="a memory counts as one whose end was told of, once it is over",
    red="test_a_memory_nobody_was_told_of_stays_however_late_the_clock_is",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.policy import retention

    patch.setattr(retention, "_told", lambda said_at, told_at, ends: said_at)
