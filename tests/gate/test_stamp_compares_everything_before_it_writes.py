"""On any difference between the plan and the rows, `stamp` says `stale` and writes nothing: no receipt, no handle."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from tests.gate.cast import (
    CLIENT,
    HOLDER,
    Connection,
    Vault,
    add_candidate,
    add_grant,
    add_memory,
    count_receipts,
    forged_ticket,
    hand_over,
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

Scene = Callable[[Connection, Vault], tuple[str, str]]


def _with(**changes: object) -> Scene:
    """The first memory's line with other fields."""
    return lambda _admin, vault: (plan(vault, item(vault.memories[0], **changes)), vault.ticket())


def _on(**changes: object) -> Scene:
    """The plan's own fields changed."""
    return lambda _admin, vault: (plan(vault, item(vault.memories[0]), **changes), vault.ticket())


def _after(statement: str) -> Scene:
    """The rows moved after the plan was made."""

    def scene(admin: Connection, vault: Vault) -> tuple[str, str]:
        for each in statement.split(";"):
            names = {"vault": vault.id, "memory": vault.memories[0]}
            admin.execute(each, {name: value for name, value in names.items() if f"%({name})s" in each})
        return read_plan(vault, vault.memories[0]), vault.ticket()

    return scene


def _another_memory(**kind: Any) -> Scene:
    """A memory made after the grant, so not in its chosen set."""

    def scene(admin: Connection, vault: Vault) -> tuple[str, str]:
        memory = add_memory(admin, vault, **kind)
        asked = item(memory, c=kind.get("category", "ordinary"), a=kind.get("attested", False))
        return plan(vault, asked), vault.ticket()

    return scene


def _special_beside_ordinary(admin: Connection, vault: Vault) -> tuple[str, str]:
    health = add_memory(admin, vault, category="health")
    both = add_grant(admin, vault, memories=[*vault.memories], category="health")
    return plan(vault, item(vault.memories[0]), item(health, c="health"), object=str(both)), vault.ticket()


def _attested_as_a_value(admin: Connection, vault: Vault) -> tuple[str, str]:
    memory = add_memory(admin, vault, attested=True)
    grant = add_grant(admin, vault, memories=[memory])
    return plan(vault, item(memory, a=True), object=str(grant)), vault.ticket()


def _put_away(admin: Connection, vault: Vault) -> tuple[str, str]:
    memory = add_memory(admin, vault, state="withdrawn")
    grant = add_grant(admin, vault, memories=[memory])
    return plan(vault, item(memory, s="withdrawn"), object=str(grant)), vault.ticket()


def _candidate_for_a_client(admin: Connection, vault: Vault) -> tuple[str, str]:
    candidate = add_candidate(admin, vault)
    grant = add_grant(admin, vault, memories=[candidate])
    return plan(vault, item(candidate, s="proposed"), object=str(grant)), vault.ticket()


def _candidate_that_was_decided(admin: Connection, vault: Vault) -> tuple[str, str]:
    candidate = add_candidate(admin, vault, status="rejected")
    return show_plan(vault, item(candidate, s="proposed")), vault.ticket(HOLDER)


def _somebody_else_s_memory(admin: Connection, vault: Vault) -> tuple[str, str]:
    return show_plan(vault, item(open_vault(admin, 1).memories[0])), vault.ticket(HOLDER)


def _somebody_else_s_grant(admin: Connection, vault: Vault) -> tuple[str, str]:
    return plan(vault, item(vault.memories[0]), object=str(open_vault(admin, 1).grant_id)), vault.ticket()


def _show(actor: str, recipient: str) -> Scene:
    return lambda _admin, vault: (show_plan(vault, item(vault.memories[0])), vault.ticket(actor, recipient))


def _index(actor: str = "sys_index", recipient: str = "sys_index", **changes: object) -> Scene:
    def scene(admin: Connection, vault: Vault) -> tuple[str, str]:
        memory = vault.memories[0]
        if changes.keys() & {"c", "s", "a"}:
            memory = add_memory(
                admin,
                vault,
                category=str(changes.get("c", "ordinary")),
                state=str(changes.get("s", "approved")),
                attested=bool(changes.get("a")),
            )
        made = plan(
            vault,
            item(memory, **changes),
            kind="value.indexed",
            object_kind="sys",
            object=None,
            terms=0,
            purpose="-",
        )
        return made, vault.ticket(actor, recipient)

    return scene


DIFFERENCES: dict[str, Scene] = {
    "another version": _with(v=2),
    "no version": _with(v=None),
    "another category": _with(c="health"),
    "attested in the plan only": _with(a=True),
    "another state": _with(s="withdrawn"),
    "a form nobody knows": _with(f="plain"),
    "a memory nobody has": lambda _admin, vault: (read_plan(vault, uuid4()), vault.ticket()),
    "a memory of another vault": _somebody_else_s_memory,
    "one good and one moved": lambda _admin, vault: (
        plan(vault, item(vault.memories[0]), item(vault.memories[1], v=2)),
        vault.ticket(),
    ),
    "a memory that is not in the grant": _another_memory(),
    "a special memory on a grant for ordinary ones": _another_memory(category="health"),
    "a special memory beside an ordinary one": _special_beside_ordinary,
    "an attested memory as a value": _attested_as_a_value,
    "a memory that was put away": _put_away,
    "a candidate for a client": _candidate_for_a_client,
    "a candidate that was decided": _candidate_that_was_decided,
    "a grant nobody has": _on(object=str(uuid4())),
    "a grant of another vault": _somebody_else_s_grant,
    "no grant": _on(object=None),
    "other terms": _on(terms=2),
    "no terms": _on(terms=None),
    "another purpose": _on(purpose="travel"),
    "no purpose": _on(purpose="-"),
    "another recipient": lambda _admin, vault: (
        read_plan(vault, vault.memories[0]),
        vault.ticket("cli_other"),
    ),
    "a grant that was revoked": _after("UPDATE access_grant SET revoked_at = now() WHERE vault_id = %(vault)s"),
    "a grant that was paused": _after("UPDATE access_grant SET paused = true WHERE vault_id = %(vault)s"),
    "a grant that ended": _after("UPDATE access_grant SET expires_at = now() WHERE vault_id = %(vault)s"),
    "a grant that is spent": _after("UPDATE access_grant SET reads_left = 0 WHERE vault_id = %(vault)s"),
    "a grant that was narrowed to nothing": _after(
        "UPDATE access_grant SET memory_ids = '[]' WHERE vault_id = %(vault)s"
    ),
    "a memory that moved on": _after("UPDATE memory SET version = 2 WHERE vault_id = %(vault)s"),
    "a key that was destroyed": _after("DELETE FROM sealed.key WHERE vault_id = %(vault)s AND memory_id = %(memory)s"),
    "a seal of another category": _after(
        "ALTER TABLE sealed.value DISABLE TRIGGER append_only;"
        "UPDATE sealed.value SET category = 'health' WHERE vault_id = %(vault)s;"
        "ALTER TABLE sealed.value ENABLE TRIGGER append_only"
    ),
    "a show by a client": _show(CLIENT, CLIENT),
    "a show for somebody else": _show(HOLDER, CLIENT),
    "a show by somebody else": _show(CLIENT, HOLDER),
    "the indexer's reading by a client": _index(CLIENT, CLIENT),
    "the indexer's reading for a client": _index("sys_index", CLIENT),
    "the indexer at a special memory": _index(c="health"),
    "the indexer at an attested memory": _index(a=True),
    "the indexer at a claim": _index(a=True, f="attested"),
    "the indexer at what was put away": _index(s="withdrawn"),
}


@pytest.mark.parametrize("scene", DIFFERENCES.values(), ids=DIFFERENCES.keys())
def test_a_difference_is_stale_and_leaves_nothing(
    admin: Connection, gate: Connection, vault: Vault, scene: Scene
) -> None:
    made, ticket = scene(admin, vault)
    handle = new_handle()
    assert stamp(gate, vault, handle, made, ticket).outcome == "stale"
    assert count_receipts(admin, vault) == 0
    written = admin.execute("SELECT count(*) FROM sealed.handle WHERE vault_id = %s", [vault.id]).fetchone()
    assert written == (0,)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        take(gate, vault, handle, ticket)


@pytest.mark.parametrize(
    ("changes", "ticket"),
    [
        ({"items": []}, None),
        ({"items": [refusal(None)] * 1001}, None),
        ({"items": None}, None),
        ({"digest": None}, None),
        ({"kind": "grant.made"}, None),
        ({"kind": "value.refused"}, None),
        ({"kind": "value.shown"}, None),
        ({"object_kind": "hld"}, None),
        ({"object_kind": "sys"}, HOLDER),
        ({"kind": None}, None),
        ({"object_kind": None}, None),
    ],
    ids=str,
)
def test_a_plan_that_is_none_is_refused(
    gate: Connection, vault: Vault, changes: dict[str, object], ticket: str | None
) -> None:
    made = plan(vault, item(vault.memories[0]), **changes)
    with pytest.raises(psycopg.Error):
        stamp(gate, vault, new_handle(), made, ticket and vault.ticket(ticket))


def test_a_handle_has_thirty_two_bytes(gate: Connection, vault: Vault) -> None:
    with pytest.raises(psycopg.errors.InvalidParameterValue):
        stamp(gate, vault, b"short", read_plan(vault, vault.memories[0]))


@pytest.mark.parametrize(
    "kind", ["another vault's", "nobody's", "forged", "expired", "for an act", "malformed", "empty"]
)
def test_a_wrong_ticket_is_refused(admin: Connection, gate: Connection, vault: Vault, kind: str) -> None:
    ticket = {
        "another vault's": open_vault(admin, 1).ticket(),
        "nobody's": "|" * 4,
        "forged": forged_ticket(vault, key=b"guess"),
        "expired": forged_ticket(vault, seconds=-1),
        "for an act": vault.ticket(CLIENT, "-"),
        "malformed": vault.ticket() + "|more",
        "empty": " ",
    }[kind]
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        stamp(gate, vault, new_handle(), read_plan(vault, vault.memories[0]), ticket)
    assert count_receipts(admin, vault) == 0


def test_what_agrees_is_stamped_and_released(gate: Connection, admin: Connection, vault: Vault) -> None:
    rows = hand_over(gate, vault, *vault.memories)
    assert [row.memory_id for row in rows] == vault.memories
    assert {row.memory_id: row.ciphertext for row in rows} == vault.ciphertexts
    assert count_receipts(admin, vault) == len(vault.memories)


def test_a_grant_is_spent_once_a_stamp_whatever_the_number_of_values(
    gate: Connection, admin: Connection, vault: Vault
) -> None:
    grant = add_grant(admin, vault, reads_left=2)
    outcomes = [
        stamp(gate, vault, new_handle(), plan(vault, *map(item, vault.memories), object=str(grant))).outcome
        for _ in range(3)
    ]
    assert outcomes == ["stamped", "stamped", "stale"]


def test_the_holder_is_shown_anything_of_theirs(gate: Connection, admin: Connection, vault: Vault) -> None:
    lines = [
        item(vault.memories[0]),
        item(add_memory(admin, vault, category="health"), c="health"),
        item(add_memory(admin, vault, attested=True), a=True),
        item(add_memory(admin, vault, state="withdrawn"), s="withdrawn"),
        item(add_candidate(admin, vault), s="proposed"),
    ]
    handle, ticket = new_handle(), vault.ticket(HOLDER)
    assert stamp(gate, vault, handle, show_plan(vault, *lines), ticket).outcome == "stamped"
    assert [row.ciphertext is not None for row in take(gate, vault, handle, ticket)] == [True] * 5


def test_a_refusal_is_a_receipt_that_names_nothing_but_the_memory(
    gate: Connection, admin: Connection, vault: Vault
) -> None:
    foreign = open_vault(admin, 1).memories[0]
    lines = [refusal(vault.memories[0], "grant-ended"), refusal(foreign, "not-found"), refusal(None, "not-found")]
    assert stamp(gate, vault, new_handle(), plan(vault, *lines, object=None)).outcome == "stamped"
    found = admin.execute(
        "SELECT kind, object, memory_id, version, category, form, reason, commitment FROM receipt"
        " WHERE vault_id = %s ORDER BY seq",
        [vault.id],
    ).fetchall()
    assert found == [
        ("value.refused", "-", vault.memories[0], 0, "-", "refused", "grant-ended", None),
        ("value.refused", "-", None, 0, "-", "refused", "not-found", None),
        ("value.refused", "-", None, 0, "-", "refused", "not-found", None),
    ]


def test_a_receipt_carries_the_seal_s_commitment_and_never_the_value(
    gate: Connection, admin: Connection, vault: Vault
) -> None:
    memory = vault.memories[0]
    hand_over(gate, vault, memory)
    row = admin.execute(
        "SELECT r.commitment = v.commitment, r.object, r.memory_id, r.version, r.form, r.recipient, r.purpose"
        " FROM receipt r JOIN sealed.value v USING (vault_id, memory_id, version) WHERE r.vault_id = %s",
        [vault.id],
    ).fetchone()
    assert row == (True, f"gra_{vault.grant_id.hex}", memory, 1, "value", CLIENT, "answer")
