"""Consent on a phone, 360 px wide, with script switched off: decide, look what it did, make it less, stop it."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Ines
from tests.e2e.test_every_page_is_fit_to_use import busy


def test_a_grant_s_whole_life_on_a_phone_without_script(open_browser: Callable[..., Page], ines: Ines) -> None:
    address = next(each for each in busy(ines) if each.startswith("/requests/"))
    page = open_browser(width=360, height=780, script=False)
    page.goto(address)
    asked = page.locator("form", has_text="Kitchen equipment")
    asked.get_by_text("Change time or reads").click()
    asked.get_by_label("How long").select_option("week")
    asked.get_by_label("Reads at most").fill("5")
    asked.get_by_role("button", name="Allow", exact=True).click()
    page.goto("/grants")
    row = page.locator("li", has_text="5 reads left, 0 done")
    expect(row).to_contain_text("never used")
    row.locator("summary").click()
    row.get_by_label("Reads left at most").fill("2")
    button = row.locator("details").get_by_role("button")
    box = button.bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= 360
    button.click()
    expect(page.get_by_text("Less from now on.")).to_be_visible()
    row = page.locator("li", has_text="2 reads left, 0 done")
    row.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped. No further reads. Nothing was handed over on it yet.")).to_be_visible()
