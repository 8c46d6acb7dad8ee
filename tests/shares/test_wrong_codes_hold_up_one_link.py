"""Wrong codes hold up the link by which they are typed, longer with each, and no other: whoever has a link that went
astray ends nobody else's share. However many come at once, no more codes are compared than there are tries.
"""

from datetime import datetime, timedelta
from typing import Any

import pytest

from apps.policy.shares import MOST_TRIES, TRIES, WAIT, Code, Recipient, ShareState
from apps.shares import services as shares
from tests.cast import Vault
from tests.shares.links import one, opened, shared, told
from tests.threads import at_once
from vault.clock import utc_now

PIN, WRONG = "482913", shares.Challenge(Code.PIN, wrong=True)
LONG: dict[str, Any] = {"lasts": timedelta(hours=48), "code": Code.PIN, "pin": PIN}


def typed_wrong(token: str, times: int, now: datetime) -> list[Any]:
    return [shares.open_(token, now, code="111222") for _ in range(times)]


def test_the_fifth_wrong_one_makes_it_wait_and_the_right_one_is_not_looked_at_before(alice: Vault) -> None:
    share, token = one(alice, "time", **LONG)
    now = utc_now()
    waiting = shares.Challenge(Code.PIN, waits=now + WAIT)
    assert typed_wrong(token, TRIES - 1, now) == [WRONG] * (TRIES - 1)
    assert typed_wrong(token, 1, now) == [shares.Challenge(Code.PIN, wrong=True, waits=now + WAIT)]
    assert [shares.open_(token, now, code=each) for each in ("", PIN, "111222")] == [waiting] * 3
    assert (told(alice, share).state, told(alice, share).share.tries_left) == (ShareState.LIVE, MOST_TRIES - TRIES)
    assert opened(token, now=now + WAIT, code=PIN).values


def test_each_wrong_one_after_that_makes_it_wait_twice_as_long(alice: Vault) -> None:
    _, token = one(alice, "time", **LONG)
    now = utc_now()
    typed_wrong(token, TRIES, now)
    for wait in (2, 4, 8):
        now += WAIT * wait / 2
        (asked,) = typed_wrong(token, 1, now)
        assert asked.waits == now + WAIT * wait


def test_the_others_go_on(alice: Vault) -> None:
    made = shared(alice, "time", recipients=[Recipient("Ana"), Recipient("Rui")], **LONG)
    ana, rui = (each.token for each in made.links)
    typed_wrong(ana, 12, utc_now())
    assert opened(rui, code=PIN).values
    assert [each.wrong for each in told(alice, made.share).share.links] == [TRIES, 0]


def test_a_right_one_is_counted_as_none_and_makes_nobody_wait(alice: Vault) -> None:
    share, token = one(alice, "time", opens=9, **LONG)
    now = utc_now()
    for _ in range(TRIES + 1):
        assert opened(token, now=now, code=PIN).values
    typed_wrong(token, TRIES, now)
    for _ in range(2):
        assert opened(token, now=now + WAIT, code=PIN).values
    (link,) = told(alice, share).share.links
    assert (link.wrong, link.wrong_at, told(alice, share).share.tries_left) == (TRIES, now, MOST_TRIES - TRIES)


def test_of_many_at_once_no_more_are_compared_than_there_are_tries(alice: Vault) -> None:
    share, token = one(alice, "time", **LONG)
    now = utc_now()
    done = at_once([lambda: shares.open_(token, now, code="111222")] * 12)
    wrong = [each for each in done if isinstance(each, shares.Challenge) and each.wrong]
    (link,) = told(alice, share).share.links
    assert len(done) == 12 and 1 <= len(wrong) == link.wrong <= TRIES
    assert told(alice, share).share.tries_left == MOST_TRIES - link.wrong


def test_while_a_link_waits_no_code_is_mailed(alice: Vault, silva: Recipient) -> None:
    made = shared(alice, "time", recipients=[silva], lasts=timedelta(hours=48))
    token, now = made.links[0].token, utc_now()
    asked = shares.open_(token, now)
    assert isinstance(asked, shares.Challenge) and asked.mailed
    (*_, last) = typed_wrong(token, TRIES, now)
    assert last.waits == now + WAIT
    for again in (shares.open_(token, now), shares.knock(token, now + timedelta(minutes=5))):
        assert again == shares.Challenge(Code.MAIL, waits=now + WAIT)
    later = shares.open_(token, now + WAIT)
    assert isinstance(later, shares.Challenge) and later.mailed


@pytest.mark.parametrize("code", [Code.PIN, Code.MAIL])
def test_a_wrong_one_by_another_share_changes_nothing_here(alice: Vault, code: Code, silva: Recipient) -> None:
    more = LONG if code is Code.PIN else {"recipients": [silva], "lasts": timedelta(hours=48)}
    (_, other), made = one(alice, "kitchen", **LONG), shared(alice, "time", **more)
    typed_wrong(other, TRIES, utc_now())
    asked = shares.open_(made.links[0].token, utc_now())
    assert isinstance(asked, shares.Challenge) and (asked.code, asked.waits) == (code, None)
