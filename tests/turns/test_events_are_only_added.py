"""The conversation's events stand as they were written: no role changes, removes or forges one unseen."""

from typing import Any

import psycopg
import pytest

from apps.memories.sealing import CannotOpen
from apps.policy.types import Turn
from apps.turns import services as turns
from tests import databases
from tests.cast import QUESTION, Vault
from tests.turns.logs import conversation_of, events_of
from vault.clock import utc_now

STATEMENTS = [
    "UPDATE public.turn_event SET kind = 'asked'",
    "UPDATE public.turn_event SET body = '\\x00' WHERE n = 1",
    "DELETE FROM public.turn_event WHERE n = 1",
    "TRUNCATE public.turn_event",
]


@pytest.fixture
def turn(alice: Vault) -> Turn:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    turns.decide(alice.holder, asked.turn_id, ordinary=frozenset({alice.ids["kitchen"]}), now=utc_now())
    *_, last = turns.answer(alice.holder, asked.turn_id, utc_now())
    assert isinstance(last, turns.Finished)
    return last.turn


def test_nobody_changes_or_removes_one(alice: Vault, turn: Turn) -> None:
    before = events_of(alice, turn)
    for role in ("postgres", "owner", "app", "gate", "log", "admin"):
        for statement in STATEMENTS:
            with databases.connect(role) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)
    assert len(before) > 4 and events_of(alice, turn) == before


def test_a_turn_with_events_is_not_removed_from_under_them(turn: Turn, admin: Any) -> None:
    with pytest.raises(psycopg.errors.ForeignKeyViolation):
        admin.execute("DELETE FROM turn WHERE turn_id = %s", [turn.turn_id])


def test_a_row_that_is_moved_to_another_place_does_not_open(alice: Vault, turn: Turn, admin: Any) -> None:
    """The control: whoever turns the trigger off can write, and is found out by the seal."""
    admin.execute("ALTER TABLE turn_event DISABLE TRIGGER append_only")
    try:
        admin.execute("UPDATE turn_event SET kind = 'answered' WHERE turn_id = %s AND n = 2", [turn.turn_id])
        with pytest.raises(CannotOpen):
            events_of(alice, turn)
        admin.execute("UPDATE turn_event SET kind = 'offered' WHERE turn_id = %s AND n = 2", [turn.turn_id])
    finally:
        admin.execute("ALTER TABLE turn_event ENABLE TRIGGER append_only")
    assert [each.kind for each in events_of(alice, turn)][:2] == ["asked", "offered"]


def test_another_vault_sees_none_of_them(alice: Vault, mallory: Vault, turn: Turn) -> None:
    with pytest.raises(Exception, match="does not exist"):
        conversation_of(mallory, turn)
    assert turns.conversation_file(mallory.holder, turn.turn_id) is None


def test_no_event_s_words_are_in_clear(alice: Vault, turn: Turn, admin: Any) -> None:
    rows = admin.execute("SELECT body FROM turn_event WHERE turn_id = %s", [turn.turn_id]).fetchall()
    stored = b"".join(bytes(row[0]) for row in rows)
    for said in (QUESTION, turn.answer, alice.values["kitchen"], "question", "memories"):
        assert said.encode() not in stored
