"""A child grows up in the browser, without script on a phone: a vault opened by a parent, something kept to oneself, a
birthday, a stop."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from playwright.sync_api import Page, expect

from apps.holders import services as holders
from apps.ledger import services as ledger
from apps.policy.types import Holder
from tests.e2e.conftest import Ines
from tests.e2e.test_a_household import sign_in
from tests.e2e.test_every_page_is_fit_to_use import WIDTHS_AND_THEMES, check
from tests.holders.children import born, child_of, grow, themself
from vault.clock import utc_now

pytestmark = pytest.mark.e2e


def keep(page: Page, label: str, value: str, *, sealed: bool = False) -> None:
    page.goto("/file/add")
    page.get_by_label("What it is about").fill(label)
    page.get_by_label("What is to be remembered").fill(value)
    if sealed:
        page.get_by_text("More about it").click()
        page.get_by_label("Seal it from guardians").check()
    page.get_by_role("button", name="Keep it").click()
    expect(page.get_by_text(f"Kept: {label}.")).to_be_visible()


def numbers(page: Page) -> list[int]:
    """The numbers of the lines on the ledger's page."""
    page.goto("/ledger")
    return [int(each.split()[-1]) for each in page.locator("td.no").all_inner_texts()]


def open_for_leo(page: Page, ines: Ines) -> Holder:
    """From the page of people to Leo's file, as his guardian."""
    page.goto("/people")
    page.get_by_role("link", name="Open a vault for a child").click()
    page.get_by_label("Their name").fill("Leo")
    page.get_by_label("Born on").fill(born(12, days=300).isoformat())
    page.get_by_label("Where they live").select_option("Europe/Lisbon")
    page.get_by_label("Their own address").fill(f"leo-{ines.holder.user_id.hex}@home.example")
    page.get_by_role("button", name="Open the vault").click()
    expect(page).to_have_url(re.compile("/file$"))
    expect(page.get_by_role("region", name="For whom you act")).to_contain_text("You are acting for Leo.")
    user = get_user_model().objects.get(email=f"leo-{ines.holder.user_id.hex}@home.example")
    leo = holders.holder(user.pk)
    assert leo is not None
    return leo


def test_a_childhood(open_browser: Callable[..., Page], ines: Ines) -> None:
    page = open_browser(width=360, script=False)
    leo = open_for_leo(page, ines)
    keep(page, "Bicycle", "A red one")
    lines = numbers(page)
    assert lines == list(range(len(lines), 0, -1))

    sign_in(page, leo)
    keep(page, "Diary", "What I wrote about Sam", sealed=True)
    page.goto("/file")
    expect(page.get_by_role("heading", name="Sealed from guardians")).to_be_visible()
    expect(page.get_by_role("link", name="Bicycle")).to_be_visible()

    sign_in(page, ines.holder)
    page.goto("/people")
    page.locator("main").get_by_role("button", name=re.compile("Act for ")).click()
    expect(page.get_by_role("link", name="Bicycle")).to_be_visible()
    expect(page.get_by_text("Diary")).to_have_count(0)
    expect(page.get_by_text("ealed from guardians")).to_have_count(0)
    assert numbers(page) == lines, "not a line more, and no gap"
    assert ledger.last_seq(leo.vault_id, leo.actor) > len(lines), "though there is one"

    grow(leo, born(13, on=utc_now() + timedelta(hours=14), days=1))
    page.goto("/file")
    expect(page.get_by_role("link", name="Ledger")).to_have_count(0)
    expect(page.get_by_text(re.compile("Leo has been 13 since .* a guardian may look at"))).to_be_visible()
    expect(page.get_by_role("link", name="Bicycle")).to_be_visible()

    sign_in(page, leo)
    page.goto("/people")
    page.get_by_role("button", name="End").click()
    sign_in(page, ines.holder)
    page.goto("/file")
    expect(page.get_by_role("region", name="For whom you act")).to_have_count(0)
    expect(page.get_by_role("link", name="Bicycle")).to_have_count(0)
    assert [each.vault_id for each in holders.seats(ines.holder.user_id)] == [ines.holder.vault_id]


@pytest.mark.parametrize(("width", "dark"), WIDTHS_AND_THEMES)
def test_pages_of_children_are_fit_to_use(
    open_browser: Callable[..., Page], ines: Ines, width: int, dark: bool
) -> None:
    leo = themself(child_of(ines.holder).vault_id)
    grow(leo, born(13, days=-9))
    page, wrong = open_browser(width=width, dark=dark), []
    page.goto("/people")
    opening = page.get_by_role("link", name="Open a vault for a child").get_attribute("href")
    assert opening is not None
    for person, addresses in ((ines.holder, ("/people", opening)), (leo, ("/people", "/file", "/file/add"))):
        sign_in(page, person)
        for address in addresses:
            page.set_viewport_size({"width": width, "height": 800})
            page.goto(address)
            wrong += check(page, f"{address} at {width}")
    assert not wrong, "\n".join(wrong)
