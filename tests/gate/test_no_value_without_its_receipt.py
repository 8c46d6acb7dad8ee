"""Whoever holds the gate's connection cannot keep a value and lose its receipt.

The same six attacks succeed on a road whose read and receipt are one transaction: that is what they are able to see.
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import psycopg
import pytest

from tests import databases
from tests.gate.attacks import SIX, Attack, die_while_rows_stream, kept, the_gate, the_naive_road
from tests.gate.cast import (
    Connection,
    Vault,
    add_memory,
    count_receipts,
    new_handle,
    open_vault,
    read_plan,
    stamp,
    take,
)


@pytest.fixture
def scene(admin: Connection) -> tuple[Vault, UUID]:
    """A vault, and the id of one memory too large for a send buffer."""
    vault = open_vault(admin, 2)
    large = add_memory(admin, vault, size=200_000)
    admin.execute(
        "UPDATE access_grant SET memory_ids = memory_ids || to_jsonb(%s::text) WHERE vault_id = %s",
        [large.hex, vault.id],
    )
    return vault, large


@pytest.mark.parametrize("attack", SIX, ids=lambda attack: attack.__name__)
def test_the_gate_gives_nothing_or_keeps_the_receipt(
    admin: Connection, scene: tuple[Vault, UUID], attack: Attack
) -> None:
    value, receipts = kept(attack, the_gate(admin, *scene))
    if attack is die_while_rows_stream:
        assert value, "the stream was to be cut in its middle"
        assert receipts == 1
    else:
        assert not value


@pytest.mark.parametrize("attack", SIX, ids=lambda attack: attack.__name__)
def test_the_same_attack_empties_a_road_of_one_transaction(
    admin: Connection, scene: tuple[Vault, UUID], attack: Attack
) -> None:
    with the_naive_road(admin, *scene) as road:
        value, receipts = kept(attack, road)
    assert value and receipts == 0


def _declare_cursor(gate: Connection, vault: Vault, handle: bytes, hold: str) -> None:
    take_ = f"gate.take('{vault.id}', '{vault.ticket()}', '\\x{handle.hex()}')"
    gate.execute(f"DECLARE early CURSOR {hold} FOR SELECT * FROM {take_}")


Try = Callable[[Connection, Vault, bytes], Any]


def _stamp(connection: Connection, vault: Vault, handle: bytes) -> None:
    assert stamp(connection, vault, handle, read_plan(vault, vault.memories[0])).outcome == "stamped"


def stamp_and_take_in_one_transaction(gate: Connection, vault: Vault, handle: bytes) -> Any:
    _stamp(gate, vault, handle)
    return take(gate, vault, handle)


def take_under_the_savepoint_of_the_stamp(gate: Connection, vault: Vault, handle: bytes) -> Any:
    gate.execute("SAVEPOINT before")
    _stamp(gate, vault, handle)
    return take(gate, vault, handle)


def take_after_the_stamp_s_savepoint_was_released(gate: Connection, vault: Vault, handle: bytes) -> Any:
    gate.execute("SAVEPOINT before")
    _stamp(gate, vault, handle)
    gate.execute("RELEASE SAVEPOINT before")
    return take(gate, vault, handle)


def take_what_was_rolled_back(gate: Connection, vault: Vault, handle: bytes) -> Any:
    _stamp(gate, vault, handle)
    gate.rollback()
    return take(gate, vault, handle)


def declare_a_cursor_before_the_stamp(gate: Connection, vault: Vault, handle: bytes) -> Any:
    _declare_cursor(gate, vault, handle, "")
    _stamp(gate, vault, handle)
    return gate.execute("FETCH early").fetchone()


def hold_a_cursor_over_the_commit(gate: Connection, vault: Vault, handle: bytes) -> Any:
    _declare_cursor(gate, vault, handle, "WITH HOLD")
    _stamp(gate, vault, handle)
    gate.commit()
    return gate.execute("FETCH early").fetchone()


def take_in_an_older_snapshot(gate: Connection, vault: Vault, handle: bytes) -> Any:
    gate.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
    gate.execute("SELECT 1")
    with databases.connect("gate", autocommit=True) as other:
        _stamp(other, vault, handle)
    return take(gate, vault, handle)


def stamp_in_a_prepared_transaction(gate: Connection, vault: Vault, handle: bytes) -> Any:
    _stamp(gate, vault, handle)
    gate.execute("PREPARE TRANSACTION 'aside'")
    with databases.connect("gate", autocommit=True) as other:
        return take(other, vault, handle)


def send_both_in_a_pipeline_without_a_sync(gate: Connection, vault: Vault, handle: bytes) -> Any:
    gate.autocommit = True
    arguments = [vault.id, vault.ticket(), handle]
    with gate.pipeline():
        gate.execute("SELECT gate.stamp(%s, %s, %s, %s)", [*arguments, read_plan(vault, vault.memories[0])])
        return gate.execute("SELECT * FROM gate.take(%s, %s, %s)", arguments).fetchall()


def take_on_another_connection_before_the_commit(gate: Connection, vault: Vault, handle: bytes) -> Any:
    _stamp(gate, vault, handle)
    with databases.connect("gate", autocommit=True) as other:
        return take(other, vault, handle)


@pytest.mark.parametrize(
    "attempt",
    [
        stamp_and_take_in_one_transaction,
        take_under_the_savepoint_of_the_stamp,
        take_after_the_stamp_s_savepoint_was_released,
        take_what_was_rolled_back,
        declare_a_cursor_before_the_stamp,
        hold_a_cursor_over_the_commit,
        take_in_an_older_snapshot,
        stamp_in_a_prepared_transaction,
        send_both_in_a_pipeline_without_a_sync,
        take_on_another_connection_before_the_commit,
    ],
    ids=lambda attempt: attempt.__name__,
)
def test_take_refuses_what_is_not_a_committed_stamp(vault: Vault, attempt: Try) -> None:
    with databases.connect("gate") as connection:
        with pytest.raises(psycopg.Error):
            attempt(connection, vault, new_handle())
        connection.rollback()


def test_a_commit_between_the_two_is_the_only_way_and_leaves_the_receipt(
    gate: Connection, admin: Connection, vault: Vault
) -> None:
    handle, memory = new_handle(), vault.memories[0]
    with gate.pipeline() as pipeline:
        arguments = [vault.id, vault.ticket(), handle]
        gate.execute("SELECT gate.stamp(%s, %s, %s, %s)", [*arguments, read_plan(vault, memory)])
        pipeline.sync()
        rows = gate.execute("SELECT ciphertext FROM gate.take(%s, %s, %s)", arguments).fetchall()
    assert rows == [(vault.ciphertexts[memory],)]
    assert count_receipts(admin, vault) == 1


def test_a_commit_inside_an_injected_block_leaves_the_receipt(
    gate: Connection, admin: Connection, vault: Vault
) -> None:
    heard: list[str] = []
    gate.add_notice_handler(lambda notice: heard.append(notice.message_primary or ""))
    made, memory = the_gate(admin, vault, vault.memories[0]), vault.memories[0]
    assert made.first
    gate.execute(
        f"DO $$ DECLARE kept text; BEGIN PERFORM {made.first.removeprefix('SELECT ')}; COMMIT; "
        f"SELECT encode(ciphertext, 'hex') INTO kept FROM {made.stream}; RAISE NOTICE '%', kept; END $$"
    )
    assert heard == [vault.ciphertexts[memory].hex()]
    assert count_receipts(admin, vault) == 1


@pytest.mark.parametrize(
    ("broken", "mended"),
    [
        ("ALTER TABLE receipt RENAME TO gone", "ALTER TABLE gone RENAME TO receipt"),
        ("REVOKE INSERT ON receipt FROM muniment_gate_owner", "GRANT INSERT ON receipt TO muniment_gate_owner"),
        (
            "ALTER TABLE receipt ADD CONSTRAINT full_up CHECK (false) NOT VALID",
            "ALTER TABLE receipt DROP CONSTRAINT full_up",
        ),
    ],
    ids=["no ledger", "a ledger that may not be written", "a ledger that takes no more"],
)
def test_without_a_working_ledger_nothing_leaves(
    admin: Connection, gate: Connection, vault: Vault, broken: str, mended: str
) -> None:
    handle = new_handle()
    admin.execute(broken)
    try:
        with pytest.raises(psycopg.Error):
            stamp(gate, vault, handle, read_plan(vault, vault.memories[0]))
        with pytest.raises(psycopg.Error):
            take(gate, vault, handle)
    finally:
        admin.execute(mended)
    _stamp(gate, vault, handle)
    assert len(take(gate, vault, handle)) == 1
