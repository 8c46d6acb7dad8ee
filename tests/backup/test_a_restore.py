"""A restore puts everything back as it was, but what was erased since; the drill: back up, erase, restore, look."""

from apps.erasure import services as erasure
from apps.ledger import services as ledger
from apps.memories import services as memories
from apps.policy.erasing import Basis
from tests import databases
from tests.backup.conftest import Instance, restore_to
from tests.cast import Assistant, Vault, give
from tests.memories.test_erasing_one import erase


def shown(vault: Vault, name: str) -> list[str | None]:
    return [each.value for each in memories.show(vault.holder, [vault.ids[name]]).values]


def test_everything_is_as_it_was(backed: Instance, alice: Vault, cook: Assistant) -> None:
    give(cook, "kitchen")
    assert cook.read("kitchen").released
    before = alice.receipts()
    taken = backed.back_up()
    later = alice.keep("later")
    done = restore_to(backed, taken)
    assert (done.tombstones, done.erased) == (0, 0)
    assert alice.receipts() == before
    assert shown(alice, "kitchen") == [alice.values["kitchen"]]
    assert memories.memory(alice.holder, later) is None
    give(cook, "time")
    assert cook.read("time").released, "and it goes on"
    assert ledger.check_ledger()


def test_the_drill(backed: Instance, alice: Vault, cook: Assistant) -> None:
    taken = backed.back_up()
    gone = erase(alice, "time")
    done = restore_to(backed, taken)
    assert (done.tombstones, done.erased) == (1, 1)
    assert shown(alice, "time") == [] and memories.memory(alice.holder, gone) is None
    assert shown(alice, "kitchen") == [alice.values["kitchen"]]
    with databases.connect("postgres") as admin:
        keys = admin.execute("SELECT count(*) FROM sealed.key WHERE memory_id = %s", [gone]).fetchone()
        row = admin.execute("SELECT state, label, subject FROM memory WHERE memory_id = %s", [gone]).fetchone()
    assert keys == (0,) and row == ("erased", "", "")
    assert [each.actor for each in alice.receipts(kind="memory.erased")] == ["sys_restore"]
    (order,) = erasure.orders(alice.holder)
    assert (order.basis, order.certified, order.memories) == (Basis.RESTORED, True, 1)
    assert ledger.check_ledger()
