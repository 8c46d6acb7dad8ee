"""What was merged into another memory the gate hands to nobody but to who looks at the holder's own; what was erased to
nobody at all. Whatever plan it is given, and whatever was granted.
"""

import pytest

from tests.gate.cast import (
    HOLDER,
    Connection,
    Vault,
    item,
    new_handle,
    plan,
    read_plan,
    show_plan,
    stamp,
    take,
)

MOVE = "UPDATE memory SET state = %s WHERE vault_id = %s AND memory_id = %s"
ROSA = f"gdn_{'7' * 32}"


@pytest.fixture(params=["merged", "erased", "withdrawn"])
def state(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_plan_from_before_is_stale(admin: Connection, gate: Connection, vault: Vault, state: str) -> None:
    memory = vault.memories[0]
    admin.execute(MOVE, [state, vault.id, memory])
    assert stamp(gate, vault, new_handle(), read_plan(vault, memory)).outcome == "stale"


def test_a_plan_that_names_its_state_is_stale_too(
    admin: Connection, gate: Connection, vault: Vault, state: str
) -> None:
    memory = vault.memories[0]
    admin.execute(MOVE, [state, vault.id, memory])
    assert stamp(gate, vault, new_handle(), plan(vault, item(memory, s=state))).outcome == "stale"


def test_moved_between_the_stamp_and_the_release_it_stays(
    admin: Connection, gate: Connection, vault: Vault, state: str
) -> None:
    memory, handle = vault.memories[0], new_handle()
    assert stamp(gate, vault, handle, read_plan(vault, memory)).outcome == "stamped"
    assert len(take(gate, vault, handle)) == 1
    admin.execute(MOVE, [state, vault.id, memory])
    assert take(gate, vault, handle) == []


@pytest.mark.parametrize("seat", [HOLDER, ROSA])
def test_what_was_merged_its_holder_sees(admin: Connection, gate: Connection, vault: Vault, seat: str) -> None:
    memory, handle, ticket = vault.memories[0], new_handle(), vault.ticket(seat, seat)
    admin.execute(MOVE, ["merged", vault.id, memory])
    assert stamp(gate, vault, handle, show_plan(vault, item(memory, s="merged")), ticket).outcome == "stamped"
    assert len(take(gate, vault, handle, ticket)) == 1


def test_what_was_erased_not_even_its_holder(admin: Connection, gate: Connection, vault: Vault) -> None:
    """Also where the keys were still there: the state alone is enough."""
    memory, handle, ticket = vault.memories[0], new_handle(), vault.ticket(HOLDER, HOLDER)
    assert stamp(gate, vault, handle, show_plan(vault, item(memory)), ticket).outcome == "stamped"
    admin.execute(MOVE, ["erased", vault.id, memory])
    assert take(gate, vault, handle, ticket) == []
    made = show_plan(vault, item(memory, s="erased"))
    handle = new_handle()
    stamp(gate, vault, handle, made, ticket)
    assert take(gate, vault, handle, ticket) == []
