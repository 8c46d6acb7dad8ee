"""A share ends by a press, by its time, by its openings, or by its code having been tried too often; then it opens for
nobody, whatever the clock's work has done by then.
"""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from apps.access import services as access
from apps.holders import services as holders
from apps.memories import gate
from apps.policy.ids import typed
from apps.policy.shares import KEPT, MOST_TRIES, Code, Recipient, ShareState, opening_plan
from apps.policy.text import TextProblem
from apps.policy.types import Refused
from apps.policy.vocabulary import ReceiptKind, Refusal
from apps.shares import services as shares
from apps.shares import store, tasks
from tests.cast import Vault
from tests.shares.links import GONE, HOUR, one, opened, shared, told
from tests.threads import at_once
from vault.clock import utc_now
from vault.tokens import token_hash


def run_out(admin: Any, share: shares.Share) -> None:
    admin.execute("UPDATE share SET expires_at = now() - interval '1 second' WHERE share_id = %s", [share.share_id])


def test_what_is_stopped_opens_for_nobody_and_is_not_looked_at_again(alice: Vault) -> None:
    share, token = one(alice, "time")
    done = opened(token)
    stopped = shares.stop(alice.holder, share.share_id, utc_now(), if_version=1)
    assert isinstance(stopped, shares.Shared)
    assert stopped.state is ShareState.STOPPED
    assert shares.open_(token, utc_now()) == GONE
    assert shares.view(token, done.opening.opening_id, utc_now()) == GONE
    assert [each.object for each in alice.receipts(kind="share.stopped")] == [typed("shr", share.share_id)]


def test_stopping_twice_is_stopping_once(alice: Vault) -> None:
    share, _ = one(alice, "time")
    first = shares.stop(alice.holder, share.share_id, utc_now())
    assert shares.stop(alice.holder, share.share_id, utc_now()) == first
    assert len(alice.receipts(kind="share.stopped")) == 1


def test_stopping_what_has_moved_on_is_refused(alice: Vault) -> None:
    made = shared(alice, "time", recipients=[Recipient("Ana"), Recipient("Rui")])
    share_id = made.share.share_id
    shares.stop_link(alice.holder, share_id, made.links[0].link.link_id, utc_now())
    assert shares.stop(alice.holder, share_id, utc_now(), if_version=1) == Refused(Refusal.STALE)
    assert isinstance(shares.stop(alice.holder, share_id, utc_now(), if_version=2), shares.Shared)


def test_one_link_is_stopped_and_the_other_goes_on_until_it_is_the_last(alice: Vault) -> None:
    made = shared(alice, "time", recipients=[Recipient("Ana"), Recipient("Rui")])
    (ana, rui), share_id = made.links, made.share.share_id
    done = shares.stop_link(alice.holder, share_id, ana.link.link_id, utc_now())
    assert isinstance(done, shares.Shared)
    assert done.state is ShareState.LIVE
    assert shares.open_(ana.token, utc_now()) == GONE
    assert isinstance(shares.open_(rui.token, utc_now()), shares.Opened)
    done = shares.stop_link(alice.holder, share_id, rui.link.link_id, utc_now())
    assert isinstance(done, shares.Shared)
    assert done.state is ShareState.STOPPED


def test_a_stop_between_the_receipt_and_the_release_releases_nothing(alice: Vault) -> None:
    share, token = one(alice, "time")
    found = store.found(alice.id, token_hash(token))
    assert found is not None
    plan = opening_plan(found.share, found.memories, UUID(int=7), ReceiptKind.VALUE_OPENED)
    handle, who = b"h" * 32, found.link.recipient
    assert gate.stamp(alice.id, who, who, handle, plan, "d" * 64).outcome == "stamped"
    shares.stop(alice.holder, share.share_id, utc_now())
    assert gate.take(alice.id, who, who, handle) == ()


# ---------------------------------------------------------------- by the clock
def test_what_is_over_opens_for_nobody_before_the_clock_writes_it_down(alice: Vault, admin: Any) -> None:
    share, token = one(alice, "time")
    run_out(admin, share)
    assert shares.open_(token, utc_now()) == GONE
    assert shares.open_(token, utc_now() - HOUR) == GONE, "a process whose clock is behind finds the database's is not"
    assert alice.receipts(kind="share.ended") == ()


def test_the_clock_writes_each_end_down_once(alice: Vault, admin: Any) -> None:
    share, token = one(alice, "time", opens=1)
    late, _ = one(alice, "kitchen")
    opened(token)
    run_out(admin, late)
    at_once([tasks.expire.run, tasks.expire.run])
    tasks.expire_one.run(str(alice.id), str(share.share_id))
    ended = {each.object for each in alice.receipts(kind="share.ended")}
    assert ended == {typed("shr", share.share_id), typed("shr", late.share_id)}
    assert len(alice.receipts(kind="share.ended")) == 2
    assert (told(alice, share).state, told(alice, late).state) == (ShareState.USED_UP, ShareState.EXPIRED)


def test_what_is_not_over_is_left(alice: Vault) -> None:
    share, token = one(alice, "time")
    assert tasks.expire_one.run(str(alice.id), str(share.share_id)) is False
    assert isinstance(shares.open_(token, utc_now()), shares.Opened)


def test_a_month_after_its_end_nothing_is_left_but_receipts(alice: Vault, admin: Any) -> None:
    share, token = one(alice, "time")
    going, _ = one(alice, "kitchen")
    opened(token)
    shares.stop(alice.holder, share.share_id, utc_now())
    assert not shares.forget(alice.id, share.share_id, utc_now() + KEPT - timedelta(minutes=1))
    admin.execute(
        "UPDATE share SET stopped_at = now() - interval '31 days', made_at = now() - interval '40 days'"
        " WHERE share_id = %s",
        [share.share_id],
    )
    at_once([tasks.forget.run, tasks.forget.run])
    assert [each.share.share_id for each in shares.shares(alice.holder, utc_now())] == [going.share_id]
    assert holders.vault_of(token_hash(token)) is None
    assert shares.open_(token, utc_now()) == GONE
    assert len(alice.receipts(kind="value.opened")) == 1


# ---------------------------------------------------------------- codes
def test_a_pin_opens_and_nothing_else_does(alice: Vault) -> None:
    share, token = one(alice, "time", code=Code.PIN, pin="482913")
    assert shares.open_(token, utc_now()) == shares.Challenge(Code.PIN)
    assert shares.open_(token, utc_now(), code="482914") == shares.Challenge(Code.PIN, wrong=True)
    assert isinstance(shares.open_(token, utc_now(), code=" 482 913"), shares.Opened)
    assert told(alice, share).share.tries_left == MOST_TRIES - 1


def test_with_the_last_try_of_all_its_links_the_share_has_ended(alice: Vault, admin: Any) -> None:
    share, token = one(alice, "time", code=Code.PIN, pin="482913")
    admin.execute("UPDATE share SET tries_left = 2 WHERE share_id = %s", [share.share_id])
    answers = [shares.open_(token, utc_now(), code="111222") for _ in range(2)]
    assert answers == [shares.Challenge(Code.PIN, wrong=True), GONE]
    assert shares.open_(token, utc_now(), code="482913") == GONE
    assert told(alice, share).state is ShareState.LOCKED
    assert [each.object for each in alice.receipts(kind="share.ended")] == [typed("shr", share.share_id)]


def test_with_the_last_try_it_is_locked_though_nobody_came_to_write_it_down(alice: Vault, admin: Any) -> None:
    share, token = one(alice, "time", code=Code.PIN, pin="482913")
    first = opened(token, code="482913").opening
    admin.execute("UPDATE share SET tries_left = 0 WHERE share_id = %s", [share.share_id])
    assert told(alice, share).state is ShareState.LOCKED
    assert shares.open_(token, utc_now(), code="482913") == GONE
    assert shares.view(token, first.opening_id, utc_now()) == GONE
    run_out(admin, share)
    tasks.expire.run()
    assert told(alice, share).share.ended_at is not None, "and it is forgotten in its time"


def test_what_is_used_up_is_stopped_all_the_same_while_it_can_be_looked_at(alice: Vault) -> None:
    share, token = one(alice, "time", opens=1)
    first = opened(token).opening
    tasks.expire.run()
    assert told(alice, share).share.ended_at is not None, "it was written down that it is used up"
    assert isinstance(shares.view(token, first.opening_id, utc_now()), shares.Opened)
    stopped = shares.stop(alice.holder, share.share_id, utc_now())
    assert isinstance(stopped, shares.Shared)
    assert (stopped.state, stopped.share.terms_version) == (ShareState.STOPPED, 2)
    assert shares.view(token, first.opening_id, utc_now()) == GONE
    assert shares.stop(alice.holder, share.share_id, utc_now()) == stopped
    assert len(alice.receipts(kind="share.stopped")) == 1


@pytest.mark.parametrize("pin", ["", "12345", "1234567890123", "abcdef", "１２３４５６", "111111", "123456", "987654"])
def test_a_pin_that_is_none_or_is_guessed_is_not_taken(alice: Vault, pin: str) -> None:
    with pytest.raises(TextProblem) as problem:
        shared(alice, "time", code=Code.PIN, pin=pin)
    assert problem.value.field == "pin"


def test_an_assistant_s_key_opens_no_link_and_a_link_is_no_key(alice: Vault) -> None:
    _, key = access.register(alice.holder, name="Cook", now=utc_now())
    _, token = one(alice, "time")
    assert shares.open_(key, utc_now()) == GONE
    assert access.authenticate(token, utc_now()) is None
    assert access.authenticate(f"mnk_{token}", utc_now()) is None
