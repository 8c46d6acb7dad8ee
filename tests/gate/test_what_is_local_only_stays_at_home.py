"""What is local only the gate hands to nobody who is not at home, whatever plan it is given."""

import pytest

from tests.gate.cast import (
    CLIENT,
    HOLDER,
    Connection,
    Vault,
    add_grant,
    item,
    new_handle,
    plan,
    show_plan,
    stamp,
    take,
)

MARK = "UPDATE memory SET local_only = %s WHERE vault_id = %s AND memory_id = %s"
AT_HOME = "UPDATE client SET local = %s WHERE vault_id = %s"
ROSA = f"gdn_{'7' * 32}"


class Cook:
    """A client of the vault's own, with a grant on all of it: as the door lets it in, and as it asks."""

    def __init__(self, admin: Connection, vault: Vault) -> None:
        self.actor = f"cli_{vault.client_id.hex}"
        self.ticket = vault.ticket(self.actor, self.actor)
        self.grant = add_grant(admin, vault, recipient=self.actor)
        self.vault = vault

    def stamp(self, gate: Connection, handle: bytes) -> str:
        made = plan(self.vault, item(self.vault.memories[0]), object=str(self.grant))
        return str(stamp(gate, self.vault, handle, made, self.ticket).outcome)

    def take(self, gate: Connection, handle: bytes) -> int:
        return len(take(gate, self.vault, handle, self.ticket))


@pytest.fixture
def cook(admin: Connection, vault: Vault) -> Cook:
    return Cook(admin, vault)


def test_a_plan_that_names_it_for_a_client_is_stale(
    admin: Connection, gate: Connection, vault: Vault, cook: Cook
) -> None:
    admin.execute(MARK, [True, vault.id, vault.memories[0]])
    assert cook.stamp(gate, new_handle()) == "stale"
    admin.execute(AT_HOME, [True, vault.id])
    handle = new_handle()
    assert cook.stamp(gate, handle) == "stamped", "at home it is handed over"
    assert cook.take(gate, handle) == 1


def test_marked_between_the_stamp_and_the_release_it_stays(
    admin: Connection, gate: Connection, vault: Vault, cook: Cook
) -> None:
    handle = new_handle()
    assert (cook.stamp(gate, handle), cook.take(gate, handle)) == ("stamped", 1)
    admin.execute(MARK, [True, vault.id, vault.memories[0]])
    assert cook.take(gate, handle) == 0


def test_a_client_that_is_moved_out_between_is_given_nothing(
    admin: Connection, gate: Connection, vault: Vault, cook: Cook
) -> None:
    handle = new_handle()
    admin.execute(MARK, [True, vault.id, vault.memories[0]])
    admin.execute(AT_HOME, [True, vault.id])
    assert cook.stamp(gate, handle) == "stamped"
    admin.execute(AT_HOME, [False, vault.id])
    assert cook.take(gate, handle) == 0


@pytest.mark.parametrize(
    ("recipient", "outcome"),
    [
        ("mdl_stand-in", "stamped"),
        ("mdl_local/127.0.0.1:11434", "stamped"),
        ("mdl_api.example.org", "stale"),
        ("mdl_local:8000", "stale"),
        ("mdl_local", "stale"),
        ("cli_local", "stale"),
    ],
)
def test_of_models_those_alone_that_are_named_so(
    admin: Connection, gate: Connection, vault: Vault, recipient: str, outcome: str
) -> None:
    memory = vault.memories[0]
    admin.execute(MARK, [True, vault.id, memory])
    grant = add_grant(admin, vault, recipient=recipient)
    made = plan(vault, item(memory), object=str(grant))
    assert stamp(gate, vault, new_handle(), made, vault.ticket(CLIENT, recipient)).outcome == outcome


@pytest.mark.parametrize("seat", [HOLDER, ROSA])
def test_whoever_looks_at_the_holder_s_own_sees_it(
    admin: Connection, gate: Connection, vault: Vault, seat: str
) -> None:
    memory, handle, ticket = vault.memories[0], new_handle(), vault.ticket(seat, seat)
    admin.execute(MARK, [True, vault.id, memory])
    assert stamp(gate, vault, handle, show_plan(vault, item(memory)), ticket).outcome == "stamped"
    assert len(take(gate, vault, handle, ticket)) == 1
