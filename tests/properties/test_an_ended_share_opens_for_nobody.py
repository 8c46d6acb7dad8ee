"""An ended share opens for nobody: from the moment it is stopped, over, used up or locked, on every road that its link
leads to, also for who opened it before.

Protects the holder who said "for an hour", "three times" or "stop".
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.http import HttpResponse

from apps.erasure import services as erasure
from apps.memories import services as memories
from apps.policy.shares import Code, Recipient
from apps.policy.types import Refused
from apps.policy.vocabulary import Refusal
from apps.shares import services as shares
from tests.cast import Vault
from tests.properties.test_a_receipt_is_committed_before_its_value_leaves import just_before_taking
from tests.shares.links import lock
from tests.surfaces.visitors import NOWHERE, Visitor, fields, share, token_of
from tests.threads import at_once
from vault.clock import utc_now

PIN = "731946"


def by_stopping_it(admin: Any, alice: Vault, made: shares.Made) -> None:
    assert not isinstance(shares.stop(alice.holder, made.share.share_id, utc_now()), Refused)


def by_stopping_its_link(admin: Any, alice: Vault, made: shares.Made) -> None:
    link = made.links[0].link.link_id
    assert not isinstance(shares.stop_link(alice.holder, made.share.share_id, link, utc_now()), Refused)


def by_its_time(admin: Any, alice: Vault, made: shares.Made) -> None:
    admin.execute("UPDATE share SET expires_at = now() WHERE share_id = %s", [made.share.share_id])


def by_wrong_codes(admin: Any, alice: Vault, made: shares.Made) -> None:
    lock(alice.id, made.share, token_of(made))


ENDS = (by_stopping_it, by_stopping_its_link, by_its_time, by_wrong_codes)


@dataclass(frozen=True)
class Guest:
    """Somebody who has opened a link with its PIN: their browser, the form they sent, and the opening."""

    made: shares.Made
    visitor: Visitor
    form: dict[str, str]
    opening: UUID

    @property
    def token(self) -> str:
        return token_of(self.made)


@pytest.fixture
def guest(alice: Vault) -> Guest:
    made = share(
        alice.holder,
        alice.mem("kitchen"),
        alice.mem("budget"),
        opens=20,
        code=Code.PIN,
        pin=PIN,
        recipients=[Recipient("Rosa"), Recipient("Otto")],
    )
    visitor = Visitor()
    form = fields(visitor.press(token_of(made))) | {"code": PIN}
    assert alice.values["kitchen"] in visitor.send(form).content.decode()
    (opening,) = shares.openings(alice.holder, made.share.share_id)
    return Guest(made, visitor, form, opening.opening_id)


def roads(guest: Guest) -> dict[str, Any]:
    """What each road that the link leads to answers: for a newcomer and for who opened it, by the pages and below."""
    token, now = guest.token, utc_now()
    return {
        "a press": Visitor().press(token),
        "a press with the code": Visitor().press(token, code=PIN),
        "a press for another code": Visitor().press(token, do="mail-again"),
        "a reload": guest.visitor.send(guest.form),
        "coming back by the link": guest.visitor.press(token, code=PIN),
        "another look": guest.visitor.browser.post("/s", {"token": token}),
        "a note": guest.visitor.browser.post("/s", {"token": token, "note": "Hello"}),
        "open_": shares.open_(token, now, code=PIN, client="Firefox"),
        "knock": shares.knock(token, now),
        "view": shares.view(token, guest.opening, now),
        "leave_note": shares.leave_note(token, guest.opening, "Hello", now),
    }


def of_nowhere() -> frozenset[bytes]:
    """What a link that never was answers: to a press, and to a note, which it gives back."""
    return frozenset({Visitor().press(NOWHERE).content, Visitor().press(NOWHERE, note="Hello").content})


def is_shut(answer: Any, nothing: frozenset[bytes]) -> bool:
    """Is it what a link that never was answers?"""
    if isinstance(answer, Refused):
        return answer.reason is Refusal.SHARE_GONE
    return isinstance(answer, HttpResponse) and answer.status_code == 404 and answer.content in nothing


def handed(alice: Vault) -> tuple[int, int]:
    return len(alice.receipts(kind="value.opened")), len(alice.receipts(kind="value.viewed"))


@pytest.mark.parametrize("end", ENDS, ids=lambda end: end.__name__)
def test_no_road_leads_in(alice: Vault, admin: Any, guest: Guest, end: Callable[..., None]) -> None:
    open_roads = {road for road, answer in roads(guest).items() if not is_shut(answer, frozenset())}
    assert {"a press with the code", "a reload", "view", "leave_note"} <= open_roads, "the control"
    end(admin, alice, guest.made)
    served, noted = handed(alice), len(memories.proposals(alice.holder))
    nothing = of_nowhere()
    assert [road for road, answer in roads(guest).items() if not is_shut(answer, nothing)] == []
    assert handed(alice) == served
    assert len(memories.proposals(alice.holder)) == noted


def test_the_other_link_goes_on_where_one_is_stopped(alice: Vault, admin: Any, guest: Guest) -> None:
    by_stopping_its_link(admin, alice, guest.made)
    assert alice.values["kitchen"] in Visitor().press(token_of(guest.made, 1), code=PIN).content.decode()


def test_used_up_it_opens_for_no_newcomer_and_who_opened_it_looks_to_the_end_of_their_time(alice: Vault) -> None:
    made, visitor = share(alice.holder, alice.mem("kitchen"), opens=1), Visitor()
    assert visitor.press(token_of(made)).status_code == 200
    assert [Visitor().press(token_of(made)).status_code for _ in range(2)] == [404, 404]
    assert alice.values["kitchen"] in visitor.press(token_of(made)).content.decode()
    shares.stop(alice.holder, made.share.share_id, utc_now())
    assert visitor.press(token_of(made)).status_code == 404, "stopped, it is over for them too"


def test_its_last_moment_counts_and_its_end_does_not(alice: Vault) -> None:
    now = utc_now()
    made = share(alice.holder, alice.mem("kitchen"), lasts=timedelta(minutes=10))
    ends = made.share.expires_at
    assert timedelta(0) <= ends - now - timedelta(minutes=10) < timedelta(seconds=30)
    assert isinstance(shares.open_(token_of(made), ends - timedelta(microseconds=1), client=""), shares.Opened)
    assert isinstance(shares.open_(token_of(made), ends, client=""), Refused)


def test_the_database_s_clock_has_the_last_word(alice: Vault, admin: Any) -> None:
    """A web server whose clock runs late does not lengthen a share."""
    made = share(alice.holder, alice.mem("kitchen"))
    by_its_time(admin, alice, made)
    late = utc_now() - timedelta(minutes=30)
    assert isinstance(shares.open_(token_of(made), late, client=""), Refused)
    assert handed(alice) == (0, 0)


def test_what_is_under_way_is_not_handed_over_after_a_stop(alice: Vault) -> None:
    """Stamped a moment before the press on *Stop*, it is not released after it."""
    made = share(alice.holder, alice.mem("kitchen"))

    def stop() -> None:
        at_once([lambda: shares.stop(alice.holder, made.share.share_id, utc_now())])

    with just_before_taking(stop):
        answer = Visitor().press(token_of(made))
    assert answer.status_code == 404 and alice.values["kitchen"] not in answer.content.decode()


def test_nothing_is_left_to_open_once_its_vault_is_gone(alice: Vault, guest: Guest) -> None:
    nothing = of_nowhere()
    assert not isinstance(erasure.end_vault(alice.holder, utc_now()), Refused)
    assert [road for road, answer in roads(guest).items() if not is_shut(answer, nothing)] == []
