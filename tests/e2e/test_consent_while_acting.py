"""Deciding for oneself and for another on a phone: the buttons are there without a scroll; what waits for a reviewer is
taken back; and the pages of it are fit to use.
"""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from apps.access import services as access
from apps.policy.ids import typed
from apps.policy.vocabulary import Role
from tests.cast import new_vault, register
from tests.clinics import allow, open_clinic
from tests.e2e.test_a_household import sign_in
from tests.e2e.test_every_page_is_fit_to_use import WIDTHS_AND_THEMES, check
from tests.holders.people import acting, newcomer

pytestmark = pytest.mark.e2e
LOWEST = "Math.max(...[...document.querySelectorAll('main button')].map((b) => b.getBoundingClientRect().bottom))"


def sit(page: Page, whom: str) -> None:
    """From the page of people to the vault of whom one acts for."""
    page.goto("/people")
    page.locator("main").get_by_role("button", name=re.compile(f"Act for {whom}")).click()


@pytest.mark.parametrize("script", [True, False])
def test_a_plain_request_needs_no_scroll_for_oneself_nor_for_another(
    open_browser: Callable[..., Page], script: bool
) -> None:
    leo, rosa = new_vault("Leo"), newcomer("Rosa")
    acting(leo.holder, rosa, Role.GUARDIAN)
    wish = register(leo, "Cookbot").ask("kitchen", purpose_note="For the dinners of this week, and the shopping")
    page = open_browser(width=360, height=740, script=script)
    for person in (leo.holder, rosa):
        sign_in(page, person)
        if person is rosa:
            sit(page, "Leo")
        page.goto(f"/requests/{typed('req', wish.request_id)}")
        expect(page.get_by_text("for 1 hour and any number of reads")).to_be_visible()
        expect(page.locator("summary", has_text="Once, within a day")).to_be_visible()
        assert page.evaluate(LOWEST) <= 740
        assert page.evaluate("scrollY") == 0
    page.get_by_role("button", name="Allow", exact=True).click()
    expect(page.get_by_text("Done. You can close this.")).to_be_visible()
    (grant,) = access.grants(leo.holder)
    assert grant.reads_left == 1


def test_a_yes_with_a_reviewer_is_taken_back_from_the_inbox(open_browser: Callable[..., Page]) -> None:
    casa = open_clinic()
    leo = casa.patient("Leo Maria Brandt")
    allow(register(leo, "Carebot"), "pills")
    page = open_browser(width=360, height=740, script=False)
    sign_in(page, leo.holder)
    page.goto("/inbox")
    expect(page.get_by_role("heading", name="With a reviewer")).to_be_visible()
    page.get_by_role("button", name="Don’t allow Carebot after all").click()
    expect(page.get_by_text("not allowed")).to_be_visible()
    sign_in(page, casa.rita)
    page.goto("/")
    page.get_by_role("link", name="Review").click()
    expect(page.get_by_role("button", name="Sit down at the desk")).to_be_visible()


@pytest.mark.parametrize(("width", "dark"), WIDTHS_AND_THEMES)
def test_its_pages_are_fit_to_use(open_browser: Callable[..., Page], width: int, dark: bool) -> None:
    casa, rosa = open_clinic(), newcomer("Rosa")
    leo = casa.patient("Leo Maria Brandt")
    bot = register(leo, "Carebot")
    acting(leo.holder, rosa, Role.GUARDIAN)
    held, asked = allow(bot, "pills"), bot.ask("kitchen")
    addresses = ["/", "/inbox", "/ledger", "/file", *(f"/requests/{typed('req', e.request_id)}" for e in (held, asked))]
    page, wrong = open_browser(width=width, dark=dark), []
    for person in (leo.holder, rosa, casa.rita):
        sign_in(page, person)
        if person is rosa:
            sit(page, "Leo")
        for address in addresses[: 1 if person is casa.rita else None]:
            page.set_viewport_size({"width": width, "height": 800})
            page.goto(address)
            wrong += check(page, f"{address} of {person.name} at {width}")
    assert not wrong, "\n".join(wrong)
