"""What is sealed from guardians the gate releases to the holder alone, whatever plan it is given."""

import pytest

from tests.gate.cast import (
    HOLDER,
    Connection,
    Vault,
    add_memory,
    item,
    new_handle,
    read_plan,
    show_plan,
    stamp,
    take,
)

SEALED = "sealed-from-guardians"
ROSA = f"gdn_{'7' * 32}"
SEAL = "UPDATE memory SET state = %s WHERE vault_id = %s AND memory_id = %s"


@pytest.mark.parametrize("actor", [ROSA, f"dlg_{'7' * 32}"])
def test_a_plan_that_names_it_for_a_guardian_gives_nothing(
    admin: Connection, gate: Connection, vault: Vault, actor: str
) -> None:
    memory, handle = add_memory(admin, vault, state=SEALED), new_handle()
    ticket = vault.ticket(actor, actor)
    stamp(gate, vault, handle, show_plan(vault, item(memory, s=SEALED)), ticket)
    assert take(gate, vault, handle, ticket) == []
    own, handle = vault.ticket(HOLDER, HOLDER), new_handle()
    assert stamp(gate, vault, handle, show_plan(vault, item(memory, s=SEALED)), own).outcome == "stamped"
    assert [each.memory_id for each in take(gate, vault, handle, own)] == [memory]


def test_sealed_between_the_stamp_and_the_release_it_stays(admin: Connection, gate: Connection, vault: Vault) -> None:
    memory, handle, ticket = vault.memories[0], new_handle(), vault.ticket(ROSA, ROSA)
    assert stamp(gate, vault, handle, show_plan(vault, item(memory)), ticket).outcome == "stamped"
    assert len(take(gate, vault, handle, ticket)) == 1
    admin.execute(SEAL, [SEALED, vault.id, memory])
    assert take(gate, vault, handle, ticket) == []


def test_a_plan_that_was_made_before_the_seal_is_stale(admin: Connection, gate: Connection, vault: Vault) -> None:
    memory = vault.memories[0]
    admin.execute(SEAL, [SEALED, vault.id, memory])
    assert stamp(gate, vault, new_handle(), show_plan(vault, item(memory)), vault.ticket(ROSA, ROSA)).outcome == "stale"
    assert stamp(gate, vault, new_handle(), read_plan(vault, memory)).outcome == "stale"
