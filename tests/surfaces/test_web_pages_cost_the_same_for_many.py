"""What a page asks the database does not grow with what stands on it: people, children, spaces, assistants, grants,
requests, proposals.
"""

import html
import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.access import services as access
from apps.access.services import Decision
from apps.holders import services as holders
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.types import AccessRequest, Proposal, Refused
from apps.policy.vocabulary import Category, Level, Role
from tests.cast import Vault, canary, new_vault, register
from tests.clinics import allow, open_clinic
from tests.holders.children import born, child_of
from tests.holders.people import acting, address_of, newcomer
from tests.surfaces.test_web_people import at
from tests.surfaces.web import browser, text_of
from vault.clock import utc_now

PAGES = ("/", "/inbox", "/inbox/decided", "/file", "/erase", "/grants", "/ledger")


def spent(client: Client, path: str) -> int:
    """The statements of one look, on every alias."""
    with (
        CaptureQueriesContext(connections["default"]) as web,
        CaptureQueriesContext(connections["gate"]) as gate,
    ):
        assert client.get(path).status_code == 200, path
    return len(web) + len(gate)


def same(client: Callable[[], Client], more: Callable[[], None], *paths: str) -> None:
    """One of each, then seven: the same number of statements."""
    before, counted = [], []
    for number, seen in ((1, before), (6, counted)):
        for _ in range(number):
            more()
        browser_ = client()
        seen += [(path, spent(browser_, path)) for path in paths]
    assert before == counted


def furnish(vault: Vault, name: str = "time") -> None:
    """An assistant with a grant, one that ended, an open request and a proposal."""
    bot, now = register(vault, "Bot"), utc_now()
    for until in (timedelta(days=7), None):
        wish = bot.ask("kitchen", name)
        yes = Decision(frozenset({vault.ids["kitchen"], vault.ids[name]}), now + (until or timedelta(days=1)), 5)
        done = access.decide(vault.holder, wish.request_id, {Category.ORDINARY: yes}, now)
        assert isinstance(done, AccessRequest)
        if until is None:
            (newest, *_) = access.grants(vault.holder, client_id=bot.caller.client.client_id)
            access.revoke_grant(vault.holder, newest.grant_id, now)
    bot.ask("kitchen")
    memories.propose(bot.caller, label="Pan", value="iron", now=now)
    memories.catch_up(vault.holder.vault_id)  # once for each proposal, at whatever is done next


@pytest.fixture
def leo(live: None) -> Vault:
    return new_vault("Leo")


def test_of_the_holder(leo: Vault) -> None:
    same(lambda: browser(leo.holder), lambda: furnish(leo), *PAGES)


def test_of_keeping_many_of_which_some_were_decided_meanwhile(leo: Vault) -> None:
    client = browser(leo.holder)

    def pressed(number: int) -> int:
        bot = register(leo, "Bot")
        made = [
            memories.propose(bot.caller, label=f"Pan {each}", value=f"of {canary()}", now=utc_now())
            for each in range(number)
        ]
        ids = [each.proposal_id for each in made if isinstance(each, Proposal)]
        shown = text_of(client.post("/inbox/show", {"proposal": [typed("prp", each) for each in ids]}))
        (signed,) = re.findall(r'name="reviewed"\s+value="([^"]+)"', shown)
        for each in ids:
            memories.reject(leo.holder, each, utc_now())
        with CaptureQueriesContext(connections["default"]) as asked:
            client.post("/inbox/approve", {"reviewed": html.unescape(signed)})
        assert text_of(client.get("/inbox")).count("was decided meanwhile") == number
        return len(asked)

    assert pressed(2) == pressed(9)


def test_of_whoever_acts_for_them_though_something_is_sealed(leo: Vault) -> None:
    seat = acting(leo.holder, newcomer("Rosa"), Role.GUARDIAN)

    def more() -> None:
        secret = leo.keep("secret")
        furnish(leo, "secret")
        memories.seal_from_guardians(leo.holder, secret, utc_now())

    same(lambda: at(seat), more, *PAGES)


def test_of_a_patient_whose_answers_a_reviewer_looks_at(live: None) -> None:
    casa = open_clinic()
    leo = casa.patient("Leo")
    same(lambda: browser(leo.holder), lambda: allow(register(leo, "Bot"), "pills") and None, "/", "/inbox")


def test_of_the_guardian_of_many_children(live: None) -> None:
    rosa = newcomer("Rosa")
    same(lambda: browser(rosa), lambda: child_of(rosa, born_on=born(12, days=350)) and None, "/", "/file", "/people")
    assert text_of(browser(rosa).get("/file")).count("Leo turns 13") == 1, "said once, for children of one name"


def test_of_people_who_act_and_are_invited(leo: Vault) -> None:
    def more() -> None:
        person = newcomer("Rosa")
        acting(leo.holder, person, Role.DELEGATE)
        acting(person, leo.holder, Role.GUARDIAN, Level.VIEW)
        made = holders.invite_to_vault(leo.holder, address_of(newcomer("Otto")), Role.DELEGATE, Level.VIEW, utc_now())
        assert not isinstance(made, Refused)

    same(lambda: browser(leo.holder), more, "/", "/people")


def test_of_somebody_in_many_spaces(leo: Vault) -> None:
    same(
        lambda: browser(leo.holder),
        lambda: holders.found_space("household", "A house", leo.holder.user_id) and None,
        "/people",
    )
