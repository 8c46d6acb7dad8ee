"""A restore puts everything back as it was, but what was erased since; the drill: back up, erase, restore, look."""

from datetime import timedelta
from typing import Any

from apps.access import services as access
from apps.erasure import services as erasure
from apps.holders import services as holders
from apps.ledger import services as ledger
from apps.memories import services as memories
from apps.policy.erasing import Basis
from apps.policy.types import Refused
from apps.policy.vocabulary import ProposalStatus
from apps.turns import services as turns
from tests import databases
from tests.backup.conftest import Instance, restore_to
from tests.cast import QUESTION, Assistant, Vault, give, new_vault
from tests.drivers import ApiClient, signed_in
from tests.memories.test_erasing_one import erase
from vault.clock import utc_now


def shown(vault: Vault, name: str) -> list[str | None]:
    return [each.value for each in memories.show(vault.holder, [vault.ids[name]]).values]


def rows(query: str, *values: Any) -> list[tuple[Any, ...]]:
    with databases.connect("postgres") as admin:
        return admin.execute(query, values).fetchall()


def asked(vault: Vault, name: str) -> Any:
    """A question that was answered with a memory."""
    turn = turns.ask(vault.holder, QUESTION, utc_now())
    turns.decide(vault.holder, turn.turn_id, ordinary=frozenset({vault.ids[name]}), now=utc_now())
    list(turns.answer(vault.holder, turn.turn_id, utc_now()))
    found = turns.turn(vault.holder, turn.turn_id)
    assert found is not None and found.answer
    return found


def test_everything_is_as_it_was_and_goes_on(backed: Instance, alice: Vault, cook: Assistant) -> None:
    give(cook, "kitchen")
    assert cook.read("kitchen").released
    turn = asked(alice, "time")
    before = alice.receipts()
    taken = backed.back_up()
    later = alice.keep("later")
    done = restore_to(backed, taken)
    assert (done.tombstones, done.erased, done.replaced) == (0, 0, "")
    assert alice.receipts() == before
    assert shown(alice, "kitchen") == [alice.values["kitchen"]]
    assert turns.turn(alice.holder, turn.turn_id) == turn
    assert memories.memory(alice.holder, later) is None
    give(cook, "time")
    assert cook.read("time").released
    assert rows("SELECT count(*) FROM sealed.search_doc") == [(0,)]
    again = restore_to(backed, taken)
    assert again.erased == 0 and alice.receipts() == before, "and once more"


def test_the_drill(backed: Instance, alice: Vault, cook: Assistant) -> None:
    mallory = new_vault("Mallory")
    turn = asked(alice, "time")
    wish = ApiClient(cook.key).propose("Allergy", "Peanuts, since childhood", subject="health.allergy")
    (proposal,) = memories.proposals(alice.holder)
    taken = backed.back_up()
    gone = erase(alice, "time")
    memories.reject(alice.holder, proposal.proposal_id, utc_now())
    ended = erasure.end_vault(mallory.holder, utc_now())
    assert wish and not isinstance(ended, Refused)

    done = restore_to(backed, taken)
    assert (done.vaults, done.erased, done.ended) == (1, 1, 1)
    # On the page, over REST, in the rows.
    assert shown(alice, "time") == [] and memories.memory(alice.holder, gone) is None
    assert signed_in(alice.holder).get(f"/file/mem_{gone.hex}").status_code == 404
    assert f"mem_{gone.hex}" not in str(ApiClient(cook.key).subjects())
    assert rows("SELECT count(*) FROM sealed.key WHERE memory_id = ANY (%s)", [gone, proposal.memory_id]) == [(0,)]
    assert rows("SELECT state, label, subject FROM memory WHERE memory_id = %s", gone) == [("erased", "", "")]
    assert turns.turn(alice.holder, turn.turn_id) is None
    found = memories.proposal(alice.holder, proposal.proposal_id)
    assert found is not None and found.status is ProposalStatus.WITHDRAWN
    assert holders.holder_of_vault(mallory.id) is None
    assert rows("SELECT count(*) FROM vault_key WHERE vault_id = %s", mallory.id) == [(0,)]
    # What stays, stays; and the ledger says what was done.
    assert shown(alice, "kitchen") == [alice.values["kitchen"]]
    assert [each.actor for each in alice.receipts(kind="memory.erased")] == ["sys_restore"]
    (order,) = erasure.orders(alice.holder)
    assert (order.basis, order.certified, order.memories) == (Basis.RESTORED, True, 1)
    assert ledger.check_ledger()
    assert access.authenticate(cook.key, utc_now()) is not None


def test_a_later_file_of_keys_knows_what_was_erased_when_nothing_else_is_left(
    backed: Instance, alice: Vault, cook: Assistant
) -> None:
    """The database is lost, and the newest file of data with it."""
    mallory = new_vault("Mallory")
    turn, other = asked(alice, "time"), asked(mallory, "time")
    old = backed.back_up()
    gone = erase(alice, "time")
    memories.rotate(alice.id, utc_now())
    alice.keep("later")
    new = backed.back_up(later=timedelta(seconds=2))
    lose_the_database(backed)
    done = restore_to(backed, old, keys=new.keys)
    assert (done.tombstones, done.erased) == (1, 1)
    assert shown(alice, "time") == [] and shown(alice, "kitchen") == [alice.values["kitchen"]]
    assert turns.turn(alice.holder, turn.turn_id) is None and turns.turn(mallory.holder, other.turn_id) == other
    assert rows("SELECT count(*) FROM sealed.key WHERE memory_id = %s", gone) == [(0,)]
    assert rows("SELECT DISTINCT epoch FROM vault_key WHERE vault_id = %s", alice.id) == [(2,)]
    assert ledger.check_ledger()


def lose_the_database(backed: Instance) -> None:
    from django.db import connections

    from ops.bootstrap import drop_database

    connections.close_all()
    drop_database(backed.place.server, backed.place.database)
