"""A press on a link hands over what was shared, once counted, with a receipt for each memory."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest

from apps.ledger import services as ledger
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.shares import MOST_VIEWS, VIEWING, Recipient, ShareState, state_of
from apps.policy.vocabulary import Claim, Form
from apps.shares import services as shares
from tests.cast import Vault
from tests.shares.links import GONE, HOUR, one, opened, shared, told
from tests.threads import at_once
from vault.clock import utc_now
from vault.tokens import token_hash


def test_an_opening_hands_over_what_was_shared(alice: Vault) -> None:
    share, token = one(alice, "time", "kitchen", note="For Friday")
    done = opened(token, client="Firefox on Windows")
    assert [(each.label, each.value) for each in done.values] == [
        ("Weeknight time", alice.values["time"]),
        ("Kitchen equipment", alice.values["kitchen"]),
    ], "in the order chosen"
    assert (done.sender, done.note, done.until, done.opens_left) == ("Alice", "For Friday", share.expires_at, 2)
    (opening,) = shares.openings(alice.holder, share.share_id)
    assert (opening.opening_id, opening.client, opening.views) == (done.opening.opening_id, "Firefox on Windows", 0)


def test_each_memory_handed_over_has_its_receipt(alice: Vault) -> None:
    made = shared(alice, "time", "kitchen", recipients=[Recipient("Dr. Silva")])
    (link,) = made.links
    done = opened(link.token)
    shr, opn = typed("shr", made.share.share_id), typed("opn", done.opening.opening_id)
    written = alice.receipts(kind="value.opened")
    assert [each.memory_id for each in written] == [alice.ids["time"], alice.ids["kitchen"]]
    assert {(each.actor, each.recipient, each.object, each.request, each.form) for each in written} == {
        (link.link.recipient, link.link.recipient, shr, opn, "value")
    }
    assert all(each.commitment for each in written)
    made_of = alice.receipts(kind="share.made")
    assert {(each.object, each.memory_id, each.version) for each in made_of} == {
        (shr, alice.ids["time"], 1),
        (shr, alice.ids["kitchen"], 1),
    }
    assert ledger.verify(alice.id, alice.holder.actor).problems == ()


def test_an_attested_memory_goes_by_its_proof_alone(alice: Vault) -> None:
    _, token = one(alice, "budget")
    (value,) = opened(token).values
    assert (value.form, value.value, value.claim) == (Form.ATTESTED, None, Claim.BUDGET)
    assert [each.form for each in alice.receipts(kind="value.opened")] == ["attested"]


def test_each_opening_counts_and_after_the_last_there_is_none(alice: Vault) -> None:
    share, token = one(alice, "time", opens=2)
    assert [opened(token).opens_left, opened(token).opens_left] == [1, 0]
    assert shares.open_(token, utc_now()) == GONE
    assert told(alice, share).state is ShareState.USED_UP
    assert len(shares.openings(alice.holder, share.share_id)) == 2


def test_of_twenty_who_press_at_once_on_one_opening_one_gets_in(alice: Vault) -> None:
    share, token = one(alice, "time", opens=1)
    done = at_once([lambda: shares.open_(token, utc_now())] * 20)
    assert [isinstance(each, shares.Opened) for each in done].count(True) == 1, done
    assert done.count(GONE) == 19
    assert len(alice.receipts(kind="value.opened")) == 1
    assert len(shares.openings(alice.holder, share.share_id)) == 1


def test_two_openings_at_once_count_as_two(alice: Vault) -> None:
    share, token = one(alice, "time", opens=3)
    assert all(isinstance(each, shares.Opened) for each in at_once([lambda: shares.open_(token, utc_now())] * 2))
    assert told(alice, share).share.opens_left == 1


# ---------------------------------------------------------------- looking again
def test_a_look_within_its_minutes_counts_as_no_opening(alice: Vault) -> None:
    share, token = one(alice, "time", opens=1)
    done = opened(token)
    again = shares.view(token, done.opening.opening_id, utc_now())
    assert isinstance(again, shares.Opened)
    assert [each.value for each in again.values] == [alice.values["time"]]
    (opening,) = shares.openings(alice.holder, share.share_id)
    assert (opening.views, opening.last_view_at is not None) == (1, True)
    (viewed,) = alice.receipts(kind="value.viewed")
    assert viewed.request == typed("opn", done.opening.opening_id)


def test_after_fifteen_minutes_nobody_looks_again(alice: Vault) -> None:
    _, token = one(alice, "time")
    done = opened(token)
    assert shares.view(token, done.opening.opening_id, done.opening.opened_at + VIEWING) == GONE
    assert alice.receipts(kind="value.viewed") == ()


def test_an_opening_is_looked_at_by_its_own_link_alone(alice: Vault) -> None:
    made = shared(alice, "time", recipients=[Recipient("Ana"), Recipient("Rui")])
    ana, rui = (each.token for each in made.links)
    done = opened(ana)
    assert shares.view(rui, done.opening.opening_id, utc_now()) == GONE
    assert shares.view(ana, uuid4(), utc_now()) == GONE
    assert isinstance(shares.view(ana, done.opening.opening_id, utc_now()), shares.Opened)


def test_one_opening_is_looked_at_so_often_and_no_more(alice: Vault, admin: Any) -> None:
    _, token = one(alice, "time")
    done = opened(token)
    many = [MOST_VIEWS, done.opening.opening_id]
    admin.execute("UPDATE share_opening SET views = %s WHERE opening_id = %s", many)
    assert shares.view(token, done.opening.opening_id, utc_now()) == GONE


# ---------------------------------------------------------------- what is kept of it
def test_a_token_is_kept_nowhere_but_as_its_hash(alice: Vault, admin: Any) -> None:
    made = shared(alice, "time")
    (link,) = made.links
    rows = admin.execute("SELECT token_hash FROM share_link WHERE vault_id = %s", [alice.id]).fetchall()
    assert [bytes(each[0]) for each in rows] == [token_hash(link.token)]
    assert len(bytes.fromhex(link.token)) * 8 >= 128


def test_a_token_that_leads_nowhere_is_answered_like_one_that_has_ended(alice: Vault) -> None:
    share, token = one(alice, "time")
    shares.stop(alice.holder, share.share_id, utc_now())
    for nothing in (token, token[:-1] + "0", "0" * 32, "", "mnk_" + "x" * 40, "ü" * 32):
        assert shares.open_(nothing, utc_now()) == GONE
        assert shares.knock(nothing, utc_now()) == GONE


def test_a_share_lasts_to_the_second(alice: Vault) -> None:
    now = utc_now()
    share, token = one(alice, "time", now=now, lasts=HOUR)
    assert share.expires_at == now + timedelta(seconds=3600)
    assert shares.open_(token, now + HOUR) == GONE
    assert isinstance(shares.open_(token, now + HOUR - timedelta(seconds=1)), shares.Opened)


@pytest.mark.parametrize(
    ("zone", "wall"),
    [
        ("Pacific/Kiritimati", "2026-03-28T23:59"),
        ("America/St_Johns", "2026-03-08T01:30"),  # at two the clocks leap to three
        ("Europe/Lisbon", "2026-03-28T23:59"),
        ("Europe/Lisbon", "2026-10-25T01:30"),  # which the clocks show twice
    ],
)
def test_an_hour_is_an_hour_whatever_the_clocks_do(alice: Vault, zone: str, wall: str) -> None:
    made_at = datetime.fromisoformat(wall).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    share, _ = one(alice, "time", now=made_at)
    assert state_of(told(alice, share).share, made_at + timedelta(minutes=59, seconds=59)) is ShareState.LIVE
    assert state_of(told(alice, share).share, made_at + timedelta(minutes=60)) is ShareState.EXPIRED


@pytest.mark.parametrize("deed", ["share", "openings", "stop", "stop_link"])
def test_nobody_else_has_to_do_with_it(alice: Vault, mallory: Vault, deed: str) -> None:
    made = shared(alice, "time")
    share_id, link_id = made.share.share_id, made.links[0].link.link_id
    done = {
        "share": lambda: shares.share(mallory.holder, share_id, utc_now()),
        "openings": lambda: shares.openings(mallory.holder, share_id),
        "stop": lambda: shares.stop(mallory.holder, share_id, utc_now()),
        "stop_link": lambda: shares.stop_link(mallory.holder, share_id, link_id, utc_now()),
    }[deed]()
    assert not done
    assert isinstance(shares.open_(made.links[0].token, utc_now()), shares.Opened)
    assert shares.shares(mallory.holder, utc_now()) == ()
    assert memories.memories(mallory.holder)
