"""A restore puts everything back as it was: receipts, values, conversations, and what goes on from there."""

from apps.access import services as access
from apps.erasure import services as erasure
from apps.memories import services as memories
from apps.policy.grants import Narrower
from apps.policy.types import Refused
from apps.turns import services as turns
from tests.backup.conftest import Instance, asked, restore_to, rows, shown
from tests.cast import Assistant, Vault, give
from vault.clock import utc_now


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


def test_a_grant_that_was_narrowed_since_is_as_it_was(backed: Instance, alice: Vault, cook: Assistant) -> None:
    """A limit, and the restore says so: it does again what was erased and stopped, and nothing else."""
    grant = give(cook, "time", "kitchen")
    taken = backed.back_up()
    narrower = Narrower(memory_ids=frozenset({alice.ids["kitchen"]}))
    assert not isinstance(access.narrow(alice.holder, grant.grant_id, narrower, utc_now()), Refused)
    assert not cook.read("time").released
    restore_to(backed, taken)
    assert cook.read("time").released


def test_of_what_was_restored_nothing_counts_as_reclaimed(backed: Instance, alice: Vault) -> None:
    """The new server counts a table's changes from nothing: the old one's numbers say nothing of it."""
    tables = {each.relation for each in erasure.reclaim(utc_now()) if each.done}
    assert {"sealed.key", "public.user"} <= tables and erasure.reclaimed_at() is not None
    restore_to(backed, backed.back_up())
    assert rows("SELECT count(*) FROM reclaimed") == [(0,)] and erasure.reclaimed_at() is None
    assert {each.relation for each in erasure.reclaim(utc_now())} == tables
