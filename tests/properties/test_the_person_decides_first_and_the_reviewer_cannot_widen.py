"""The person decides first, and the reviewer cannot widen: an assistant never gets more than the person gave.

Protects the patient from a clinic that would know better, and the clinic from one who would be said to.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.access import services as access
from apps.access.services import NO
from apps.policy.ids import typed
from apps.policy.types import AccessRequest, Grant, Refused
from apps.policy.vocabulary import Category, PartStatus, Refusal
from apps.turns import services as turns
from tests.cast import QUESTION, Assistant, Vault, register
from tests.clinics import Clinic, allow
from tests.drivers import Http
from tests.properties.conftest import Surface
from tests.surfaces.web import browser
from tests.threads import at_once
from vault.clock import utc_now

READS = 5
Wish = dict[str, Any]
Road = Callable[[Clinic, Any, Wish], object]  # a reviewer's yes to a row of the desk, under these terms


def by_service(casa: Clinic, row: Any, wish: Wish) -> object:
    until = row.until + wish["until"] if "until" in wish else None
    return access.approve(casa.desk(casa.rita), row.review_id, utc_now(), until=until, reads=wish.get("reads"))


def by_page(casa: Clinic, row: Any, wish: Wish) -> object:
    """The page offers ends, and reads as a number; more than it offers is sent all the same."""
    desk, client = f"/review/{typed('spc', casa.space_id)}/", browser(casa.rita)
    client.post(f"{desk}enter")
    later = "month" if wish.get("until", timedelta(0)) > timedelta(0) else ""
    sent = {"until": later, "reads": "" if wish.get("reads") is None else str(wish["reads"])}
    return client.post(f"{desk}{typed('rvw', row.review_id)}/approve", sent).status_code


WISHES = st.fixed_dictionaries(
    {},
    optional={
        "until": st.timedeltas(timedelta(days=-30), timedelta(days=30)),
        "reads": st.integers(-2, 12) | st.sampled_from([2**31, -(2**31)]),
    },
)


@pytest.mark.parametrize("road", [by_service, by_page], ids=["services", "desk"])
def test_whatever_the_reviewer_asks_for_the_grant_is_no_more_than_the_person_gave(
    casa: Clinic, leo: Vault, road: Road
) -> None:
    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    @given(WISHES)
    def holds(wish: Wish) -> None:
        by = register(leo, "Carebot")
        asked = allow(by, "pills", days=7, reads=READS)
        row = access.queue(casa.desk(casa.rita))[-1].row
        road(casa, row, wish)
        made = grants_of(by, asked)
        assert all(no_more(each, leo, row.until) for each in made)
        if not made and waits(leo, asked):  # it was refused: nothing was given, and it waits as before
            assert access.queue(casa.desk(casa.rita))[-1].row == row
            access.decline(casa.desk(casa.rita), row.review_id, utc_now())

    holds()
    assert access.grants(leo.holder), "some of it was within what the person gave"


def no_more(grant: Grant, leo: Vault, until: datetime) -> bool:
    """Within what the person gave: the one memory, their end, their reads."""
    few = grant.reads_left is not None and 1 <= grant.reads_left <= READS
    return few and grant.memory_ids == {leo.ids["pills"]} and grant.expires_at <= until


def waits(leo: Vault, asked: AccessRequest) -> bool:
    found = access.request(leo.holder, asked.request_id)
    return found is not None and found.status is PartStatus.IN_REVIEW


def grants_of(by: Assistant, asked: AccessRequest) -> tuple[Grant, ...]:
    seen = access.outcome(by.caller, asked.request_id)
    assert seen is not None
    return access.granted(by.caller, seen)


def test_nothing_comes_to_the_desk_before_the_person_has_said_yes(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    bot.ask(categories=(Category.HEALTH,))
    assert access.queue(casa.desk(casa.rita)) == ()
    allow(register(leo, "Other"), "pills")
    assert len(access.queue(casa.desk(casa.rita))) == 1, "the control"


def test_before_the_second_yes_nothing_is_handed_over(casa: Clinic, leo: Vault, bot: Assistant, near: Surface) -> None:
    allow(bot, "pills")
    assert not near.client(bot).read([leo.mem("pills")]).values
    (row,) = access.queue(casa.desk(casa.rita))
    assert not isinstance(access.approve(casa.desk(casa.rita), row.row.review_id, utc_now()), Refused)
    assert near.client(bot).read([leo.mem("pills")]).values == {leo.mem("pills"): leo.values["pills"]}


def test_a_person_s_no_is_overruled_by_nobody(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    """Also where the yes of before waits, or was sent back: the review it began is closed."""
    asked = allow(bot, "pills")
    (row,) = access.queue(casa.desk(casa.rita))
    desk, review = casa.desk(casa.rita), row.row.review_id
    assert not isinstance(access.send_back(desk, review, "Why so long?", utc_now()), Refused)
    assert isinstance(access.decide(leo.holder, asked.request_id, {Category.HEALTH: NO}, utc_now()), AccessRequest)
    assert access.queue(desk) == ()
    for again in (access.approve, access.decline):
        assert again(desk, review, utc_now()) == Refused(Refusal.ALREADY_DECIDED)
    assert grants_of(bot, asked) == ()


def test_who_stops_the_assistant_while_a_reviewer_approves_has_the_last_word(
    casa: Clinic, leo: Vault, bot: Assistant
) -> None:
    asked = allow(bot, "pills")
    (row,) = access.queue(casa.desk(casa.rita))
    at_once(
        [
            lambda: access.approve(casa.desk(casa.rita), row.row.review_id, utc_now()),
            lambda: access.revoke(leo.holder, bot.client.client_id, utc_now()),
        ]
    )
    found = access.request(leo.holder, asked.request_id)
    assert found is not None
    for part in found.parts:
        grant = access.grant(leo.holder, part.grant_id) if part.grant_id else None
        assert grant is None or grant.revoked_at is not None


def test_no_key_reaches_the_desk(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    allow(bot, "pills")
    (row,) = access.queue(casa.desk(casa.rita))
    path = f"/review/{typed('spc', casa.space_id)}/{typed('rvw', row.row.review_id)}"
    for method, address in (("GET", path), ("POST", f"{path}/approve"), ("POST", f"{path}/answer")):
        answer = Http(bot.key).send(method, address)
        assert answer.status_code in (302, 403)
        assert "login" in answer.headers.get("Location", "login")
    assert len(access.queue(casa.desk(casa.rita))) == 1


def test_what_a_person_hands_to_their_own_chat_is_reviewed_by_nobody(casa: Clinic, leo: Vault) -> None:
    """One read, for this question, to the model they see named: the limit of what a clinic reviews."""
    asked = turns.ask(leo.holder, f"{QUESTION} And my health?", utc_now())
    wish = access.request(leo.holder, asked.request_id) if asked.request_id else None
    assert wish is not None
    health = [each for each in wish.parts if each.part.category is Category.HEALTH]
    assert health, "the question bears on health"
    turns.decide(leo.holder, asked.turn_id, special={Category.HEALTH: frozenset({leo.ids["pills"]})}, now=utc_now())
    assert access.queue(casa.desk(casa.rita)) == ()
