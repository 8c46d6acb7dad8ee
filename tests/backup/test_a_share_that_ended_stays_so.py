"""What was shared and has ended since the backup opens for nobody after it was restored, however it ended."""

import pytest

from apps.policy.shares import Code, Recipient
from apps.shares import services as shares
from tests.backup.conftest import Instance, lose_all_but_the_list, restore_to
from tests.cast import Vault
from tests.shares.links import GONE, lock, one, opened, seen, shared
from vault.clock import utc_now


@pytest.mark.parametrize("lost", [False, True], ids=["the database is there", "the list alone is left"])
def test_what_ended_since_opens_for_nobody(backed: Instance, alice: Vault, lost: bool) -> None:
    (stopped, by_press), (_, used_up) = one(alice, "time"), one(alice, "time", opens=1)
    tried, locked = one(alice, "time", code=Code.PIN, pin="482913")
    both = shared(alice, "time", recipients=[Recipient("Ana"), Recipient("Rui")])
    (ana, rui), (_, let_be) = both.links, one(alice, "time")
    taken = backed.back_up()
    now = utc_now()
    shares.stop(alice.holder, stopped.share_id, now)
    opened(used_up)
    lock(alice.id, tried, locked)
    shares.stop_link(alice.holder, both.share.share_id, ana.link.link_id, now)
    known = (lose_all_but_the_list(backed),) if lost else ()
    assert restore_to(backed, taken, tombstones=known).stopped == 4
    for token in (by_press, used_up, ana.token):
        assert shares.open_(token, utc_now()) == GONE
    assert shares.open_(locked, utc_now(), code="482913") == GONE
    assert [seen(rui.token), seen(let_be)] == [[alice.values["time"]]] * 2, "and nothing else is stopped"
    assert {each.actor for each in alice.receipts(kind="share.stopped")} == {"sys_restore"}


def test_an_opening_of_a_share_that_stands_is_forgotten_with_its_receipt(backed: Instance, alice: Vault) -> None:
    """A limit: a restore does again what was stopped, and counts nothing."""
    share, token = one(alice, "time", opens=2)
    taken = backed.back_up()
    opened(token)
    restore_to(backed, taken)
    found = shares.share(alice.holder, share.share_id, utc_now())
    assert found is not None
    assert (found.share.opens_left, shares.openings(alice.holder, share.share_id)) == (2, ())
    assert alice.receipts(kind="value.opened") == ()
