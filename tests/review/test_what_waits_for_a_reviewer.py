"""What a person said yes to and a reviewer has not looked at stands in their inbox, and can still be a no."""

import re

from apps.access import services as access
from apps.policy.ids import typed
from apps.policy.vocabulary import Category, Role
from tests.cast import Assistant, Vault
from tests.clinics import Clinic, allow
from tests.drivers import Http
from tests.holders.people import acting, newcomer
from tests.surfaces.test_web_people import at, post
from tests.surfaces.web import browser, text_of
from vault.clock import utc_now


def test_the_inbox_says_since_when_and_with_whom(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    client = browser(leo.holder)
    assert "With a reviewer" not in text_of(client.get("/inbox"))
    allow(bot, "pills")
    page = text_of(client.get("/inbox"))
    said = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    assert "A reviewer of Casa M. looks at it too" in said
    assert re.search(r"Carebot asks to plan meals +Health +waits for a reviewer since \d+ \w+ \d{4}, \d\d:\d\d", said)
    assert "Nothing waiting." not in said
    assert leo.labels["pills"] not in page
    assert '<span class="count">' not in page, "nothing waits for the person"


def test_the_person_can_still_say_no_from_there(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    wish = allow(bot, "pills")
    client, path = browser(leo.holder), f"/requests/{typed('req', wish.request_id)}/decide"
    assert f'action="{path}"' in text_of(client.get("/inbox"))
    done = text_of(post(client, path, leo.holder, part="health", do="deny"))
    assert "not allowed" in done
    assert "With a reviewer" not in text_of(client.get("/inbox"))
    assert access.queue(casa.desk(casa.rita)) == ()


def test_part_of_a_request_may_wait_for_the_person_and_part_for_a_reviewer(
    casa: Clinic, leo: Vault, bot: Assistant
) -> None:
    wish = bot.ask("kitchen", categories=(Category.HEALTH,))
    yes = access.Decision(frozenset({leo.ids["pills"]}))
    access.decide(leo.holder, wish.request_id, {Category.HEALTH: yes}, utc_now())
    page = text_of(browser(leo.holder).get("/inbox"))
    assert "Asked for" in page
    assert "With a reviewer" in page
    listed = Http(holder=leo.holder).send("GET", "access-requests").json()["items"]
    assert [each["id"] for each in listed] == [typed("req", wish.request_id)], "once"


def test_over_rest_it_is_listed_after_what_waits_for_the_person(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    held = allow(bot, "pills")
    asked = bot.ask("kitchen")
    listed = Http(holder=leo.holder).send("GET", "access-requests").json()["items"]
    assert [(each["id"], each["status"]) for each in listed] == [
        (typed("req", asked.request_id), "pending"),
        (typed("req", held.request_id), "in_review"),
    ]


def test_a_guardian_sees_it_and_says_no_under_their_own_name(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    wish = allow(bot, "pills")
    seat = acting(leo.holder, newcomer("Rosa"), Role.GUARDIAN)
    assert "With a reviewer" in text_of(at(seat).get("/inbox"))
    post(at(seat), f"/requests/{typed('req', wish.request_id)}/decide", seat, part="health", do="deny")
    (last,) = leo.receipts(kind="request.decided")[-1:]
    assert (last.actor, last.reason) == (seat.actor, "denied")
