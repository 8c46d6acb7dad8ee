"""Between the stamp and the release things may end: `take` checks what can, and releases only what still may leave."""

import psycopg
import pytest

from tests import databases
from tests.gate.cast import (
    CLIENT,
    HOLDER,
    Connection,
    Vault,
    add_candidate,
    add_memory,
    item,
    new_handle,
    open_vault,
    plan,
    read_plan,
    refusal,
    show_plan,
    stamp,
    take,
)

ENDINGS = {
    "revoked": "UPDATE access_grant SET revoked_at = now() WHERE vault_id = %(vault)s",
    "paused": "UPDATE access_grant SET paused = true WHERE vault_id = %(vault)s",
    "narrowed": "UPDATE access_grant SET terms_version = terms_version + 1 WHERE vault_id = %(vault)s",
    "gone": "DELETE FROM access_grant WHERE vault_id = %(vault)s",
    "erased": "DELETE FROM sealed.key WHERE vault_id = %(vault)s AND memory_id = %(memory)s",
    "marked erased": "UPDATE memory SET state = 'erased' WHERE vault_id = %(vault)s",
    "put away": "UPDATE memory SET state = 'withdrawn' WHERE vault_id = %(vault)s",
    "made special": "UPDATE memory SET category = 'health', neutral_label = 'x' WHERE vault_id = %(vault)s",
    "made attested": "UPDATE memory SET attested = true, claim = 'budget' WHERE vault_id = %(vault)s",
}


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS.keys())
def test_what_ended_since_the_stamp_is_not_released(
    admin: Connection, gate: Connection, vault: Vault, ending: str
) -> None:
    handle, memory = new_handle(), vault.memories[0]
    stamp(gate, vault, handle, read_plan(vault, memory))
    assert len(take(gate, vault, handle)) == 1
    admin.execute(ending, {"vault": vault.id, "memory": memory})
    assert take(gate, vault, handle) == []


def test_an_older_snapshot_does_not_hide_an_ending(admin: Connection, vault: Vault) -> None:
    """A snapshot from before the revocation would still see the grant as it was."""
    handle = new_handle()
    with databases.connect("gate", autocommit=True) as gate:
        stamp(gate, vault, handle, read_plan(vault, vault.memories[0]))
    with databases.connect("gate") as gate:
        gate.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        gate.execute("SELECT 1")
        admin.execute(ENDINGS["revoked"], {"vault": vault.id})
        with pytest.raises(psycopg.errors.InvalidTransactionState):
            take(gate, vault, handle)
        gate.rollback()


def test_one_erased_memory_does_not_hold_back_the_others(admin: Connection, gate: Connection, vault: Vault) -> None:
    handle = new_handle()
    stamp(gate, vault, handle, read_plan(vault, *vault.memories))
    admin.execute("DELETE FROM sealed.key WHERE memory_id = %s", [vault.memories[2]])
    assert [row.memory_id for row in take(gate, vault, handle)] == vault.memories[:2] + vault.memories[3:]


def test_a_spent_or_ended_grant_still_serves_what_was_stamped(
    admin: Connection, gate: Connection, vault: Vault
) -> None:
    admin.execute("UPDATE access_grant SET reads_left = 1 WHERE vault_id = %s", [vault.id])
    handle = new_handle()
    stamp(gate, vault, handle, read_plan(vault, vault.memories[0]))
    assert len(take(gate, vault, handle)) == 1


def test_a_decided_candidate_is_not_shown_any_more(admin: Connection, gate: Connection, vault: Vault) -> None:
    candidate, handle, ticket = add_candidate(admin, vault), new_handle(), vault.ticket(HOLDER)
    stamp(gate, vault, handle, show_plan(vault, item(candidate, s="proposed")), ticket)
    assert len(take(gate, vault, handle, ticket)) == 1
    admin.execute("UPDATE proposal SET status = 'rejected' WHERE vault_id = %s", [vault.id])
    assert take(gate, vault, handle, ticket) == []


@pytest.mark.parametrize("whose", ["another recipient's", "another vault's", "an act's", "an unknown handle"])
def test_only_the_recipient_s_own_stamp_is_released(
    admin: Connection, gate: Connection, vault: Vault, whose: str
) -> None:
    handle = new_handle()
    stamp(gate, vault, handle, read_plan(vault, vault.memories[0]))
    ticket = {
        "another recipient's": vault.ticket("cli_other"),
        "another vault's": open_vault(admin, 1).ticket(),
        "an act's": vault.ticket(CLIENT, "-"),
        "an unknown handle": vault.ticket(),
    }[whose]
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        take(gate, vault, new_handle() if whose == "an unknown handle" else handle, ticket)


def test_a_handle_of_one_vault_opens_nothing_in_another(admin: Connection, gate: Connection, vault: Vault) -> None:
    handle, other = new_handle(), open_vault(admin, 1)
    stamp(gate, vault, handle, read_plan(vault, vault.memories[0]))
    for ticket in (vault.ticket(), other.ticket()):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            take(gate, other, handle, ticket)


def test_an_attested_memory_leaves_without_bytes_or_keys(admin: Connection, gate: Connection, vault: Vault) -> None:
    memory = add_memory(admin, vault, attested=True)
    admin.execute(
        "UPDATE access_grant SET memory_ids = memory_ids || to_jsonb(%s::text) WHERE vault_id = %s",
        [memory.hex, vault.id],
    )
    handle = new_handle()
    made = plan(vault, item(memory, a=True, f="attested"), item(vault.memories[0], f="attested"))
    assert stamp(gate, vault, handle, made).outcome == "stamped"
    rows = take(gate, vault, handle)
    assert [row.form for row in rows] == ["attested", "attested"]
    assert {row[5:] for row in rows} == {(None,) * 7}


def test_a_refusal_releases_nothing(gate: Connection, vault: Vault) -> None:
    handle = new_handle()
    made = plan(vault, item(vault.memories[0]), refusal(vault.memories[1]))
    stamp(gate, vault, handle, made)
    assert [row.memory_id for row in take(gate, vault, handle)] == [vault.memories[0]]
    refused = new_handle()
    stamp(gate, vault, refused, plan(vault, refusal(vault.memories[1]), object=None))
    assert take(gate, vault, refused) == []
