"""A reviewer is led to the desk from every page, told how much waits there, by one statement; nobody else is."""

import re
from typing import Any

import psycopg
import pytest
from django.contrib.auth import get_user_model
from django.db import connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.access import services as access
from apps.holders import services as holders
from apps.ledger.tickets import issue
from apps.policy.types import Refused
from apps.policy.vocabulary import Role
from tests import databases
from tests.cast import Assistant, Vault, register
from tests.clinics import Clinic, allow, open_clinic
from tests.surfaces.web import browser, text_of
from vault.clock import utc_now


def entry(page: str) -> str:
    """What the menu says of the desk; "" where it says nothing."""
    found = re.search(r'<a href="/review/"[^>]*>(.*?)</a>', page, re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", found[1])).strip() if found else ""


def test_the_menu_leads_there_and_says_how_much_waits(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    client = browser(casa.rita)
    assert entry(text_of(client.get("/"))) == "Review"
    allow(bot, "pills")
    allow(register(leo, "Otherbot"), "sleep")
    for path in ("/", "/inbox", "/file", "/people", "/verify", "/review/", "/nowhere"):
        assert entry(text_of(client.get(path))) == "Review, waiting: 2", path
    assert 'aria-current="page">Review' in text_of(client.get("/review/"))
    for other in (leo.holder, casa.admin):
        assert entry(text_of(browser(other).get("/"))) == ""


def test_it_counts_what_the_desks_of_all_their_spaces_show(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    other = open_clinic()
    other.joined(casa.rita, Role.REVIEWER)
    allow(bot, "pills")
    allow(register(other.patient("Mia"), "Bot"), "pills")
    assert access.waits_for(casa.rita.user_id) == 2
    assert access.waits_for(casa.rolf.user_id) == 1
    (row,) = access.queue(casa.desk(casa.rolf))
    access.decline(casa.desk(casa.rolf), row.row.review_id, utc_now())
    assert [access.waits_for(each.user_id) for each in (casa.rita, casa.rolf)] == [1, 0]
    assert access.waits_for(leo.holder.user_id) is None


def test_it_is_one_statement_however_much_waits(casa: Clinic, leo: Vault) -> None:
    spent = []
    for number in (1, 7):
        for _ in range(number):
            allow(register(leo, "Bot"), "pills")
        with CaptureQueriesContext(connections["default"]) as seen:
            access.waits_for(casa.rita.user_id)
        spent.append(len(seen))
    assert spent == [1, 1]


def test_who_reviews_and_holds_no_vault_is_led_to_the_desk(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    allow(bot, "pills")
    user = get_user_model().objects.create_user("rex@casa-m.example", None, name="Rex")
    client = Client()
    client.force_login(user)
    assert client.get("/").status_code == 404, "there is nothing here for them yet"
    invited = holders.invite_to_space(casa.admin.user_id, casa.space_id, user.email, Role.REVIEWER, utc_now())
    assert not isinstance(invited, Refused)
    holders.accept(user.pk, invited[1], utc_now())
    user.refresh_from_db()
    client.force_login(user)
    for path in ("/", "/inbox", "/people"):
        assert client.get(path).headers["Location"] == "/review/"
    page = text_of(client.get("/review/"))
    assert entry(page) == "Review, waiting: 1"
    assert "Sit down at the desk" in page
    assert "Sign out" in page


def test_the_number_is_told_to_the_reviewer_themself_alone(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    rita = casa.rita.user_id

    def asked(ticket: str) -> Any:
        with databases.connect("app", autocommit=True) as web:
            return web.execute("SELECT gate.desk_waits(%s, 500)", [ticket]).fetchone()

    assert asked(issue(rita, f"rev_{rita.hex}", "-")) == (0,), "the control"
    for ticket in (
        issue(leo.id, f"rev_{rita.hex}", "-"),
        issue(casa.space_id, f"rev_{rita.hex}", "-"),
        issue(rita, f"hld_{rita.hex}", "-"),
        issue(rita, "rev_", "-"),
        "",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            asked(ticket)
