"""A restore brings nothing back: what was erased since the backup stays erased, on every surface and in the rows.

Protects whoever had something erased from a backup that was made before.
"""

from datetime import timedelta
from uuid import UUID

from apps.access import services as access
from apps.erasure import services as erasure
from apps.holders import services as holders
from apps.ledger import services as ledger
from apps.memories import services as memories
from apps.policy.erasing import Basis
from apps.policy.types import Refused
from apps.policy.vocabulary import ProposalStatus
from apps.turns import services as turns
from ops.backups import tombstones
from tests.backup.conftest import (  # noqa: F401  (fixtures among them)
    Instance,
    admin,
    alice,
    asked,
    backed,
    cook,
    lose_the_database,
    restore_to,
    rows,
    shown,
)
from tests.cast import Assistant, Vault, give, new_vault
from tests.drivers import ApiClient, signed_in
from tests.erasure.test_an_order import named, ordered
from tests.memories.test_erasing_one import erase
from vault.clock import utc_now


def gone_for_good(vault: Vault, name: str, by: Assistant) -> None:
    """On the services, the page, over REST and in every row; and the ledger verifies."""
    memory_id = vault.ids[name]
    assert memories.memory(vault.holder, memory_id) is None and shown(vault, name) == []
    assert signed_in(vault.holder).get(f"/file/mem_{memory_id.hex}").status_code == 404
    client = ApiClient(by.key)
    assert f"mem_{memory_id.hex}" not in str(client.subjects())
    assert not client.ask([f"mem_{memory_id.hex}"]) or not client.read([f"mem_{memory_id.hex}"])
    assert keys_of(memory_id) == 0
    assert rows("SELECT state, label, subject FROM memory WHERE memory_id = %s", memory_id) == [("erased", "", "")]
    assert ledger.check_ledger()


def keys_of(memory_id: UUID) -> int:
    return int(rows("SELECT count(*) FROM sealed.key WHERE memory_id = %s", memory_id)[0][0])


def test_back_up_erase_restore(backed: Instance, alice: Vault, cook: Assistant) -> None:  # noqa: F811
    mallory = new_vault("Mallory")
    give(cook, "time")
    turn = asked(alice, "time")
    ApiClient(cook.key).propose("Allergy", "Peanuts, since childhood", subject="health.allergy")
    (proposal,) = memories.proposals(alice.holder)
    taken = backed.back_up()
    assert keys_of(alice.ids["time"]) and shown(alice, "time") == [alice.values["time"]], "the control"
    done = ordered(alice, named(alice, "time", "pills"))
    memories.reject(alice.holder, proposal.proposal_id, utc_now())
    assert not isinstance(erasure.end_vault(mallory.holder, utc_now()), Refused)

    found = restore_to(backed, taken)
    gone_for_good(alice, "time", cook)
    gone_for_good(alice, "pills", cook)
    assert (found.vaults, found.erased, found.ended) == (1, 2, 1)
    assert turns.turn(alice.holder, turn.turn_id) is None
    again = memories.proposal(alice.holder, proposal.proposal_id)
    assert again is not None and again.status is ProposalStatus.WITHDRAWN and keys_of(again.memory_id) == 0
    assert holders.holder_of_vault(mallory.id) is None
    assert rows("SELECT count(*) FROM vault_key WHERE vault_id = %s", mallory.id) == [(0,)]
    # What was not erased is there, and the ledger says what was done, under the order's own id.
    assert shown(alice, "kitchen") == [alice.values["kitchen"]]
    assert {each.actor for each in alice.receipts(kind="memory.erased")} == {"sys_restore"}
    (order,) = erasure.orders(alice.holder)
    assert (order.order_id, order.basis, order.certified, order.memories) == (done.order_id, Basis.RESTORED, True, 2)
    assert access.authenticate(cook.key, utc_now()) is not None


def test_where_the_database_is_lost_a_later_file_of_keys_knows(
    backed: Instance,  # noqa: F811
    alice: Vault,  # noqa: F811
    cook: Assistant,  # noqa: F811
) -> None:
    """Meanwhile the vault's key was changed as well: what is left opens with the new one."""
    mallory = new_vault("Mallory")
    turn, other = asked(alice, "time"), asked(mallory, "time")
    old = backed.back_up()
    erase(alice, "time")
    memories.rotate(alice.id, utc_now())
    alice.keep("later")
    new = backed.back_up(later=timedelta(seconds=2))
    lose_the_database(backed)
    assert restore_to(backed, old, keys=new.keys).erased == 1
    gone_for_good(alice, "time", cook)
    assert shown(alice, "kitchen") == [alice.values["kitchen"]]
    assert turns.turn(alice.holder, turn.turn_id) is None and turns.turn(mallory.holder, other.turn_id) == other
    assert rows("SELECT DISTINCT epoch FROM vault_key WHERE vault_id = %s", alice.id) == [(2,)]


def test_where_only_the_tombstones_are_left_they_are_enough(
    backed: Instance,  # noqa: F811
    alice: Vault,  # noqa: F811
    cook: Assistant,  # noqa: F811
) -> None:
    taken = backed.back_up()
    erase(alice, "time")
    file = backed.folder / "tombstones"
    assert tombstones.write(backed.place, file) == 1
    assert str(alice.ids["time"]) in file.read_text() and alice.labels["time"] not in file.read_text()
    lose_the_database(backed)
    restore_to(backed, taken, tombstones=(file,))
    gone_for_good(alice, "time", cook)
    assert shown(alice, "kitchen") == [alice.values["kitchen"]]


def test_with_nothing_that_knows_of_it_an_erasure_since_is_undone(
    backed: Instance,  # noqa: F811
    alice: Vault,  # noqa: F811
) -> None:
    """A limit: the database is lost, and both files are from before. After the horizon no such file of keys is left."""
    taken = backed.back_up()
    erase(alice, "time")
    lose_the_database(backed)
    assert restore_to(backed, taken).tombstones == 0
    assert shown(alice, "time") == [alice.values["time"]]
