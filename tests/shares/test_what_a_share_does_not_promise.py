"""Limits of a link. Each passes because nothing here catches it; docs/threat-model.md lists them."""

from apps.memories import services as memories
from apps.policy.shares import TRIES, Code, Recipient
from apps.shares import services as shares
from tests.cast import Vault
from tests.shares.links import GONE, one, opened, shared
from vault.clock import utc_now


def test_what_was_opened_by_a_link_was_seen(alice: Vault) -> None:
    share, token = one(alice, "time")
    seen = opened(token)
    shares.stop(alice.holder, share.share_id, utc_now())
    memories.correct(alice.holder, alice.ids["time"], value="Another one.", now=utc_now())
    assert [each.value for each in seen.values] == [alice.values["time"]]


def test_whoever_has_a_link_without_a_code_can_pass_it_on(alice: Vault) -> None:
    made = shared(alice, "time", recipients=[Recipient("Dr. Silva")])
    by_somebody_else = opened(made.links[0].token, client="curl")
    assert [each.value for each in by_somebody_else.values] == [alice.values["time"]]
    assert [each.client for each in shares.openings(alice.holder, made.share.share_id)] == ["curl"], "it is counted"


def test_whoever_has_a_link_can_keep_it_shut_by_wrong_codes(alice: Vault) -> None:
    _, token = one(alice, "time", code=Code.PIN, pin="482913")
    for _ in range(TRIES):
        shares.open_(token, utc_now(), code="111222")
    asked = shares.open_(token, utc_now(), code="482913")
    assert isinstance(asked, shares.Challenge)
    assert asked.waits is not None


def test_a_press_on_a_dead_link_leaves_no_receipt(alice: Vault) -> None:
    share, token = one(alice, "time")
    shares.stop(alice.holder, share.share_id, utc_now())
    before = alice.receipts()
    assert shares.open_(token, utc_now()) == shares.knock(token, utc_now()) == GONE
    assert alice.receipts() == before
