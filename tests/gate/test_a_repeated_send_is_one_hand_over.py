"""A handle names one hand-over: sent again it spends nothing, and what it is sent with may not change."""

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from tests import databases
from tests.gate.cast import (
    CLIENT,
    Connection,
    Vault,
    add_grant,
    count_receipts,
    item,
    new_handle,
    plan,
    stamp,
    take,
)


@pytest.fixture
def counted(admin: Connection, vault: Vault) -> Vault:
    """The vault, its grant good for five reads."""
    vault.grant_id = add_grant(admin, vault, reads_left=5)
    return vault


def left(admin: Connection, vault: Vault) -> int:
    row = admin.execute("SELECT reads_left FROM access_grant WHERE grant_id = %s", [vault.grant_id]).fetchone()
    assert row is not None
    return int(row[0])


def test_it_returns_the_same_receipts_and_spends_nothing(gate: Connection, admin: Connection, counted: Vault) -> None:
    handle, made = new_handle(), plan(counted, *map(item, counted.memories), digest="body")
    first = stamp(gate, counted, handle, made)
    again = stamp(gate, counted, handle, made)
    assert (first.outcome, again.outcome) == ("stamped", "replay")
    assert (first.first, first.last) == (again.first, again.last)
    assert left(admin, counted) == 4
    assert count_receipts(admin, counted) == len(counted.memories)
    assert len(take(gate, counted, handle)) == len(take(gate, counted, handle)) == len(counted.memories)


def test_the_body_counts_and_not_the_plan(gate: Connection, counted: Vault) -> None:
    """Facts may have moved since: the second plan of the same body may differ."""
    handle = new_handle()
    stamp(gate, counted, handle, plan(counted, item(counted.memories[0]), digest="body"))
    other = plan(counted, item(counted.memories[1]), digest="body", terms=7)
    assert stamp(gate, counted, handle, other).outcome == "replay"


@pytest.mark.parametrize(("body", "recipient"), [("another", CLIENT), ("body", "cli_other")])
def test_another_body_or_recipient_is_reuse_and_learns_nothing(
    gate: Connection, admin: Connection, counted: Vault, body: str, recipient: str
) -> None:
    handle = new_handle()
    stamp(gate, counted, handle, plan(counted, item(counted.memories[0]), digest="body"))
    again = stamp(
        gate, counted, handle, plan(counted, item(counted.memories[0]), digest=body), counted.ticket(CLIENT, recipient)
    )
    assert again == ("reuse", None, None, None, None)
    assert left(admin, counted) == 4


def test_after_a_minute_it_is_expired_and_takes_nothing(gate: Connection, admin: Connection, counted: Vault) -> None:
    handle, made = new_handle(), plan(counted, item(counted.memories[0]))
    stamp(gate, counted, handle, made)
    admin.execute(
        "UPDATE sealed.handle SET at = clock_timestamp() - interval '61 seconds' WHERE vault_id = %s", [counted.id]
    )
    assert stamp(gate, counted, handle, made).outcome == "expired"
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        take(gate, counted, handle)
    assert (left(admin, counted), count_receipts(admin, counted)) == (4, 1)


def test_a_minute_is_counted_by_the_clock_and_not_by_a_receipt_s_time(
    gate: Connection, admin: Connection, counted: Vault
) -> None:
    """A head whose time runs ahead must not lengthen it."""
    admin.execute("UPDATE sealed.chain_head SET at = now() + interval '30 minutes' WHERE vault_id = %s", [counted.id])
    handle = new_handle()
    stamp(gate, counted, handle, plan(counted, item(counted.memories[0])))
    row = admin.execute(
        "SELECT at <= clock_timestamp() FROM sealed.handle WHERE vault_id = %s", [counted.id]
    ).fetchone()
    assert row == (True,)


def test_twelve_sends_at_once_are_one(admin: Connection, counted: Vault) -> None:
    handle, made = new_handle(), plan(counted, item(counted.memories[0]))

    def send(_: int) -> str:
        with databases.connect("gate", autocommit=True) as connection:
            return stamp(connection, counted, handle, made).outcome

    with ThreadPoolExecutor(12) as clients:
        outcomes = sorted(clients.map(send, range(12)))
    assert outcomes == ["replay"] * 11 + ["stamped"]
    assert (left(admin, counted), count_receipts(admin, counted)) == (4, 1)


def test_only_the_handle_s_hash_is_kept(gate: Connection, admin: Connection, counted: Vault) -> None:
    handle = new_handle()
    stamp(gate, counted, handle, plan(counted, item(counted.memories[0])))
    row = admin.execute("SELECT handle <> %s FROM sealed.handle WHERE vault_id = %s", [handle, counted.id]).fetchone()
    assert row == (True,)
