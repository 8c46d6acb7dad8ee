"""A clinic in the browser: a patient says yes on a phone without script, a reviewer decides by keyboard alone, the
patient is asked again and told why; and the desk is fit to use.
"""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from apps.access import services as access
from apps.policy.ids import typed
from apps.policy.vocabulary import Category
from tests.cast import register
from tests.clinics import allow, open_clinic
from tests.e2e.test_a_household import sign_in
from tests.e2e.test_every_page_is_fit_to_use import WIDTHS_AND_THEMES, check
from tests.e2e.test_sixty_seconds import no_sideways, tab_to

pytestmark = pytest.mark.e2e


def say_yes(page: Page, address: str, label: str) -> None:
    """The patient chooses one memory, for a week, and allows it."""
    page.goto(address)
    assert page.locator(":checked[type=checkbox]").count() == 0, "nothing is chosen before"
    page.get_by_label(label).check()
    page.get_by_text("Change time or reads").click()
    page.get_by_label("How long").select_option("week")
    page.get_by_label("Reads at most").fill("5")
    page.get_by_role("button", name=re.compile("^Allow")).click()
    expect(page.get_by_text("A reviewer looks at it too")).to_be_visible()
    no_sideways(page)


def press(page: Page, name: str) -> None:
    """By keyboard alone: to the control of this name, and Enter."""
    tab_to(page, name)
    page.keyboard.press("Enter")


def test_yes_sent_back_yes_again_and_approved_for_less(open_browser: Callable[..., Page]) -> None:
    casa = open_clinic()
    leo = casa.patient("Leo Maria Brandt")
    bot = register(leo, "Carebot")
    wish = bot.ask(categories=(Category.HEALTH,))
    address = f"/requests/{typed('req', wish.request_id)}"
    phone, desk = open_browser(width=360, script=False), open_browser()
    sign_in(phone, leo.holder)
    sign_in(desk, casa.rita)
    say_yes(phone, address, leo.labels["pills"])
    desk.goto("/review/")
    press(desk, "Sit down at the desk")
    expect(desk.get_by_text("Waiting: 1.")).to_be_visible()
    assert leo.labels["pills"] not in desk.content()
    press(desk, "0 min")
    expect(desk.get_by_role("heading", name="Carebot asks to plan meals")).to_be_visible()
    tab_to(desk, "Reason")
    desk.keyboard.type("Is a day not enough?")
    desk.keyboard.press("Enter")
    expect(desk.get_by_text("Sent back. The person sees your reason.")).to_be_visible()
    phone.goto(address)
    expect(phone.get_by_text("Is a day not enough?")).to_be_visible()
    say_yes(phone, address, leo.labels["pills"])
    desk.reload()
    press(desk, "0 min")
    expect(desk.get_by_text("this one was sent back 1×")).to_be_visible()
    tab_to(desk, "Until")
    desk.keyboard.type("a day")
    tab_to(desk, "Reads at most")
    desk.keyboard.type("2")
    press(desk, "Approve")
    expect(desk.get_by_text("Approved for less.")).to_be_visible()
    (grant,) = access.grants(leo.holder)
    assert (grant.reads_left, grant.memory_ids) == (2, {leo.ids["pills"]})
    assert [each.handed.value for each in bot.read("pills").released] == [leo.values["pills"]]
    press(desk, "Leave the desk")
    expect(desk.get_by_role("button", name="Sit down at the desk")).to_be_visible()


@pytest.mark.parametrize(("width", "dark"), WIDTHS_AND_THEMES)
def test_the_desk_is_fit_to_use(open_browser: Callable[..., Page], width: int, dark: bool) -> None:
    casa = open_clinic()
    leo = casa.patient("Leo Maria Brandt")
    for number in range(3):
        allow(register(leo, f"An assistant with a rather long name, number {number}"), "pills")
    page, wrong = open_browser(width=width, dark=dark), []
    sign_in(page, casa.rita)
    page.goto("/review/")
    wrong += check(page, f"/review/ at {width}")
    page.get_by_role("button", name="Sit down at the desk").click()
    desk = page.url
    row = page.locator("table.desk a").first.get_attribute("href") or ""
    for address in (desk, f"{desk}?late=1", row):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(address)
        wrong += check(page, f"{address} at {width}")
    assert not wrong, "\n".join(wrong)
