"""The desk in a browser: who comes in, what is shown there and what never is, and the second decision."""

import logging
import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.access import services as access
from apps.erasure import services as erasure
from apps.ledger import services as ledger
from apps.policy.erasing import Where
from apps.policy.ids import typed
from apps.policy.types import AccessRequest, Holder
from apps.policy.vocabulary import Category, Role
from tests.cast import Assistant, Vault, canary, register
from tests.clinics import Clinic, allow, settle
from tests.drivers import Http
from tests.surfaces.web import HOSTILE, browser, text_of
from vault.clock import utc_now


def at_the_desk(casa: Clinic, reviewer: Holder) -> tuple[Client, str]:
    """A browser in which this reviewer sits at the desk, and the desk's address."""
    client, desk = browser(reviewer), f"/review/{typed('spc', casa.space_id)}/"
    page = client.post(f"{desk}enter", follow=True)
    assert page.redirect_chain[-1][0] == desk
    return client, desk


def address(client: Client, desk: str) -> str:
    """The address of the one row that waits."""
    (found,) = re.findall(rf'href="({desk}rvw_[0-9a-f]+)"', text_of(client.get(desk)))
    return str(found)


def test_only_a_reviewer_comes_in_and_staff_is_not_enough(casa: Clinic, leo: Vault) -> None:
    desk = f"/review/{typed('spc', casa.space_id)}/"
    chief = get_user_model().objects.create_superuser("chief@ops.example", None)
    superuser = Client()
    superuser.force_login(chief)
    for outsider in (browser(leo.holder), browser(casa.admin), superuser, Client()):
        for path in ("/review/", desk, f"{desk}waiting.csv", f"{desk}rvw_{'0' * 32}"):
            answer = outsider.get(path, follow=True)
            assert answer.status_code == 403 or "/accounts/login/" in answer.redirect_chain[-1][0], path


def test_one_sits_down_before_anything_is_shown_and_it_is_an_act(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    allow(bot, "pills")
    client, desk = browser(casa.rita), f"/review/{typed('spc', casa.space_id)}/"
    for path in (desk, f"{desk}waiting.csv"):
        assert client.get(path).headers["Location"] == "/review/"
    assert "Carebot" not in text_of(client.get("/review/"))
    assert client.get(f"{desk}enter").status_code == 405, "looking is no act"
    client.post(f"{desk}enter")
    assert "Carebot" in text_of(client.get(desk))
    client.post(f"{desk}leave")
    assert client.get(desk).headers["Location"] == "/review/"
    reviewer = f"rev_{casa.rita.user_id.hex}"
    kinds = [each.kind for each in ledger.receipts(casa.space_id, reviewer, limit=2)]
    assert kinds == ["desk.left", "desk.entered"]


def test_the_columns_say_what_a_reviewer_needs(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    allow(bot, "pills", "sleep", reads=5)
    client, desk = at_the_desk(casa, casa.rita)
    for page in (text_of(client.get(desk)), text_of(client.get(address(client, desk)))):
        plain = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
        for said in (
            "Carebot",
            "LMB",
            "Health",
            "to plan meals",
            "self",
            "0 allowed, 0 not",
            "the person said yes first",
        ):
            assert said in plain, said
        assert re.search(r"no\. \d+", plain)
    assert "Oldest waiting: 0 min" in text_of(client.get(desk))
    assert "due in 23 h 59 min" in text_of(client.get(desk))


def everything(client: Client, desk: str, row: str) -> list[str]:
    """Every answer the desk gives, refusals and wrong addresses among them."""
    answers = [
        client.get(each) for each in ("/review/", desk, f"{desk}waiting.csv", row, f"{desk}?late=1&category=health")
    ]
    answers += [
        client.get(f"{desk}?category=nonsense"),
        client.get(f"{desk}rvw_{'1' * 32}"),
        client.get(f"{row}/nothing"),
    ]
    answers += [client.post(f"{row}/approve", {"reads": "9999"}), client.post(f"{row}/approve", {"until": "ever"})]
    answers += [client.post(f"{row}/answer", {"do": "back", "reason": ""})]
    return [f"{each.headers}{each.content.decode()}" for each in answers]


def test_no_value_no_label_and_no_note_is_anywhere_superusers_included(
    casa: Clinic, leo: Vault, bot: Assistant, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    note = canary()
    wish = bot.ask(categories=(Category.HEALTH,), purpose_note=f"{note} {HOSTILE}"[:140])
    decision = access.Decision(frozenset({leo.ids["pills"]}), utc_now() + timedelta(days=1), 5)
    assert isinstance(access.decide(leo.holder, wish.request_id, {Category.HEALTH: decision}, utc_now()), AccessRequest)
    get_user_model().objects.filter(pk=casa.rita.user_id).update(is_staff=True, is_superuser=True)
    client, desk = at_the_desk(casa, casa.rita)
    row = address(client, desk)
    named = [note, "Leo Maria", "Brandt", "@casa-m.example", leo.id.hex, leo.holder.user_id.hex, leo.ids["pills"].hex]
    for answer in [*everything(client, desk, row), caplog.text]:
        assert [each for each in [*leo.secrets, *leo.labels.values(), *named] if each in answer] == []
    for searched in (leo.labels["pills"], leo.values["pills"], note, "Brandt"):
        found = text_of(client.get(desk, {"q": searched})).replace(f'value="{searched}"', "")
        assert "Nothing that waits is like that" in found, "a search of what is not shown finds nothing"
        assert searched not in found


def test_a_hostile_name_is_looked_at_and_runs_nowhere(casa: Clinic, leo: Vault) -> None:
    allow(register(leo, "=HYPERLINK(1)<b>x\u202e"), "pills")
    client, desk = at_the_desk(casa, casa.rita)
    page = text_of(client.get(desk))
    assert "<b>x" not in page
    assert "\u202e" not in page
    cells = client.get(f"{desk}waiting.csv").content.decode()
    assert "'=HYPERLINK" in cells
    assert not re.search(r"(^|,)=", cells, re.MULTILINE)


def test_ten_rows_cost_as_many_statements_as_one(casa: Clinic, leo: Vault) -> None:
    client, desk = at_the_desk(casa, casa.rita)
    spent = []
    for number in (1, 9):
        for _ in range(number):
            allow(register(leo, "Bot"), "pills")
        with CaptureQueriesContext(connections["default"]) as seen:
            assert client.get(desk).status_code == 200
        spent.append(len(seen))
    assert spent[0] == spent[1]
    assert text_of(client.get(desk)).count("rvw_") == 10


def test_the_filters_and_the_clock(casa: Clinic, leo: Vault, bot: Assistant, admin: Any) -> None:
    allow(bot, "pills")
    client, desk = at_the_desk(casa, casa.rita)
    assert "Carebot" not in text_of(client.get(f"{desk}?late=1"))
    assert "Carebot" not in text_of(client.get(f"{desk}?category=belief"))
    assert "Carebot" in text_of(client.get(f"{desk}?category=health&q=careb"))
    assert client.get(f"{desk}?category=nonsense").status_code == 400
    long_ago = "decided_at = now() - interval '26 hours', due_at = now() - interval '2 hours'"
    admin.execute(f"UPDATE review SET {long_ago} WHERE vault_id = %s", [leo.id])
    page = text_of(client.get(f"{desk}?late=1"))
    assert "1 day 2 h, late by 2 h 0 min" in page
    assert "Late: 1. Oldest waiting: 1 day 2 h" in page


def test_approving_for_less_and_what_the_person_sees(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    wish = allow(bot, "pills", reads=5)
    mine = browser(leo.holder)
    waits = text_of(mine.get(f"/requests/{typed('req', wish.request_id)}"))
    client, desk = at_the_desk(casa, casa.rita)
    done = client.post(f"{address(client, desk)}/approve", {"until": "hour", "reads": "2"}, follow=True)
    assert "Approved for less" in text_of(done)
    (grant,) = access.grants(leo.holder)
    assert grant.reads_left == 2
    assert grant.expires_at - grant.made_at < timedelta(hours=1, seconds=5)
    assert "it waits for a reviewer" in waits
    assert "it waits for a reviewer" not in text_of(mine.get(f"/requests/{typed('req', wish.request_id)}"))


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"reads": "6"}, 422),
        ({"reads": "0"}, 422),
        ({"reads": "-1"}, 422),
        ({"reads": "9" * 50}, 422),
        ({"reads": "five"}, 422),
        ({"until": "ever"}, 422),
        ({"until": "month"}, 422),
    ],
    ids=str,
)
def test_what_would_be_more_or_cannot_be_read_decides_nothing(
    casa: Clinic, leo: Vault, bot: Assistant, sent: dict[str, str], status: int
) -> None:
    allow(bot, "pills", days=7, reads=5)
    client, desk = at_the_desk(casa, casa.rita)
    answer = client.post(f"{address(client, desk)}/approve", sent)
    assert answer.status_code == status
    assert 'role="alert"' in text_of(answer)
    assert len(access.queue(casa.desk(casa.rita))) == 1
    assert access.grants(leo.holder) == ()


def test_a_decision_is_made_once_and_nobody_s_own(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    casa.joined(leo.holder, Role.REVIEWER)
    allow(bot, "pills")
    client, desk = at_the_desk(casa, casa.rita)
    row = address(client, desk)
    mine, _ = at_the_desk(casa, leo.holder)
    page = text_of(mine.get(row))
    assert "not yours: you are that person" in page
    assert "Approve</button>" not in page
    assert mine.post(f"{row}/approve").status_code == 403
    assert client.post(f"{row}/answer", {"do": "decline", "reason": ""}).status_code == 302
    assert client.post(f"{row}/approve").status_code == 409
    assert "This was declined" in text_of(client.get(row))


def test_a_reason_is_needed_and_only_the_person_sees_it(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    wish, reason = allow(bot, "pills"), f"Ask for the dose only {canary()} <i>"
    name = typed("req", wish.request_id)
    client, desk = at_the_desk(casa, casa.rita)
    row = address(client, desk)
    assert client.post(f"{row}/answer", {"do": "back", "reason": "  "}).status_code == 422
    assert client.post(f"{row}/answer", {"do": "back", "reason": reason}).status_code == 302
    page = text_of(browser(leo.holder).get(f"/requests/{name}"))
    assert "A reviewer sent this back to you" in page
    assert reason.replace("<i>", "&lt;i&gt;") in page
    holder = Http(holder=leo.holder).send("GET", f"access-requests/{name}").json()
    assert (holder["status"], holder["parts"][0]["sent_back"]) == ("pending", reason)
    told = Http(bot.key).send("GET", f"access-requests/{name}")
    assert told.json()["status"] == "pending"
    assert reason not in told.content.decode()


def test_what_a_reviewer_said_goes_with_the_memory_it_was_said_of(
    casa: Clinic, leo: Vault, bot: Assistant, admin: Any
) -> None:
    allow(bot, "pills")
    client, desk = at_the_desk(casa, casa.rita)
    client.post(f"{address(client, desk)}/answer", {"do": "back", "reason": f"Leave out {canary()}"})
    said = "SELECT count(*) FROM review WHERE vault_id = %s AND reason <> ''"
    assert admin.execute(said, [leo.id]).fetchone() == (1,)
    erasure.order(leo.holder, Where(ids=frozenset({leo.ids["pills"]})), utc_now())
    assert admin.execute(said, [leo.id]).fetchone() == (0,)


def test_in_review_is_said_to_the_holder_and_not_to_the_assistant(
    casa: Clinic, leo: Vault, bot: Assistant, admin: Any
) -> None:
    wish = bot.ask(categories=(Category.HEALTH,))
    name = typed("req", wish.request_id)
    before = Http(bot.key).send("GET", f"access-requests/{name}")
    decision = access.Decision(frozenset({leo.ids["pills"]}), utc_now() + timedelta(days=1), 5)
    access.decide(leo.holder, wish.request_id, {Category.HEALTH: decision}, utc_now())
    mine = Http(holder=leo.holder).send("GET", f"access-requests/{name}").json()
    assert (mine["status"], mine["parts"][0]["status"]) == ("in_review", "in_review")
    page = text_of(browser(leo.holder).get(f"/requests/{name}"))
    assert "it waits for a reviewer" in page
    # As if it had waited as long as it is told to between two looks.
    longer = "UPDATE access_request SET polled_at = polled_at - interval '1 minute' WHERE request_id = %s"
    admin.execute(longer, [wish.request_id])
    after = Http(bot.key).send("GET", f"access-requests/{name}")
    assert before.json() == after.json()
    assert before.headers["ETag"] == after.headers["ETag"]


def test_in_a_clinic_nothing_is_chosen_before_one_has_looked(
    casa: Clinic, leo: Vault, bot: Assistant, admin: Any
) -> None:
    wish = bot.ask("kitchen")
    mine, path = browser(leo.holder), f"/requests/{typed('req', wish.request_id)}"
    assert " checked" not in text_of(mine.get(path))
    settle(admin, casa, preselect=True)
    assert " checked" in text_of(mine.get(path))
