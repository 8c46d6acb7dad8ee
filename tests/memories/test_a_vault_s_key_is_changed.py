"""A vault's key is changed: what lives opens as before, nothing is left under the old key, and the old key is gone."""

from typing import Any

import pytest
from django.db import connections

from apps.memories import sealing
from apps.memories import services as memories
from apps.memories.keys import VaultKey, WrappedVaultKey
from apps.policy.people import CLOCK
from apps.policy.types import Proposal
from apps.turns import services as turns
from tests.cast import QUESTION, Assistant, Vault, canary, give
from tests.gate.cast import check_chain
from vault.clock import utc_now


def epochs(admin: Any, vault: Vault) -> list[int]:
    rows = admin.execute("SELECT epoch FROM vault_key WHERE vault_id = %s ORDER BY epoch", [vault.id]).fetchall()
    return [epoch for (epoch,) in rows]


def under(admin: Any, vault: Vault) -> dict[str, set[int]]:
    """The epochs under which anything is kept, by table: every table that has such a column."""
    tables = admin.execute(
        "SELECT c.oid::regclass::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'epoch'"
        " JOIN pg_attribute v ON v.attrelid = c.oid AND v.attname = 'vault_id' WHERE c.relkind IN ('r', 'p')"
    ).fetchall()
    found = {
        table: admin.execute(f"SELECT DISTINCT epoch FROM {table} WHERE vault_id = %s", [vault.id]).fetchall()
        for (table,) in tables
    }
    return {table: {epoch for (epoch,) in rows} for table, rows in found.items() if rows}


def shown(vault: Vault) -> dict[str, str | None]:
    names = {memory_id: name for name, memory_id in vault.ids.items()}
    found = memories.show(vault.holder, list(names)).values
    return {names[each.memory_id]: each.value for each in found}


def talk(vault: Vault) -> Any:
    asked = turns.ask(vault.holder, QUESTION, utc_now())
    turns.decide(vault.holder, asked.turn_id, ordinary=frozenset({vault.ids["kitchen"]}), now=utc_now())
    list(turns.answer(vault.holder, asked.turn_id, utc_now()))
    return asked


def key_of(admin: Any, vault: Vault, epoch: int = 1) -> VaultKey:
    row = admin.execute(
        "SELECT epoch, root_epoch, wrapped, index_wrapped FROM vault_key WHERE vault_id = %s AND epoch = %s",
        [vault.id, epoch],
    ).fetchone()
    return sealing.open_vault_key(vault.id, WrappedVaultKey(*row))


def test_everything_that_lives_opens_as_before(alice: Vault, cook: Assistant, admin: Any) -> None:
    memories.correct(alice.holder, alice.ids["time"], value=f"later {canary()}", now=utc_now())
    asked = talk(alice)
    give(cook, "kitchen")
    before, said = shown(alice), turns.turn(alice.holder, asked.turn_id)
    then = memories.show_past(alice.holder, [(alice.ids["time"], 1)])
    assert memories.rotate(alice.id, utc_now()) == 2
    assert shown(alice) == before
    assert turns.turn(alice.holder, asked.turn_id) == said
    assert memories.show_past(alice.holder, [(alice.ids["time"], 1)]).values[0].value == then.values[0].value
    assert [each.handed.value for each in cook.read("kitchen").released] == [alice.values["kitchen"]]
    assert epochs(admin, alice) == [2]


def test_nothing_anywhere_is_left_under_the_old_key(alice: Vault, cook: Assistant, admin: Any) -> None:
    talk(alice)
    memories.propose(cook.caller, label="City", value=f"Porto {canary()}", now=utc_now())
    before = under(admin, alice)
    assert before.keys() >= {"sealed.key", "value_print", "turn", "vault_key"}
    memories.rotate(alice.id, utc_now())
    assert under(admin, alice) == {table: {2} for table in before}


def test_no_ciphertext_moves_and_no_wrapped_key_stays(alice: Vault, admin: Any) -> None:
    talk(alice)

    def look(query: str) -> Any:
        return admin.execute(query, [alice.id]).fetchall()

    values = "SELECT * FROM sealed.value WHERE vault_id = %s ORDER BY memory_id, version"
    events = "SELECT body FROM turn_event WHERE vault_id = %s ORDER BY turn_id, n"
    wraps = (
        "SELECT wrapped FROM sealed.key WHERE vault_id = %(v)s"
        " UNION ALL SELECT wrapped FROM turn WHERE vault_id = %(v)s"
        " UNION ALL SELECT digests FROM value_print WHERE vault_id = %(v)s"
        " UNION ALL SELECT whole FROM value_print WHERE vault_id = %(v)s"
    )

    def wrapped() -> set[bytes]:
        return {bytes(each) for (each,) in admin.execute(wraps, {"v": alice.id}).fetchall()}

    kept, old = (look(values), look(events)), wrapped()
    memories.rotate(alice.id, utc_now())
    assert (look(values), look(events)) == kept
    assert old and not old & wrapped()


def test_the_old_key_opens_nothing_of_what_lives(alice: Vault, admin: Any) -> None:
    old = key_of(admin, alice)
    memories.rotate(alice.id, utc_now())
    for memory_id, version, category, attested, wrapped in admin.execute(
        "SELECT memory_id, version, category, attested, wrapped FROM sealed.key JOIN sealed.value"
        " USING (vault_id, memory_id, version) WHERE vault_id = %s",
        [alice.id],
    ).fetchall():
        row = sealing.WrappedKey(memory_id, version, category, attested, wrapped)
        with pytest.raises(sealing.CannotOpen):
            sealing.rewrap_key(alice.id, old, old, row)


def test_words_are_recognised_as_before(alice: Vault, cook: Assistant) -> None:
    """Prints are keyed anew: what was corrected does not come back, what was rejected stays a dead end."""
    memories.correct(alice.holder, alice.ids["kitchen"], value=f"no oven {canary()}", now=utc_now())
    told = {"label": "City", "value": f"Porto {canary()}"}
    made = memories.propose(cook.caller, **told, now=utc_now())
    assert isinstance(made, Proposal)
    memories.reject(alice.holder, made.proposal_id, utc_now())
    again = memories.propose(cook.caller, **told, now=utc_now())
    texts = [f"It is {alice.values['kitchen']}, they say."]
    found = memories.check_texts(alice.holder, texts).finds
    assert found
    memories.rotate(alice.id, utc_now())
    assert memories.propose(cook.caller, **told, now=utc_now()) == again
    assert [each.memory.memory_id for each in memories.check_texts(alice.holder, texts).finds] == [
        each.memory.memory_id for each in found
    ]
    echo = memories.correct(alice.holder, alice.ids["kitchen"], value=alice.values["kitchen"], now=utc_now())
    assert getattr(echo, "reason", None) == "echo"


def test_it_is_found_by_the_same_words(alice: Vault) -> None:
    word = canary()
    alice.keep("pan", f"an iron pan {word}")
    memories.rotate(alice.id, utc_now())
    assert [each for each, _ in memories.search(alice.id, alice.holder.actor, word, 5)] == [alice.ids["pan"]]


def test_its_receipt_says_that_it_was_and_nothing_more(alice: Vault, admin: Any) -> None:
    memories.rotate(alice.id, utc_now())
    (receipt,) = alice.receipts(kind="keys.rotated")
    assert (receipt.actor, receipt.version, receipt.memory_id) == (CLOCK, 2, None)
    assert not check_chain(admin, alice.id)[1]


def test_a_vault_without_a_key_has_none_to_change(live: None) -> None:
    from apps.holders import services as holders

    holder = holders.enrol(f"{canary()}@house.example", "Nils", None, space="Nils's house")
    assert memories.rotate(holder.vault_id, utc_now()) is None


def test_a_key_that_does_not_open_leaves_everything_as_it_was(alice: Vault, admin: Any) -> None:
    before = under(admin, alice)
    admin.execute("UPDATE sealed.key SET wrapped = '\\x00' WHERE memory_id = %s", [alice.ids["diary"]])
    with pytest.raises(sealing.CannotOpen):
        memories.rotate(alice.id, utc_now())
    assert under(admin, alice) == before
    assert memories.show(alice.holder, [alice.ids["kitchen"]]).values[0].value == alice.values["kitchen"]


def test_what_a_room_forgets_to_wrap_is_noticed_before_anything_is_lost(alice: Vault, admin: Any) -> None:
    talk(alice)
    from apps.memories.services import rotating

    with pytest.MonkeyPatch.context() as patch, pytest.raises(Exception, match="still sealed"):
        patch.setattr(rotating, "_OTHERS", [])
        memories.rotate(alice.id, utc_now())
    connections["default"].close()
    assert 1 in epochs(admin, alice)
    assert shown(alice)["kitchen"] == alice.values["kitchen"]


@pytest.mark.parametrize("page", [1, 2, 3])
def test_page_by_page_none_is_left_out(alice: Vault, admin: Any, monkeypatch: pytest.MonkeyPatch, page: int) -> None:
    from apps.memories.services import rotating

    monkeypatch.setattr(rotating, "PAGE", page)
    talk(alice)
    talk(alice)
    before = shown(alice)
    memories.rotate(alice.id, utc_now())
    assert shown(alice) == before
    assert set().union(*under(admin, alice).values()) == {2}
